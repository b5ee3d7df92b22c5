import { hexToString, isHex } from 'viem'
import type { WordClass } from '../api/names/name-words.ts'
import { changePercent, compare, decimalsOf, divide, equals, formatDecimal, isZero, multiply, parseDecimal, signOf } from '../decimal.ts'
import type { Against, LineCode, LineValue, Remark } from '../ipc/intents/comparison-lines.ts'
import { sameId } from '../same-id.ts'
import type { AskedOrder } from './asked-order.ts'
import { leafValue } from './comparison.ts'
import { isEmptyValue, type WordsOf } from './message/signing-format.ts'
import type { TypedLeaf } from './message/typed-data.ts'
import { readScaled, type ScaledReading, type ScaleKind } from './scales.ts'
import { integerText } from './wording.ts'

/** The result of comparing one value of the message with the request: the value for display, and whether it matches. */
export interface Said {
  readonly value: LineValue
  readonly verdict: 'match' | 'differ' | 'unmatched'
  readonly remark?: Remark | null
  readonly code?: LineCode
}

/** Compares one value of the message with the request. */
export type Answer = (leaf: TypedLeaf) => Said

export const differ = (value: LineValue, remark: Remark | null = null): Said => ({ value, verdict: 'differ', remark })
export const match = (value: LineValue): Said => ({ value, verdict: 'match' })

/** Returns a word such as `long` as text. The message may encode it in 32 bytes, padded with zeros. */
export const writtenWord = (written: string): string => (isHex(written) && written.length === 66 ? hexToString(written, { size: 32 }) : written).trim()

/** Normalises a market name, so that `BTC-PERP`, `btc_perp` and `BTCPERP` become equal. */
const plainWord = (written: string): string =>
  writtenWord(written)
    .toLowerCase()
    .replace(/[\s_-]/g, '')

/** The ticket's fields whose value is a word, such as the side (`long`). In comparison lines, the code of such a value is the same word. */
export type TicketWord = AskedOrder['side' | 'orderType' | 'marginMode' | 'timeInForce']

interface Words<W extends TicketWord> {
  readonly asked: W
  readonly of: WordClass<W>
  /**
   * Message fields that contain a boolean (or 0 and 1) instead of a word. Each field has two words: the meaning of true, then the meaning of false.
   */
  readonly flags?: Readonly<Record<string, readonly [W, W]>>
  /** The numbers that represent words in this signing format, with their meanings. The user has confirmed these. */
  readonly learnt: WordsOf
}

/**
 * Returns the word that a number represents in a field such as the side. null: the user has not confirmed a meaning, and several words are possible.
 */
function wordOfNumber<W extends TicketWord>(leaf: TypedLeaf, { asked, of, learnt: learntIn }: Words<W>): string | null {
  const [said, learnt] = [String(leaf.value), learntIn(leaf)]
  if (Object.hasOwn(learnt, said)) return learnt[said] ?? null
  const agreed = new Set(Object.values(learnt))
  // The user has confirmed another number for the requested word, so this number must mean a different word.
  if (agreed.has(asked)) return ''
  const open = new Set<string>(of.meanings.filter((each) => !agreed.has(each)))
  return open.size === 1 ? asked : null
}

/**
 * Compares a word such as `long`, in any spelling. A boolean or number counts as a word if the field's name implies its meaning, or if the user has
 * confirmed its meaning before.
 */
export function word<W extends TicketWord>(given: Words<W>): Answer {
  const { asked, of, flags = {} } = given
  const isWord = (meant: string): meant is W => of.meanings.some((each) => each === meant)
  const judged = (meant: W): Said => (meant === asked ? match({ code: meant }) : differ({ code: meant }))
  const said = (meant: string, written: LineValue): Said => (isWord(meant) ? judged(meant) : differ(written, { code: 'not_this_number' }))
  return (leaf) => {
    const name = (leaf.names.at(-1) ?? '').replaceAll('_', '').toLowerCase()
    const pair = Object.hasOwn(flags, name) ? flags[name] : undefined
    const flagged = leaf.value === true || leaf.value === 1n ? 0 : leaf.value === false || leaf.value === 0n ? 1 : null
    if (pair !== undefined && flagged !== null) return judged(pair[flagged])
    if (typeof leaf.value !== 'string') {
      const meant = wordOfNumber(leaf, given)
      return meant === null
        ? { value: leafValue(leaf), verdict: 'unmatched', remark: { code: 'number_unknown' }, code: 'number' }
        : said(meant, leafValue(leaf))
    }
    const meant = of(writtenWord(leaf.value))
    return meant === undefined ? differ(leafValue(leaf)) : judged(meant)
  }
}

export const flag =
  (asked: boolean): Answer =>
  (leaf) => {
    const said = typeof leaf.value === 'boolean' ? leaf.value : leaf.value === 1n ? true : leaf.value === 0n ? false : null
    if (said === null) return differ(leafValue(leaf))
    const shown: LineValue = { code: said ? 'yes' : 'no' }
    return said === asked ? match(shown) : differ(shown)
  }

/** Compares an id in the message with the requested id. Each may be a number, text, hex or 32 bytes. */
export const id =
  (asked: string): Answer =>
  (leaf) =>
    sameId(leaf.value, asked) ? match(asked) : differ(leafValue(leaf))

export const pairValue = ({ pairId, symbol }: Pick<AskedOrder, 'pairId' | 'symbol'>): LineValue => ({ code: 'pair', pairId: String(pairId), symbol })

export const market =
  (order: Pick<AskedOrder, 'pairId' | 'symbol'>): Answer =>
  (leaf) => {
    if (sameId(leaf.value, order.pairId)) return match(pairValue(order))
    if (order.symbol !== null && typeof leaf.value === 'string' && plainWord(leaf.value) === plainWord(order.symbol)) return match(order.symbol)
    return differ(typeof leaf.value === 'bigint' ? { code: 'pair', pairId: String(leaf.value), symbol: null } : leafValue(leaf))
  }

export const bpsText = (bps: string): string => `${formatDecimal(divide(bps, '100', 6), { minDecimals: 2 })} %`

/** How much the signed value differs: "10 times your order", "1/4 of your order", "0.5% more than your order". */
export function ratioRemark(asked: string, signed: string, of: Against): Remark | null {
  if (isZero(asked) || signOf(signed) <= 0) return null
  const larger = compare(signed, asked) > 0
  const times = larger ? divide(signed, asked, 6) : divide(asked, signed, 6)
  const exact = larger ? equals(signed, multiply(asked, times)) : equals(asked, multiply(signed, times))
  if (exact && decimalsOf(times) === 0 && compare(times, '1') > 0) return { code: 'ratio', is: larger ? 'times' : 'part', by: times, of }
  if (larger && compare(times, '10') >= 0) return { code: 'ratio', is: 'more_times', by: divide(signed, asked, 0, 'down'), of }
  const percent = changePercent(asked, signed, 2)
  return percent === null || isZero(percent) ? null : { code: 'ratio', is: larger ? 'more' : 'less', by: percent.replace('-', ''), of }
}

/**
 * Compares all integers of one kind in a message, such as its prices. First finds the number of decimals (scale) that they share, because a message
 * uses one scale per kind.
 */
export class Scaled {
  readonly scale: number | null
  readonly #readings = new Map<TypedLeaf, ScaledReading>()

  constructor(kind: ScaleKind, pinned: number | null, values: readonly { readonly leaf: TypedLeaf; readonly asked: string }[]) {
    const integers = values.flatMap(({ leaf, asked }) => (typeof leaf.value === 'bigint' && !isZero(asked) ? [{ leaf, units: leaf.value, asked }] : []))
    const { scale, readings } = readScaled(integers, kind, pinned)
    this.scale = scale
    for (const [index, reading] of readings.entries()) {
      const leaf = integers[index]?.leaf
      if (leaf !== undefined) this.#readings.set(leaf, reading)
    }
  }

  said(asked: string, noun: Against, show: (value: string) => string): Answer {
    return (leaf) => {
      if (typeof leaf.value === 'string') {
        const written = parseDecimal(leaf.value)
        if (written === null) return differ(leafValue(leaf))
        return equals(written, asked) ? match(show(written)) : differ(show(written), ratioRemark(asked, written, noun))
      }
      const reading = this.#readings.get(leaf)
      if (reading === undefined) return differ(leafValue(leaf))
      if (reading.matches) return match(show(reading.reading))
      if (reading.ambiguous !== null) return { ...differ(show(reading.ambiguous), { code: 'two_scales' }), code: 'two_scales' }
      return differ(show(reading.reading), ratioRemark(asked, reading.reading, noun))
    }
  }
}

/** Checks that a value of the message is empty, because the user requested none. `show` formats a number for display. */
export const nothing =
  (show: (units: bigint) => string = integerText): Answer =>
  (leaf) => {
    if (isEmptyValue(leaf.value)) return match({ code: 'none' })
    return differ(typeof leaf.value === 'bigint' ? show(leaf.value) : leafValue(leaf), { code: 'unasked' })
  }
