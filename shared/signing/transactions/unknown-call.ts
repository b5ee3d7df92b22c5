import { getAddress, type Hex, hexToBigInt, hexToNumber, hexToString, isHex, keccak256, numberToHex, slice, stringToHex } from 'viem'
import { isZero, toUnits } from '../../decimal.ts'
import type { ComparisonLine, LineValue } from '../../ipc/intents/comparison-lines.ts'
import type { ActionTicket } from '../../ipc/intents/tickets.ts'
import { tokenRole } from '../../positions.ts'
import { sameId } from '../../same-id.ts'
import { type Answer, differ, match, Scaled } from '../answers.ts'
import { leafValue } from '../comparison.ts'
import { learnFormat } from '../message/learn-format.ts'
import { leftOverLine } from '../message/payload.ts'
import { fieldAt } from '../message/signing-format.ts'
import type { TypedLeaf } from '../message/typed-data.ts'
import { amountText, linesOf, type Question } from '../question-kinds.ts'
import { matchingScale, priceScale, sizeScale } from '../scales.ts'
import { type PinnedScales, sameAddress, type TrustedFormat } from '../trust.ts'
import type { CallFacts } from './call-questions.ts'

/** A requested value, and how to recognise it among the arguments of a call to an unknown function. */
interface Wanted {
  readonly role: string
  readonly asked: LineValue
  readonly unit: string | null
  /** Whether an argument equals this value. */
  readonly finds: (leaf: TypedLeaf) => boolean
  readonly said: Answer
  /** true: the value identifies the request. The app can compare a call only if the call contains at least one such value. */
  readonly isCore: boolean
  /** Set for a price or size, which an argument may contain at any scale. The app learns the scale. */
  readonly scaled?: { readonly kind: 'price' | 'size'; readonly asked: string }
}

/** Returns an argument's value in a form that can be compared with an id. One 32-byte argument may encode text or a number. */
const idOf = ({ type, value }: TypedLeaf): unknown => (type === 'word' && typeof value === 'bigint' ? numberToHex(value, { size: 32 }) : value)

const id = (role: string, asked: string, pin: TrustedFormat | null): Wanted => {
  const finds = (leaf: TypedLeaf): boolean => sameId(idOf(leaf), asked)
  const said: Answer = (leaf) => {
    if (!finds(leaf)) return differ(leafValue(leaf))
    // The service chooses the ids, so it could choose an address as one. An unknown function could give this address rights.
    const isAddress = leaf.type === 'address' && fieldAt(pin?.format, leaf)?.role !== role
    return isAddress ? { value: leafValue(leaf), verdict: 'unmatched', remark: { code: 'unasked' }, code: 'foreign_address' } : match(asked)
  }
  return { role, asked, unit: null, finds, said, isCore: true }
}

const exactly = (role: string, asked: LineValue, units: bigint | null, unit: string | null, isCore: boolean): Wanted => ({
  ...{ role, asked, unit, isCore },
  finds: (leaf) => leaf.type === 'word' && units !== null && units !== 0n && leaf.value === units,
  said: (leaf) => (leaf.value === units ? match(asked) : differ(leafValue(leaf))),
})

const address = (role: string, asked: string): Wanted => {
  const finds = (leaf: TypedLeaf): boolean => leaf.type === 'address' && sameAddress(String(leaf.value), asked)
  return { role, asked, unit: null, finds, said: (leaf) => (finds(leaf) ? match(asked) : differ(leafValue(leaf))), isCore: false }
}

/** The app recognises an argument as a price or size by its value only from this number on. A smaller number could mean many things. */
const distinctive = 1_000_000n

const kinds = { price: priceScale, size: sizeScale } as const

const scaled = (role: string, asked: string, kind: 'price' | 'size', pin: TrustedFormat | null): Wanted => ({
  ...{ role, asked: amountText(asked), unit: null, isCore: false, scaled: { kind, asked } },
  finds: (leaf) => leaf.type === 'word' && typeof leaf.value === 'bigint' && leaf.value >= distinctive && matchingScale({ units: leaf.value, asked }) !== null,
  said: (leaf) => {
    const pinned = (kind === 'price' ? pin?.priceScale : pin?.sizeScale) ?? null
    return new Scaled(kinds[kind], pinned, [{ leaf, asked }]).said(asked, 'asked', amountText)(leaf)
  },
})

function wantedOf({ ticket, tokens, router }: CallFacts, wallet: string, pin: TrustedFormat | null): readonly Wanted[] {
  const price = (role: string, asked: string | null | undefined): Wanted[] => (asked == null || isZero(asked) ? [] : [scaled(role, asked, 'price', pin)])
  const usdc = (role: string, asked: string): Wanted => exactly(role, amountText(asked), toUnits(asked, 6), 'USDC', true)
  const market = (pairId: number | null): Wanted[] =>
    pairId === null ? [] : [exactly('pairId', { code: 'pair', pairId: String(pairId), symbol: null }, BigInt(pairId), null, false)]
  const slippage = (bps: number): Wanted => exactly('maxSlippageBps', `${bps} bps`, BigInt(bps), null, false)
  const common = [address('trader', wallet), ...(router === null ? [] : [address('router', router)])]
  const position = (of: Extract<ActionTicket, { readonly position: unknown }>): Wanted[] => [
    id('positionId', of.position.positionId, pin),
    ...market(of.position.pairId),
  ]
  switch (ticket.action) {
    case 'cancel_order':
      return [id('orderId', ticket.order.orderId, pin), ...market(ticket.order.pairId), ...common]
    case 'close_position_market':
    case 'close_position_limit': {
      const size = ticket.size ?? ticket.position.size
      return [
        ...position(ticket),
        ...(size === null ? [] : [scaled('size', size, 'size', pin)]),
        ...(ticket.action === 'close_position_limit'
          ? price('limitPrice', ticket.limitPrice)
          : [...price('referencePrice', ticket.referencePrice), slippage(ticket.maxSlippageBps)]),
        ...common,
      ]
    }
    case 'invert_position':
      return [...position(ticket), ...price('referencePrice', ticket.referencePrice), slippage(ticket.maxSlippageBps), ...common]
    case 'update_tpsl':
      return [
        ...position(ticket),
        ...price('takeProfit', ticket.takeProfit === undefined ? ticket.position.takeProfit : ticket.takeProfit),
        ...price('stopLoss', ticket.stopLoss === undefined ? ticket.position.stopLoss : ticket.stopLoss),
        ...common,
      ]
    case 'add_isolated_margin':
    case 'reduce_isolated_margin':
      return [...position(ticket), usdc('amount', ticket.amountUsdc), ...common]
    case 'change_isolated_leverage':
      return [...position(ticket), exactly('leverage', `${ticket.leverage}×`, BigInt(ticket.leverage), null, false), ...common]
    case 'replace_order': {
      const { order } = ticket
      const value = ticket.orderValueUsdc ?? order.orderValueUsdc
      const kept = (name: 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss') => (ticket[name] === undefined ? order[name] : ticket[name])
      return [
        id('orderId', order.orderId, pin),
        ...market(order.pairId),
        ...(value === null ? [] : [usdc('orderValue', value)]),
        ...price('limitPrice', kept('limitPrice')),
        ...price('triggerPrice', kept('triggerPrice')),
        ...price('takeProfit', kept('takeProfit')),
        ...price('stopLoss', kept('stopLoss')),
        ...common,
      ]
    }
    case 'add_collateral':
    case 'withdraw_collateral': {
      const token = tokens[tokenRole(ticket.token)]
      return [
        exactly('amount', amountText(ticket.amount), token.decimals === null ? null : toUnits(ticket.amount, token.decimals), ticket.token, true),
        ...(token.address === null ? [] : [address('token', token.address)]),
        ...common,
      ]
    }
  }
}

/** Finds the argument for each requested value: in an accepted format, the known argument; otherwise the only argument that equals the value. */
function argumentsOf(leaves: readonly TypedLeaf[], wanted: readonly Wanted[], pin: TrustedFormat | null): ReadonlyMap<string, readonly TypedLeaf[]> {
  const found = new Map<string, readonly TypedLeaf[]>()
  const taken = new Set<TypedLeaf>()
  for (const leaf of leaves) {
    const role = fieldAt(pin?.format, leaf)?.role
    if (role == null) continue
    taken.add(leaf)
    found.set(role, [...(found.get(role) ?? []), leaf])
  }
  for (const one of wanted) {
    if (found.has(one.role)) continue
    const says = leaves.filter((leaf) => !taken.has(leaf) && one.finds(leaf))
    const [leaf] = says
    if (leaf === undefined || (says.length > 1 && !one.isCore)) continue
    // The argument equals two requested values, so the app cannot know which one it is.
    if (wanted.some((other) => other !== one && !found.has(other.role) && other.finds(leaf))) continue
    for (const each of says) taken.add(each)
    found.set(one.role, says)
  }
  return found
}

interface UnknownCall {
  readonly formatHash: `0x${string}`
  readonly lines: readonly ComparisonLine[]
  readonly scales: PinnedScales
  readonly format: TrustedFormat['format']
  /** true: the call contains a value that identifies the request. So the app can compare the call and store its format. */
  readonly isHeld: boolean
}

interface Expected {
  readonly facts: CallFacts
  readonly wallet: string
  readonly trusted: readonly string[]
  readonly formats: readonly TrustedFormat[]
  readonly isExit: boolean
  readonly nowMs: number
}

/** Hash that identifies the format of a call: its selector and the form of its arguments. */
const formatOf = ({ selector, leaves }: CallWords): `0x${string}` =>
  // Treat an address like any other 32-byte word. Only a word's value shows whether it is an address, and the format must not depend on values.
  keccak256(stringToHex(`words ${selector} ${leaves.map(({ path, type }) => `${path} ${type === 'bytes' ? 'bytes' : 'word'}`).join(',')}`))

/**
 * Compares a call to an unknown function with the request, by the values of its arguments. null if the calldata does not consist of 32-byte words,
 * so that it cannot be split into arguments.
 */
export function compareUnknownCall(data: string, { facts, wallet, trusted, formats, isExit, nowMs }: Expected): UnknownCall | null {
  const call = readCallWords(data)
  if (call === null) return null
  const formatHash = formatOf(call)
  const pin = formats.find(({ hash }) => hash === formatHash) ?? null
  const wanted = wantedOf(facts, wallet, pin)
  const found = argumentsOf(call.leaves, wanted, pin)
  const questions = wanted.map(({ role, asked, unit, said }): Question<string> => ({ role, asked, unit, unused: false, optional: true, said }))
  const claimed = new Set([...found].filter(([role]) => wanted.some((one) => one.role === role)).flatMap(([, leaves]) => leaves))
  const scaleOf = (kind: 'price' | 'size'): number | null => {
    const read = wanted.flatMap((one) =>
      one.scaled?.kind === kind ? (found.get(one.role) ?? []).map(({ value }) => ({ value, asked: one.scaled?.asked ?? '0' })) : [],
    )
    return read.map(({ value, asked }) => (typeof value === 'bigint' ? matchingScale({ units: value, asked }) : null)).find((scale) => scale !== null) ?? null
  }
  const scales: PinnedScales = {
    ...{ usdcScale: null, leverageScale: null },
    priceScale: pin?.priceScale ?? scaleOf('price'),
    sizeScale: pin?.sizeScale ?? scaleOf('size'),
  }
  const known = { wallet, trusted, nowMs, isExit, variant: facts.ticket.action, reference: pin }
  return {
    formatHash: formatHash,
    lines: [
      ...questions.flatMap((question) => linesOf(question, found.get(question.role) ?? [])),
      ...call.leaves.filter((leaf) => !claimed.has(leaf)).map((leaf) => leftOverLine(leaf, known)),
    ],
    scales,
    format: learnFormat({ leaves: call.leaves, found, questions, scales, before: pin?.format ?? null, variant: facts.ticket.action, nowMs }),
    isHeld: wanted.some(({ role, isCore }) => isCore && found.has(role)),
  }
}

/** The calldata of an undocumented function: the selector, and the arguments as far as the rules of ABI encoding reveal them. */
interface CallWords {
  readonly selector: Hex
  /** The arguments. The path is `arg[0]`, or `arg[1][0]` for an item of a list. */
  readonly leaves: readonly TypedLeaf[]
}

const wordBytes = 32
/** Maximum number of 32-byte words to read. Functions of exchanges have fewer arguments. */
const mostWords = 64

/** Whether a number is probably an address: it fits into 20 bytes, but is larger than any amount or id. */
const isAddressLike = (value: bigint): boolean => value >= 2n ** 120n && value < 2n ** 160n

const leafOf = (path: string, word: Hex): TypedLeaf => {
  const value = hexToBigInt(word)
  return isAddressLike(value)
    ? { path, names: [path], type: 'address', value: getAddress(`0x${word.slice(-40)}`) }
    : { path, names: [path], type: 'word', value }
}

/** Creates a value from bytes: text if the bytes are printable, hex otherwise. */
function bytesLeaf(path: string, bytes: Hex): TypedLeaf {
  const text = bytes === '0x' ? '' : hexToString(bytes)
  return { path, names: [path], type: 'bytes', value: /^[\x20-\x7e]*$/.test(text) ? text : bytes }
}

/**
 * Splits calldata into the selector and the arguments. null if the bytes after the selector are not 32-byte words, or if there are too many words.
 */
function readCallWords(data: string): CallWords | null {
  if (!isHex(data) || data.length < 10 || (data.length - 10) % 64 !== 0) return null
  const count = (data.length - 10) / 64
  if (count > mostWords) return null
  const words = Array.from({ length: count }, (_, index): Hex => `0x${data.slice(10 + 64 * index, 74 + 64 * index)}`)
  const valueAt = (index: number): bigint => hexToBigInt(words[index] ?? '0x0')
  /** Reads a dynamic argument at the position to which its pointer refers: text, bytes, or a list of words. */
  const tailAt = (at: number): { readonly used: number; leaves(path: string): readonly TypedLeaf[] } | null => {
    const length = valueAt(at)
    if (length > BigInt(wordBytes * mostWords)) return null
    const bytes = hexToNumber(words[at] ?? '0x0')
    const used = (bytes + wordBytes - 1 - ((bytes + wordBytes - 1) % wordBytes)) / wordBytes
    const body = `0x${words
      .slice(at + 1, at + 1 + used)
      .map((word) => word.slice(2))
      .join('')}` as const
    if (at + used < count && (bytes === 0 || /^0*$/.test(body.slice(2 + 2 * bytes))))
      return { used: used + 1, leaves: (path) => [bytesLeaf(path, bytes === 0 ? '0x' : slice(body, 0, bytes))] }
    return at + bytes < count
      ? { used: bytes + 1, leaves: (path) => words.slice(at + 1, at + 1 + bytes).map((word, index) => leafOf(`${path}[${index}]`, word)) }
      : null
  }
  const leaves: TypedLeaf[] = []
  let head = count
  const covered = new Set<number>()
  for (let index = 0; index < head; index += 1) {
    const path = `arg[${index}]`
    const value = valueAt(index)
    const at = value % 32n === 0n && value > BigInt(wordBytes * index) && value < BigInt(wordBytes * count) ? hexToNumber(numberToHex(value / 32n)) : null
    const tail = at === null || covered.has(at) ? null : tailAt(at)
    if (at === null || tail === null) {
      leaves.push(leafOf(path, words[index] ?? '0x0'))
      continue
    }
    head = at < head ? at : head
    for (let one = at; one < at + tail.used; one += 1) covered.add(one)
    leaves.push(...tail.leaves(path))
  }
  // No argument refers to these words. Include them anyway, because the contract may use them.
  for (let index = head; index < count; index += 1) if (!covered.has(index)) leaves.push(leafOf(`tail[${index}]`, words[index] ?? '0x0'))
  return { selector: slice(data, 0, 4), leaves }
}
