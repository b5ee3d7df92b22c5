import { orderTypes, sides, timesInForce } from '../api/names/name-words.ts'
import { equals, formatDecimal, fromUnits } from '../decimal.ts'
import type { ComparisonLine, LineValue } from '../ipc/intents/comparison-lines.ts'
import type { TimeInForce } from '../ipc/intents/tickets.ts'
import { type Answer, bpsText, differ, flag, id, market, match, nothing, pairValue, ratioRemark, type Scaled, word } from './answers.ts'
import type { AskedOrder } from './asked-order.ts'
import { leafValue } from './comparison.ts'
import { isEmptyValue, type WordsOf } from './message/signing-format.ts'
import type { TypedLeaf } from './message/typed-data.ts'
import { priceScale, slippageOf } from './scales.ts'
import type { TrustedFormat } from './trust.ts'

/** A requested value, and how to compare the value in the message with it. */
export interface Question<Role extends string> {
  readonly role: Role
  readonly asked: LineValue
  readonly unit: string | null
  /** true: the order does not use this value, so the message must omit it or leave it empty. */
  readonly unused: boolean
  readonly said: Answer
  /** true: the message may omit this value. If the message contains it, it must match the request. */
  readonly optional?: boolean
  /** The requested word, if the message may represent the value by a number. */
  readonly word?: string
  /** Returns the scale (number of decimals) of this value in the message. Set only if the scale is independent of other values. */
  readonly scaleOf?: (leaf: TypedLeaf) => number | null
  /** true: a message without this value always needs confirmation, even if the message only ends risk. */
  readonly needed?: boolean
}

/** Returns the words that numbers represent for a role such as the side, as the user confirmed them (`wordsOf`). */
type LearntWords = (role: string) => WordsOf

/** Most functions in this file create a `Question`, which compares one requested value, such as the market or the side, with the message to sign. */

export const amountText = (value: string): string => formatDecimal(value, { minDecimals: 2 })

export const marketQuestion = (of: Pick<AskedOrder, 'pairId' | 'symbol'>): Question<'pairId'> => ({
  role: 'pairId',
  asked: of.symbol ?? pairValue(of),
  unit: null,
  unused: false,
  said: market(of),
})

const sideFlags = {
  islong: ['long', 'short'],
  long: ['long', 'short'],
  isbuy: ['long', 'short'],
  buy: ['long', 'short'],
  isshort: ['short', 'long'],
  short: ['short', 'long'],
  issell: ['short', 'long'],
} as const

export const sideQuestion = (side: AskedOrder['side'], learnt: LearntWords): Question<'side'> => ({
  role: 'side',
  asked: { code: side },
  unit: null,
  unused: false,
  said: word({ asked: side, of: sides, flags: sideFlags, learnt: learnt('side') }),
  word: side,
})

export const typeQuestion = (orderType: AskedOrder['orderType'], learnt: LearntWords): Question<'orderType'> => ({
  role: 'orderType',
  asked: { code: orderType },
  unit: null,
  unused: false,
  said: word({ asked: orderType, of: orderTypes, learnt: learnt('orderType') }),
  word: orderType,
})

/** Creates the `Question` that compares the max slippage with the message. `pin`: the accepted signing format; null if none. */
export function slippageQuestion(asked: number | null, pin: Pick<TrustedFormat, 'format'> | null): Question<'maxSlippageBps'> {
  const part = { role: 'maxSlippageBps', unit: null } as const
  if (asked === null) return { ...part, asked: { code: 'none' }, unused: true, said: nothing() }
  const pinned = pin === null ? null : (pin.format?.fields.find(({ role }) => role === 'maxSlippageBps')?.scale ?? 4)
  const most = String(asked)
  return {
    ...part,
    asked: { code: 'at_most', value: bpsText(most) },
    unused: false,
    said: (leaf) => {
      const found = slippageOf(leaf, most, pinned)
      if (found === null) return differ(leafValue(leaf))
      const value: LineValue = { code: 'at_most', value: bpsText(found.bps) }
      return equals(found.bps, most) ? match(value) : differ(value, ratioRemark(most, found.bps, 'slippage'))
    },
    scaleOf: (leaf) => slippageOf(leaf, most, pinned)?.scale ?? null,
  }
}

export const forceQuestion = (force: TimeInForce, learnt: LearntWords): Question<'timeInForce'> => ({
  role: 'timeInForce',
  asked: { code: force },
  unit: null,
  unused: false,
  said: word({ asked: force, of: timesInForce, learnt: learnt('timeInForce') }),
  word: force,
})

export const postOnlyQuestion = (postOnly: boolean, unused: boolean): Question<'postOnly'> => ({
  role: 'postOnly',
  asked: { code: postOnly ? 'yes' : 'no' },
  unit: null,
  unused,
  said: flag(postOnly),
})

export const idQuestion = <Role extends string>(role: Role, asked: string): Question<Role> => ({
  role,
  asked,
  unit: null,
  unused: false,
  said: id(asked),
})

export type PriceRole = 'referencePrice' | 'limitPrice' | 'triggerPrice' | 'takeProfit' | 'stopLoss'

/**
 * Creates the `Question` that compares a price with the message. `asked` null: the message must not contain this price. `decimals`: decimal places of
 * a price in the market, for display.
 */
export function priceQuestion<Role extends PriceRole>(role: Role, asked: string | null, price: Scaled, decimals: number | null): Question<Role> {
  const show = (value: string): string => formatDecimal(value, { minDecimals: decimals ?? 0 })
  if (asked === null)
    return { role, unit: null, asked: { code: 'none' }, unused: true, said: nothing((units) => show(fromUnits(units, price.scale ?? priceScale.fallback))) }
  return { role, unit: null, asked: show(asked), unused: false, said: price.said(asked, role, show) }
}

/** Returns a copy of a `Question` that also accepts an empty value in the message. */
export const orEmpty = <Role extends string>(question: Question<Role>): Question<Role> => ({
  ...question,
  said: (leaf) => (isEmptyValue(leaf.value) ? match(question.asked) : question.said(leaf)),
})

/** Returns the comparison lines for one requested value. If a message contains the value several times, each copy gets a line. */
export function linesOf<Role extends string>(question: Question<Role>, leaves: readonly TypedLeaf[]): readonly ComparisonLine[] {
  const base = { asked: question.asked, unit: question.unit, group: 'order' } as const
  if (leaves.length === 0) {
    const unsaid = { ...base, id: question.role, signed: null, field: null, verdict: 'unmatched', remark: null } as const
    return question.unused || question.optional === true ? [] : [question.needed === true ? { ...unsaid, code: 'needed' } : unsaid]
  }
  return leaves.map((leaf, index) => {
    const said = question.said(leaf)
    // Each copy of the value has its own line, so a single wrong copy blocks the message.
    return {
      ...base,
      id: index === 0 ? question.role : `${question.role}.${index + 1}`,
      signed: said.value,
      field: leaf.path,
      verdict: said.verdict,
      remark: said.remark ?? null,
      ...(said.code === undefined ? {} : { code: said.code }),
    }
  })
}

/** Combines all fields that the order does not use and that are empty into one line. */
export function foldUnused(lines: readonly { readonly line: ComparisonLine; readonly unused: boolean }[]): readonly ComparisonLine[] {
  const folded = lines.filter(({ line, unused }) => unused && line.verdict === 'match').map(({ line }) => line.field)
  const kept = lines.filter(({ line, unused }) => !unused || line.verdict !== 'match').map(({ line }) => line)
  if (folded.length === 0) return kept
  return [
    ...kept,
    {
      id: 'unused',
      asked: { code: 'nothing' },
      signed: { code: 'nothing' },
      unit: null,
      field: folded.join(', '),
      verdict: 'match',
      remark: null,
      group: 'order',
    },
  ]
}
