import type { Kind, Numeric } from './field.ts'
import { never, readTime } from './units.ts'

/** Maximum number of characters that the app reads of one field. No screen shows a longer value. */
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

/** A display name. A name that is too long is shortened, so that the record stays readable. */
export const label: Kind<string> = { ...text, name: 'label', cut: true }

const notNumber = <T>(kind: Kind<T>): Kind<T> => ({
  ...kind,
  read: (value, complain, context) => (/^\d+$/.test(String(value).trim()) ? undefined : kind.read(value, complain, context)),
})

/** The symbol of a market. A number without letters is rejected, because it would be the market's id. */
export const symbol: Kind<string> = notNumber(text)
/** Like `symbol`, but text that is too long is shortened instead of rejected. */
export const symbolLabel: Kind<string> = notNumber(label)

/** Shortens text that is too long. Never cuts a surrogate pair in half. */
export const cutText = (value: string): string => `${value.slice(0, longestText - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

const asId = (value: unknown): string | undefined => (typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : asText(value))

/** An id, as text or as a number. */
export const id: Kind<string> = leaf('id', asId)

const asCount = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && /^-?\d{1,16}$/.test(value.trim()) ? Number(value) : typeof value === 'string' ? fromHex(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined
}
const fromHex = (value: string): number | undefined => (/^0x[0-9a-f]{1,14}$/i.test(value) ? Number(value) : undefined)

/** A whole number, as a number or as text. */
export const count: Kind<number> = leaf('count', asCount)

const yes: ReadonlySet<unknown> = new Set([true, 1, 'true', '1', 'yes', 'y', 'on', 'active', 'enabled'])
const no: ReadonlySet<unknown> = new Set([false, 0, 'false', '0', 'no', 'n', 'off', 'inactive', 'disabled'])
export const asFlag = (value: unknown): boolean | undefined => {
  const written = typeof value === 'string' ? value.trim().toLowerCase() : value
  return yes.has(written) ? true : no.has(written) ? false : undefined
}

export const flag: Kind<boolean> = leaf('flag', asFlag)

/** A time in Unix milliseconds. A word for "never" becomes null. */
export const time: Kind<number> = leaf(
  'time',
  (value) => {
    const found = readTime(value)
    return found === never ? null : found
  },
  'time',
)

const numeric = (name: string, target: Numeric['target'], sure: boolean, digits: number, family: Kind<string>['family']): Kind<string> =>
  // The `read` function is empty, because a number can be read only together with its unit: see `read-number.ts`.
  leaf<string>(name, () => undefined, family, { target, sure, digits })

/** An amount that is always in USDC, such as the account's equity. */
export const usdc = numeric('usdc', 'usdc', true, 8, 'amount')
/** An amount in USDC or in base units. It counts as USDC only if a name or other figures show this. */
export const namedUsdc = numeric('usdc', 'usdc', false, 13, 'amount')
/** A single order's cost in USDC. An integer above 99 may be scaled by decimals. */
export const fee = numeric('usdc', 'usdc', true, 3, 'amount')
/** The total of a whole market or vault in USDC. */
export const totalUsdc = numeric('usdc', 'usdc', true, 13, 'amount')
/** An amount in base units or in USDC. It counts as base units only if a name or other figures show this. */
export const base = numeric('base', 'base', false, 11, 'amount')
export const price = numeric('price', 'price', true, 8, 'amount')
/** An amount in the unit that the service uses, either base units or USDC. */
export const amount = numeric('amount', 'tokens', true, 15, 'amount')
/** An amount in units of the token that the record names. */
export const tokens = numeric('tokens', 'tokens', true, 8, 'amount')
/** A token's supply, in units of the token. */
export const supply = numeric('tokens', 'tokens', true, 15, 'amount')
export const percent = numeric('percent', 'percent', false, 30, 'ratio')
/** A rate in percent per hour. */
export const hourly = numeric('hourly', 'hourly', false, 30, 'ratio')
export const factor = numeric('factor', 'factor', true, 30, 'ratio')

/** An object, kept as received. */
export const record: Kind<Readonly<Record<string, unknown>>> = {
  name: 'record',
  family: 'plain',
  numeric: null,
  takes: 'record',
  whole: true,
  read: (value) => (isRecord(value) ? value : undefined),
}

/** Any value, kept as received. */
export const anything: Kind<unknown> = { name: 'anything', family: 'plain', numeric: null, takes: 'any', whole: true, read: (value) => value }

/** A kind of value with its own `read` function. `takes: 'any'` (the default) allows plain values and objects. */
export const custom = <T>(name: string, read: Kind<T>['read'], takes: Kind<T>['takes'] = 'any', whole = true): Kind<T> => ({
  name,
  family: 'plain',
  numeric: null,
  takes,
  whole,
  read,
})

/** A list of texts. Also reads text separated by commas (or, for scopes, by spaces), and an object of flags. */
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
