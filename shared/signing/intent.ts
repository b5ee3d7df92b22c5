import { assumed } from '../api/assumptions.ts'
import { marginModes, orderTypes, sides, timesInForce } from '../api/names/name-words.ts'
import { divide, formatDecimal } from '../decimal.ts'
import { flag, Scaled, word } from './answers.ts'
import type { AskedOrder } from './asked-order.ts'
import { type AskedValue, compareMessage, type MessageExpectation } from './compare-message.ts'
import type { Compared } from './comparison.ts'
import { nearQuestion, sizeOf } from './message/payload.ts'
import { wordsOf } from './message/signing-format.ts'
import type { TypedData, TypedLeaf } from './message/typed-data.ts'
import {
  amountText,
  forceQuestion,
  idQuestion,
  marketQuestion,
  postOnlyQuestion,
  priceQuestion,
  type Question,
  sideQuestion,
  slippageQuestion,
  typeQuestion,
} from './question-kinds.ts'
import { leverageScale, priceScale, sizeScale, usdcScale } from './scales.ts'
import type { PinnedScales, TrustedFormat } from './trust.ts'

export interface IntentExpectation extends MessageExpectation {
  readonly order: AskedOrder
  /** Decimal places of prices in this market, for display. */
  readonly priceDecimals: number | null
}

const prices = ['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const

/** Compares the message to sign for an `open_position` with the requested order. */
export function compareIntent(typedData: TypedData, expectation: IntentExpectation): Compared {
  const { order } = expectation
  const values: readonly AskedValue<OrderRole>[] = [
    { role: 'orderValue', asked: order.orderValueUsdc, kind: 'number' },
    ...prices.map((role): AskedValue<OrderRole> => ({ role, asked: order[role], kind: 'number' })),
    { role: 'maxSlippageBps', asked: order.maxSlippageBps, kind: 'slippage' },
    { role: 'clientOrderId', asked: order.clientOrderId, kind: 'id' },
    { role: 'side', kind: 'words', of: sides },
    { role: 'orderType', kind: 'words', of: orderTypes },
    { role: 'marginMode', kind: 'words', of: marginModes },
    { role: 'timeInForce', kind: 'words', of: timesInForce },
  ]
  return compareMessage<OrderRole>(
    typedData,
    {
      variant: order.orderType,
      deed: 'open',
      isExit: false,
      aliases: orderAliases,
      ask: (found, pin) => questions(expectation, found, pin),
      values,
      core: ['pairId', 'side', 'orderValue'],
      withoutCore: 'not_the_order',
    },
    expectation,
  )
}

const orderAliases = assumed.orderTypedData.fields
type OrderRole = keyof typeof orderAliases
type OrderLeaves = ReadonlyMap<OrderRole, readonly TypedLeaf[]>

/** Lists every requested value together with its value in the message, in display order. */
function questions(
  { order, priceDecimals }: { readonly order: AskedOrder; readonly priceDecimals: number | null },
  found: OrderLeaves,
  pin: TrustedFormat | null,
): { readonly list: readonly Question<OrderRole>[]; readonly scales: PinnedScales } {
  const prices = (['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const).map((role) => ({ role, asked: order[role] }))
  const leavesOf = (role: OrderRole, asked: string | null) => (asked === null ? [] : (found.get(role) ?? []).map((leaf) => ({ leaf, asked })))
  const usdc = new Scaled(usdcScale, pin?.usdcScale ?? null, leavesOf('orderValue', order.orderValueUsdc))
  const price = new Scaled(
    priceScale,
    pin?.priceScale ?? null,
    prices.flatMap(({ role, asked }) => leavesOf(role, asked)),
  )
  const leverage = new Scaled(leverageScale, pin?.leverageScale ?? null, leavesOf('leverage', String(order.leverage)))
  // Calculated values. The message may contain the size and the margin instead of the order value, or in addition.
  const size = nearQuestion<OrderRole>({
    ...{ role: 'size', unit: null, asked: sizeOf(order), noun: 'order', kind: sizeScale },
    ...{ pinned: pin?.sizeScale ?? null, leaves: found.get('size') ?? [], isBacked: found.has('orderValue') },
  })
  const margin = nearQuestion<OrderRole>({
    ...{ role: 'margin', unit: 'USDC', asked: divide(order.orderValueUsdc, String(order.leverage), 6), noun: 'margin' },
    ...{ kind: usdcScale, pinned: usdc.scale, leaves: found.get('margin') ?? [], isBacked: false },
  })
  const times = (value: string): string => `${formatDecimal(value)}×`
  const learnt = (role: string) => wordsOf(pin?.format, role)
  const marginFlags = {
    iscross: ['cross', 'isolated'],
    cross: ['cross', 'isolated'],
    isisolated: ['isolated', 'cross'],
    isolated: ['isolated', 'cross'],
  } as const
  const list: Question<OrderRole>[] = [
    marketQuestion(order),
    sideQuestion(order.side, learnt),
    typeQuestion(order.orderType, learnt),
    {
      role: 'orderValue',
      asked: amountText(order.orderValueUsdc),
      unit: 'USDC',
      unused: false,
      said: usdc.said(order.orderValueUsdc, 'order', amountText),
    },
    priceQuestion('referencePrice', order.referencePrice, price, priceDecimals),
    priceQuestion('limitPrice', order.limitPrice, price, priceDecimals),
    priceQuestion('triggerPrice', order.triggerPrice, price, priceDecimals),
    slippageQuestion(order.maxSlippageBps, pin),
    {
      role: 'leverage',
      asked: times(String(order.leverage)),
      unit: null,
      unused: false,
      said: leverage.said(String(order.leverage), 'leverage', times),
    },
    {
      role: 'marginMode',
      asked: { code: order.marginMode },
      unit: null,
      unused: false,
      said: word({ asked: order.marginMode, of: marginModes, flags: marginFlags, learnt: learnt('marginMode') }),
      word: order.marginMode,
    },
    forceQuestion(order.timeInForce, learnt),
    {
      role: 'restIfUnfilled',
      asked: { code: order.restIfUnfilled ? 'yes' : 'no' },
      unit: null,
      unused: order.orderType !== 'market',
      said: flag(order.restIfUnfilled),
    },
    postOnlyQuestion(order.postOnly, order.orderType !== 'limit'),
    priceQuestion('takeProfit', order.takeProfit, price, priceDecimals),
    priceQuestion('stopLoss', order.stopLoss, price, priceDecimals),
    idQuestion('clientOrderId', order.clientOrderId),
    size.question,
    margin.question,
  ]
  return { list, scales: { usdcScale: usdc.scale, priceScale: price.scale, leverageScale: leverage.scale, sizeScale: size.scale } }
}
