import { fromUnits, multiply } from '../../../shared/decimal.ts'
import type { Dialect } from './draw.ts'
import { scaled } from './forms.ts'
import { hexOf, idNumber } from './ids.ts'
import { codes, signingNames, structNames } from './signing-words.ts'
import { type Spelling, words } from './thesaurus.ts'

interface TypedField {
  readonly name: string
  readonly type: string
}

interface TypedMessage {
  readonly [name: string]: string | boolean | TypedMessage
}

/** EIP-712 data as JSON, with every whole number as decimal text. A struct may contain another struct. */
export interface TypedDocument<Domain> {
  readonly domain: Domain
  readonly types: Readonly<Record<string, readonly TypedField[]>>
  readonly primaryType: string
  readonly message: TypedMessage
}

type Value = string | boolean

interface Slot {
  readonly key: string
  readonly name: string
  readonly type: string
  write(value: Value): Value
}

export interface TypedLayout {
  readonly primaryType: string
  readonly slots: readonly Slot[]
  /** The fields that the dialect moves into a nested struct, with the name and type of that struct; null if the dialect has no nested struct. */
  readonly inner: { readonly keys: readonly string[]; readonly name: string; readonly type: string } | null
  /** Fields that the dialect adds to the data to sign, for example a salt or a version. They do not affect the order. */
  readonly extras: readonly (TypedField & { readonly value: string })[]
}

/** How many implied decimals each whole number has in the exchange’s own signing format, by field name. */
const ownDecimals: Readonly<Record<string, number>> = {
  ...{ orderValue: 6, size: 8, referencePrice: 8, limitPrice: 8, triggerPrice: 8, takeProfit: 8, stopLoss: 8 },
}
const plainNumbers: Readonly<Record<string, readonly [string, ...string[]]>> = {
  pairId: ['uint256', 'uint64', 'uint32', 'uint16'],
  leverage: ['uint256', 'uint32', 'uint16', 'uint8'],
  nonce: ['uint256', 'uint64', 'uint128'],
}
const moments: readonly string[] = ['deadline', 'expiresAt']

const asIs = (value: Value): Value => value
const text = (value: Value): string => String(value)

export function typedLayout(dialect: Dialect, struct: string, own: readonly TypedField[]): TypedLayout {
  const { draw } = dialect
  const taken = new Set<string>()
  const nameOf = (key: string, ending = ''): string => {
    const options = draw.shuffled(`signed name:${key}`, signingNames[key] ?? [key])
    const free = [...options, key, `${key}Value`].find((name) => !taken.has(`${name}${ending}`)) ?? key
    taken.add(`${free}${ending}`)
    return `${free}${ending}`
  }
  const slots = own.map(({ name, type }) => slotOf(dialect, name, type, nameOf))
  const ordered = draw.chance(`signed order:${struct}`, 0.5) ? draw.shuffled(`signed fields:${struct}`, slots) : slots
  return { primaryType: draw.pick(`signed struct:${struct}`, structNames[struct] ?? [struct]), slots: ordered, ...surroundings(dialect, struct, own, taken) }
}

function slotOf(dialect: Dialect, key: string, type: string, nameOf: (key: string, ending?: string) => string): Slot {
  const { draw } = dialect
  const plain = (made: string, write = asIs, ending = ''): Slot => ({ key, name: nameOf(key, ending), type: made, write })
  const decimals = ownDecimals[key]
  if (decimals !== undefined) {
    const meaning = key === 'orderValue' ? 'usdc' : key === 'size' ? 'base' : 'price'
    const scale = draw.pick<number | null>(`signed scale:${meaning}`, [decimals, decimals, 18, null])
    const isSaid = draw.chance(`signed scale said:${meaning}`, 0.5)
    if (scale === null) return plain('string', (value) => fromUnits(BigInt(text(value)), decimals))
    const write = (value: Value) => scaled(text(value), scale - decimals)
    return plain(draw.pick(`signed width:${meaning}`, ['uint256', 'uint128']), write, isSaid && scale !== decimals ? `E${scale}` : '')
  }
  const widths = plainNumbers[key]
  if (widths !== undefined) return plain(draw.pick(`signed width:${key}`, widths))
  if (moments.includes(key)) {
    const isMs = draw.chance('signed moment:ms', 0.25)
    return plain(draw.pick('signed width:moment', ['uint256', 'uint64']), isMs ? (value) => `${text(value)}000` : asIs, isMs ? 'Ms' : '')
  }
  if (key === 'maxSlippageBps') {
    const isFraction = draw.chance('signed slippage', 0.3)
    return isFraction
      ? plain('uint256', (value) => scaled(multiply(text(value), '0.0001'), 18), 'E18')
      : plain(draw.pick('signed width:slippage', ['uint256', 'uint32', 'uint16']), asIs, 'Bps')
  }
  if (key === 'positionId') return idSlot(dialect, plain)
  if (key === 'side') return sideSlot(dialect, key, plain)
  if (codes[key] !== undefined) return wordSlot(dialect, key, plain)
  if (type === 'bool') return draw.chance(`signed flag:${key}`, 0.2) ? plain('uint8', (value) => (value === true ? '1' : '0')) : plain('bool')
  return plain(type)
}

type Plain = (type: string, write?: (value: Value) => Value, ending?: string) => Slot

const longestWord = 31

function idSlot({ draw, ids }: Dialect, plain: Plain): Slot {
  const form = ids.position
  if (form === 'text')
    return draw.chance('signed id:bytes', 0.3)
      ? plain('bytes32', (value) => `0x${Buffer.from(text(value).slice(0, longestWord)).toString('hex').padEnd(64, '0')}`)
      : plain('string')
  const number = (value: Value) => idNumber('position', form, text(value)) ?? 0n
  if (form === 'hex')
    return draw.chance('signed id:number', 0.3) ? plain('uint256', (value) => number(value).toString()) : plain('bytes32', (value) => hexOf(number(value)))
  return plain(draw.pick('signed id:type', form === 'digits' ? ['string', 'uint256'] : ['uint256', 'uint64', 'uint128']), (value) => number(value).toString())
}

function sideSlot({ draw }: Dialect, key: string, plain: Plain): Slot {
  const isLong = (value: Value) => value === 'long'
  switch (draw.pick('signed side', ['word', 'word', 'word', 'long', 'buy', 'sign', 'code'])) {
    case 'long':
      return { ...plain('bool'), name: 'isLong', write: isLong }
    case 'buy':
      return { ...plain('bool'), name: 'isBuy', write: isLong }
    case 'sign':
      return { ...plain('int8'), name: 'direction', write: (value) => (isLong(value) ? '1' : '-1') }
    case 'code':
      return plain('uint8', codeOf(key, draw.below('signed code:side', 2)))
    default:
      return plain('string', spelledAs(draw.pick('signed words:side', words.side ?? [{}])))
  }
}

const wordSets: Readonly<Record<string, string>> = { orderType: 'order_type', marginMode: 'margin_mode' }

function wordSlot({ draw }: Dialect, key: string, plain: Plain): Slot {
  if (draw.chance(`signed code:${key}`, 0.3)) return plain('uint8', codeOf(key, draw.below(`signed code from:${key}`, 2)))
  const set = words[wordSets[key] ?? '']
  if (set !== undefined) return plain('string', spelledAs(draw.pick(`signed words:${key}`, set)))
  return draw.chance(`signed case:${key}`, 0.5) ? plain('string', (value) => text(value).toUpperCase()) : plain('string')
}

const spelledAs = (spelling: Spelling) => (value: Value) => spelling[text(value)] ?? value
const codeOf = (key: string, from: number) => (value: Value) => ((codes[key] ?? []).indexOf(text(value)) + from).toString()

const innerGroups: readonly { readonly name: string; readonly type: string; readonly keys: readonly string[] }[] = [
  { name: 'order', type: 'OrderTerms', keys: ['pairId', 'side', 'orderType', 'orderValue', 'size', 'limitPrice', 'triggerPrice'] },
  { name: 'validity', type: 'Validity', keys: ['nonce', 'deadline', 'expiresAt'] },
  { name: 'exits', type: 'ExitTerms', keys: ['takeProfit', 'stopLoss'] },
]

function surroundings({ draw, seed }: Dialect, struct: string, own: readonly TypedField[], taken: ReadonlySet<string>): Pick<TypedLayout, 'inner' | 'extras'> {
  const group = draw.chance(`signed inner:${struct}`, 0.35) ? innerGroups[draw.below(`signed inner which:${struct}`, innerGroups.length)] : undefined
  const keys = group?.keys.filter((key) => own.some(({ name }) => name === key)) ?? []
  const extras = [
    { name: 'salt', type: draw.pick('signed salt', ['uint256', 'bytes32']), value: '' },
    { name: 'version', type: 'uint8', value: '1' },
    { name: 'source', type: 'string', value: 'api' },
  ].filter(({ name }) => draw.chance(`signed extra:${name}`, 0.2) && !taken.has(name))
  const salted = extras.map((extra) =>
    extra.name === 'salt' ? { ...extra, value: extra.type === 'bytes32' ? hexOf(BigInt(seed) + 1n) : `${seed + 1}` } : extra,
  )
  return { inner: group === undefined || keys.length < 2 ? null : { ...group, keys }, extras: salted }
}

/** Converts the exchange's own typed data to the dialect's signing format. Keeps the domain, which the API document defines. */
export function layOut<Domain>(dialect: Dialect, own: TypedDocument<Domain>): TypedDocument<Domain> {
  const layout = typedLayout(dialect, own.primaryType, own.types[own.primaryType] ?? [])
  const { inner, extras, slots, primaryType } = layout
  const isInside = ({ key }: Slot) => inner?.keys.includes(key) ?? false
  const fieldsOf = (some: readonly Slot[]): TypedField[] => some.map(({ name, type }) => ({ name, type }))
  const valuesOf = (some: readonly Slot[]): Record<string, Value> =>
    Object.fromEntries(
      some.map(({ key, name, write }) => {
        const value = own.message[key]
        return [name, write(typeof value === 'object' || value === undefined ? '' : value)]
      }),
    )
  const outside = slots.filter((slot) => !isInside(slot))
  const inside = slots.filter(isInside)
  return {
    domain: own.domain,
    primaryType,
    types: {
      EIP712Domain: own.types.EIP712Domain ?? [],
      [primaryType]: [
        ...fieldsOf(outside),
        ...(inner === null ? [] : [{ name: inner.name, type: inner.type }]),
        ...extras.map(({ name, type }) => ({ name, type })),
      ],
      ...(inner !== null && { [inner.type]: fieldsOf(inside) }),
    },
    message: {
      ...valuesOf(outside),
      ...(inner !== null && { [inner.name]: valuesOf(inside) }),
      ...Object.fromEntries(extras.map(({ name, value }) => [name, value])),
    },
  }
}
