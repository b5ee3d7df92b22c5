import { type AmountFormat, formatDecimal } from '../decimal.ts'
import type { Named, Title } from '../ipc/intents/titles.ts'
import { catalogue, plural } from './catalogue.ts'

export const titleWords = catalogue('titles', {
  market: (pairId: number) => `market ${pairId}`,
  longOn: (market: string) => `the long on ${market}`,
  shortOn: (market: string) => `the short on ${market}`,
  order: 'the order',
  orderOn: (market: string) => `the order on ${market}`,
  longOrder: 'the long order',
  longOrderOn: (market: string) => `the long order on ${market}`,
  shortOrder: 'the short order',
  shortOrderOn: (market: string) => `the short order on ${market}`,
  openLong: (value: string, at: string) => `Long ${value} USDC ${at}`,
  openShort: (value: string, at: string) => `Short ${value} USDC ${at}`,
  openIn: (order: string, market: string) => `${order}, ${market}`,
  atMarket: 'at market',
  atLimit: (price: string) => `at limit ${price}`,
  atStop: (price: string) => `at stop ${price}`,
  close: (position: string, at: string) => `Close ${position} ${at}`,
  closePart: (size: string, position: string, at: string) => `Close ${size} of ${position} ${at}`,
  invert: (position: string) => `Invert ${position} at market`,
  setBoth: (position: string, takeProfit: string, stopLoss: string) => `Set TP ${takeProfit} and SL ${stopLoss} for ${position}`,
  setTakeProfit: (position: string, price: string) => `Set the take profit of ${position} to ${price}`,
  setStopLoss: (position: string, price: string) => `Set the stop loss of ${position} to ${price}`,
  clearBoth: (position: string) => `Clear the take profit and stop loss of ${position}`,
  clearTakeProfit: (position: string) => `Clear the take profit of ${position}`,
  clearStopLoss: (position: string) => `Clear the stop loss of ${position}`,
  setTakeProfitClearStopLoss: (position: string, price: string) => `Set TP ${price} and clear the stop loss of ${position}`,
  setStopLossClearTakeProfit: (position: string, price: string) => `Set SL ${price} and clear the take profit of ${position}`,
  increase: (value: string, position: string) => `Add ${value} USDC to ${position}`,
  reduce: (size: string, position: string) => `Reduce ${position} by ${size}`,
  addMargin: (amount: string, position: string) => `Add ${amount} USDC of margin to ${position}`,
  takeMargin: (amount: string, position: string) => `Remove ${amount} USDC of margin from ${position}`,
  leverage: (position: string, leverage: number) => `Set ${position} to ${leverage}×`,
  cancel: (order: string) => `Cancel ${order}`,
  replace: (order: string) => `Change ${order}`,
  deposit: (amount: string, token: string) => `Deposit ${amount} ${token}`,
  withdraw: (amount: string, token: string) => `Withdraw ${amount} ${token}`,
  batch: (actions: number) => plural(actions, { one: 'Batch of 1 action', other: `Batch of ${actions} actions` }),
  payment: (amount: string, label: string) => `Execution payment of ${amount} USDC for ${label}`,
})

const marketOf = ({ symbol, pairId }: Named): string | null => symbol ?? (pairId === null ? null : titleWords.market(pairId))

function orderOf(of: Named): string {
  const market = marketOf(of)
  if (of.side === null) return market === null ? titleWords.order : titleWords.orderOn(market)
  if (market === null) return of.side === 'long' ? titleWords.longOrder : titleWords.shortOrder
  return (of.side === 'long' ? titleWords.longOrderOn : titleWords.shortOrderOn)(market)
}

/** Returns a position's name for a title, for example "the long on BTC-PERP". Positions always have a side and a market. */
const positionOf = (of: Named): string => (of.side === 'short' ? titleWords.shortOn : titleWords.longOn)(marketOf(of) ?? '')

function tpslText({ of, takeProfit: tp, stopLoss: sl }: Extract<Title, { readonly code: 'tpsl' }>): string {
  const position = positionOf(of)
  if (sl === undefined) return tp == null ? titleWords.clearTakeProfit(position) : titleWords.setTakeProfit(position, tp)
  if (tp === undefined) return sl === null ? titleWords.clearStopLoss(position) : titleWords.setStopLoss(position, sl)
  if (tp === null) return sl === null ? titleWords.clearBoth(position) : titleWords.setStopLossClearTakeProfit(position, sl)
  return sl === null ? titleWords.setTakeProfitClearStopLoss(position, tp) : titleWords.setBoth(position, tp, sl)
}

/**
 * Returns the title of an intent, for example "Close the long on BTC-PERP at market". `amount`: the format for values and sizes, which may hide
 * them.
 */
export function titleText(title: Title, amount: AmountFormat = formatDecimal): string {
  const usdc = (value: string): string => amount(value, { minDecimals: 2 })
  switch (title.code) {
    case 'open': {
      const at = title.price === null ? titleWords.atMarket : (title.orderType === 'stop' ? titleWords.atStop : titleWords.atLimit)(title.price)
      const order = (title.side === 'long' ? titleWords.openLong : titleWords.openShort)(usdc(title.orderValueUsdc), at)
      return title.symbol === null ? order : titleWords.openIn(order, title.symbol)
    }
    case 'close': {
      const at = title.limitPrice === null ? titleWords.atMarket : titleWords.atLimit(title.limitPrice)
      return title.size === null ? titleWords.close(positionOf(title.of), at) : titleWords.closePart(amount(title.size), positionOf(title.of), at)
    }
    case 'invert':
      return titleWords.invert(positionOf(title.of))
    case 'tpsl':
      return tpslText(title)
    case 'increase':
      return titleWords.increase(usdc(title.orderValueUsdc), positionOf(title.of))
    case 'reduce':
      return titleWords.reduce(amount(title.size), positionOf(title.of))
    case 'add_margin':
      return titleWords.addMargin(usdc(title.amountUsdc), positionOf(title.of))
    case 'take_margin':
      return titleWords.takeMargin(usdc(title.amountUsdc), positionOf(title.of))
    case 'leverage':
      return titleWords.leverage(positionOf(title.of), title.leverage)
    case 'cancel':
      return titleWords.cancel(orderOf(title.of))
    case 'replace':
      return titleWords.replace(orderOf(title.of))
    case 'deposit':
      return titleWords.deposit(usdc(title.amount), title.token)
    case 'withdraw':
      return titleWords.withdraw(usdc(title.amount), title.token)
    case 'batch':
      return titleWords.batch(title.actions)
    case 'payment':
      return titleWords.payment(usdc(title.amountUsdc), title.label)
    case 'as_written':
      return title.text
  }
}
