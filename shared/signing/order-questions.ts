import { assumed } from '../api/assumptions.ts'
import { formatDecimal, fromUnits } from '../decimal.ts'
import { type Answer, bpsText, differ, exactText, flag, market, match, nothing, ratioRemark, Scaled, word } from './answers.ts'
import { type AskedOrder, capital, forceText, forceWords, marginWords, sideWords, typeWords } from './asked-order.ts'
import { leafText } from './comparison.ts'
import type { LayoutPin } from './pins.ts'
import { leverageScale, priceScale, usdcScale } from './scales.ts'
import type { TypedLeaf } from './typed-data.ts'

export const orderAliases = assumed.orderTypedData.fields
export type OrderRole = keyof typeof orderAliases
export type OrderLeaves = ReadonlyMap<OrderRole, readonly TypedLeaf[]>

/** One thing that was asked for, and how to read what a message says of it. */
export interface Question {
  readonly role: OrderRole
  readonly label: string
  readonly asked: string
  readonly unit: string | null
  /** Nothing was asked for here: an empty value says the same, and a message without the field too. */
  readonly unused: boolean
  readonly said: Answer
}

/** Everything that an order asks for, in the order in which it is shown. */
export function questions(
  { order, priceDecimals }: { readonly order: AskedOrder; readonly priceDecimals: number | null },
  found: OrderLeaves,
  pin: LayoutPin | null,
): { readonly list: readonly Question[]; readonly scales: Omit<LayoutPin, 'hash'> } {
  const prices = (['referencePrice', 'limitPrice', 'triggerPrice', 'takeProfit', 'stopLoss'] as const).map((role) => ({ role, asked: order[role] }))
  const leavesOf = (role: OrderRole, asked: string | null) => (asked === null ? [] : (found.get(role) ?? []).map((leaf) => ({ leaf, asked })))
  const usdc = new Scaled(usdcScale, pin?.usdcScale ?? null, leavesOf('orderValue', order.orderValueUsdc))
  const price = new Scaled(
    priceScale,
    pin?.priceScale ?? null,
    prices.flatMap(({ role, asked }) => leavesOf(role, asked)),
  )
  const leverage = new Scaled(leverageScale, pin?.leverageScale ?? null, leavesOf('leverage', String(order.leverage)))

  const amount = (value: string): string => formatDecimal(value, { minDecimals: 2 })
  const priceText = (value: string): string => formatDecimal(value, { minDecimals: priceDecimals ?? 0 })
  const labels = {
    referencePrice: 'Reference price',
    limitPrice: 'Limit price',
    triggerPrice: 'Trigger price',
    takeProfit: 'Take profit',
    stopLoss: 'Stop loss',
  } as const
  const priceQuestion = (role: keyof typeof labels): Question => {
    const asked = order[role]
    const base = { role, label: labels[role], unit: null }
    if (asked === null)
      return { ...base, asked: 'None', unused: true, said: nothing((units) => priceText(fromUnits(units, price.scale ?? priceScale.fallback))) }
    return { ...base, asked: priceText(asked), unused: false, said: price.said(asked, `your ${labels[role].toLowerCase()}`, priceText) }
  }
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
  const slippage = order.maxSlippageBps
  const list: Question[] = [
    { role: 'pairId', label: 'Market', asked: order.symbol ?? `Market ${order.pairId}`, unit: null, unused: false, said: market(order) },
    { role: 'side', label: 'Side', asked: capital(order.side), unit: null, unused: false, said: word(order.side, sideWords, capital, sideFlags) },
    { role: 'orderType', label: 'Type', asked: capital(order.orderType), unit: null, unused: false, said: word(order.orderType, typeWords, capital) },
    {
      role: 'orderValue',
      label: 'Order value',
      asked: amount(order.orderValueUsdc),
      unit: 'USDC',
      unused: false,
      said: usdc.said(order.orderValueUsdc, 'your order', amount),
    },
    priceQuestion('referencePrice'),
    priceQuestion('limitPrice'),
    priceQuestion('triggerPrice'),
    slippage === null
      ? { role: 'maxSlippageBps', label: 'Slippage', asked: 'None', unit: null, unused: true, said: nothing() }
      : {
          role: 'maxSlippageBps',
          label: 'Slippage',
          asked: `At most ${bpsText(String(slippage))}`,
          unit: null,
          unused: false,
          said: (leaf) => {
            if (typeof leaf.value !== 'bigint') return differ(leafText(leaf))
            const said = leaf.value.toString()
            return said === String(slippage)
              ? match(`At most ${bpsText(said)}`)
              : differ(`At most ${bpsText(said)}`, ratioRemark(String(slippage), said, 'your slippage'))
          },
        },
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
    {
      role: 'timeInForce',
      label: 'Time in force',
      asked: forceText[order.timeInForce],
      unit: null,
      unused: false,
      said: word(order.timeInForce, forceWords, (force) => forceText[force]),
    },
    {
      role: 'restIfUnfilled',
      label: 'Rest if unfilled',
      asked: order.restIfUnfilled ? 'Yes' : 'No',
      unit: null,
      unused: order.orderType !== 'market',
      said: flag(order.restIfUnfilled),
    },
    { role: 'postOnly', label: 'Post only', asked: order.postOnly ? 'Yes' : 'No', unit: null, unused: order.orderType !== 'limit', said: flag(order.postOnly) },
    priceQuestion('takeProfit'),
    priceQuestion('stopLoss'),
    { role: 'clientOrderId', label: 'Order id', asked: order.clientOrderId, unit: null, unused: false, said: exactText(order.clientOrderId) },
  ]
  return { list, scales: { usdcScale: usdc.scale, priceScale: price.scale, leverageScale: leverage.scale } }
}
