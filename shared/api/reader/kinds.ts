import type { Kind, Numeric } from './field.ts'
import { never, readTime } from './units.ts'

/** Characters of one field that are read; more is no value that anyone shows. */
export const longestText = 4_096

export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null && !Array.isArray(value)

const leaf = <T>(name: string, read: Kind<T>['read'], family: Kind<T>['family'] = 'plain', numeric: Numeric | null = null): Kind<T> => ({
  name,
  family,
  numeric,
  takes: 'leaf',
  whole: true,
  read,
})

const asText = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' && value.length <= longestText ? value : undefined)

export const text: Kind<string> = leaf('text', asText)

/** A name for people. One that nobody would show whole is cut: the record that bears it must not be lost. */
export const label: Kind<string> = { ...text, name: 'label', cut: true }

const notNumber = <T>(kind: Kind<T>): Kind<T> => ({
  ...kind,
  read: (value, ...how) => (/^\d+$/.test(String(value).trim()) ? undefined : kind.read(value, ...how)),
})

/** What a market is called; a bare number is its id. */
export const symbol: Kind<string> = notNumber(text)
/** The same, cut where it is too long. */
export const symbolLabel: Kind<string> = notNumber(label)

/** The beginning of a text that is too long, without half a character at its end. */
export const cutText = (value: string): string => `${value.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

const asId = (value: unknown): string | undefined => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : asText(value))

/** An id, which some services write as a number. */
export const id: Kind<string> = leaf('id', asId)

const asCount = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : typeof value === 'string' ? fromHex(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
const fromHex = (value: string): number | undefined => (/^0x[0-9a-f]{1,14}$/i.test(value) ? Number(value) : undefined)

/** A whole number, also as text. */
export const count: Kind<number> = leaf('count', asCount)

const yes: ReadonlySet<unknown> = new Set([true, 1, 'true', '1', 'yes', 'y', 'on', 'active', 'enabled'])
const no: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'no', 'n', 'off', 'inactive', 'disabled'])
export const asFlag = (value: unknown): boolean | undefined => {
  const written = typeof value === 'string' ? value.trim().toLowerCase() : value
  return yes.has(written) ? true : no.has(written) ? false : undefined
}

export const flag: Kind<boolean> = leaf('flag', asFlag)

/** Unix milliseconds. What stands for "never" is none. */
export const time: Kind<number> = leaf(
  'time',
  (value) => {
    const found = readTime(value)
    return found === never ? null : found
  },
  'time',
)

const numeric = (name: string, target: Numeric['target'], sure: boolean, digits: number, family: Kind<string>['family']): Kind<string> =>
  // The number itself is read with its unit: see `read-number.ts`.
  leaf<string>(name, () => undefined, family, { target, sure, digits })

/** An amount in USDC by what it means, such as an equity. */
export const usdc = numeric('usdc', 'usdc', true, 8, 'amount')
/** What may be in USDC or in base units: shown only where a name or agreement tells. */
export const namedUsdc = numeric('usdc', 'usdc', false, 13, 'amount')
/** USDC that one order costs: an integer above 99 may carry decimals. */
export const fee = numeric('usdc', 'usdc', true, 3, 'amount')
/** USDC of a whole market or vault. */
export const totalUsdc = numeric('usdc', 'usdc', true, 13, 'amount')
/** An amount that may be in base units or in USDC: shown as base units only where a name or agreement tells. */
export const base = numeric('base', 'base', false, 11, 'amount')
export const price = numeric('price', 'price', true, 8, 'amount')
/** An amount as it is, in base units or in USDC. */
export const amount = numeric('amount', 'tokens', true, 15, 'amount')
/** Units of a token that the record names. */
export const tokens = numeric('tokens', 'tokens', true, 8, 'amount')
/** Supplies of a token. */
export const supply = numeric('tokens', 'tokens', true, 15, 'amount')
export const percent = numeric('percent', 'percent', false, 30, 'ratio')
/** A rate, in percent of an hour. */
export const hourly = numeric('hourly', 'hourly', false, 30, 'ratio')
export const factor = numeric('factor', 'factor', true, 30, 'ratio')

/** An object, kept as it came. */
export const record: Kind<Readonly<Record<string, unknown>>> = {
  name: 'record',
  family: 'plain',
  numeric: null,
  takes: 'record',
  whole: true,
  read: (value) => (isRecord(value) ? value : undefined),
}

/** Any value, kept as it came. */
export const anything: Kind<unknown> = { name: 'anything', family: 'plain', numeric: null, takes: 'any', whole: true, read: (value) => value }

/** A kind of one's own. `any`: it may also be an object. */
export const custom = <T>(name: string, read: Kind<T>['read'], takes: Kind<T>['takes'] = 'any', whole = true): Kind<T> => ({
  name,
  family: 'plain',
  numeric: null,
  takes,
  whole,
  read,
})

/** Texts in a list, separated by commas (scopes also by spaces), or as an object of flags. */
export const texts: Kind<string[]> = {
  ...leaf<string[]>('texts', (value) => {
    if (typeof value === 'string')
      return value
        .split(/^\S+:\S+(?:\s+\S+:\S+)+$/.test(value.trim()) ? /\s+/ : ',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    if (isRecord(value)) {
      const entries = Object.entries(value)
      return entries.length > 0 && entries.every(([, said]) => typeof said === 'boolean') ? entries.filter(([, said]) => said).map(([name]) => name) : undefined
    }
    if (!Array.isArray(value)) return undefined
    const found = value.map((item) => (isRecord(item) ? asId(item.name ?? item.id ?? item.value) : asId(item)))
    return found.every((item) => item !== undefined) ? found : undefined
  }),
  takes: 'any',
}
