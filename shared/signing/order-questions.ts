import { assumed } from '../api/assumptions.ts'
import { formatDecimal } from '../decimal.ts'
import { flag, Scaled, word } from './answers.ts'
import { type AskedOrder, capital, marginWords, sideWords } from './asked-order.ts'
import type { LayoutPin } from './pins.ts'
import {
  amountText,
  forceQuestion,
  idQuestion,
  marketQuestion,
  postOnlyQuestion,
  priceQuestion,
  type Question,
  slippageQuestion,
  typeQuestion,
} from './question-kinds.ts'
import { leverageScale, priceScale, usdcScale } from './scales.ts'
import type { TypedLeaf } from './typed-data.ts'

export const orderAliases = assumed.orderTypedData.fields
export type OrderRole = keyof typeof orderAliases
export type OrderLeaves = ReadonlyMap<OrderRole, readonly TypedLeaf[]>

/** Everything that an order asks for, in the order in which it is shown. */
export function questions(
  { order, priceDecimals }: { readonly order: AskedOrder; readonly priceDecimals: number | null },
  found: OrderLeaves,
  pin: LayoutPin | null,
): { readonly list: readonly Question<OrderRole>[]; readonly scales: Omit<LayoutPin, 'hash'> } {
  const prices = (['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const).map((role) => ({ role, asked: order[role] }))
  const leavesOf = (role: OrderRole, asked: string | null) => (asked === null ? [] : (found.get(role) ?? []).map((leaf) => ({ leaf, asked })))
  const usdc = new Scaled(usdcScale, pin?.usdcScale ?? null, leavesOf('orderValue', order.orderValueUsdc))
  const price = new Scaled(
    priceScale,
    pin?.priceScale ?? null,
    prices.flatMap(({ role, asked }) => leavesOf(role, asked)),
  )
  const leverage = new Scaled(leverageScale, pin?.leverageScale ?? null, leavesOf('leverage', String(order.leverage)))
  const times = (value: string): string => `${formatDecimal(value)}×`
  const sideFlags = {
    islong: ['long', 'short'],
    long: ['long', 'short'],
    isbuy: ['long', 'short'],
    buy: ['long', 'short'],
    isshort: ['short', 'long'],
    short: ['short', 'long'],
  } as const
  const marginFlags = {
    iscross: ['cross', 'isolated'],
    cross: ['cross', 'isolated'],
    isisolated: ['isolated', 'cross'],
    isolated: ['isolated', 'cross'],
  } as const
  const list: Question<OrderRole>[] = [
    marketQuestion(order),
    { role: 'side', label: 'Side', asked: capital(order.side), unit: null, unused: false, said: word(order.side, sideWords, capital, sideFlags) },
    typeQuestion(order.orderType),
    {
      role: 'orderValue',
      label: 'Order value',
      asked: amountText(order.orderValueUsdc),
      unit: 'USDC',
      unused: false,
      said: usdc.said(order.orderValueUsdc, 'your order', amountText),
    },
    priceQuestion('referencePrice', order.referencePrice, price, priceDecimals),
    priceQuestion('limitPrice', order.limitPrice, price, priceDecimals),
    priceQuestion('triggerPrice', order.triggerPrice, price, priceDecimals),
    slippageQuestion(order.maxSlippageBps),
    {
      role: 'leverage',
      label: 'Leverage',
      asked: times(String(order.leverage)),
      unit: null,
      unused: false,
      said: leverage.said(String(order.leverage), 'your leverage', times),
    },
    {
      role: 'marginMode',
      label: 'Margin',
      asked: capital(order.marginMode),
      unit: null,
      unused: false,
      said: word(order.marginMode, marginWords, capital, marginFlags),
    },
    forceQuestion(order.timeInForce),
    {
      role: 'restIfUnfilled',
      label: 'Rest if unfilled',
      asked: order.restIfUnfilled ? 'Yes' : 'No',
      unit: null,
      unused: order.orderType !== 'market',
      said: flag(order.restIfUnfilled),
    },
    postOnlyQuestion(order.postOnly, order.orderType !== 'limit'),
    priceQuestion('takeProfit', order.takeProfit, price, priceDecimals),
    priceQuestion('stopLoss', order.stopLoss, price, priceDecimals),
    idQuestion('clientOrderId', 'Order id', order.clientOrderId),
  ]
  return { list, scales: { usdcScale: usdc.scale, priceScale: price.scale, leverageScale: leverage.scale, sizeScale: null } }
}
