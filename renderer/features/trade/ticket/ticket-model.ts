import { useEffect } from 'react'
import { limits } from '../../../../shared/api/limits.ts'
import { add, compare, divide, formatDecimal, maximum, minimum, multiply, percentOf, signOf, subtract } from '../../../../shared/decimal.ts'
import type { Offers } from '../../../../shared/ipc/host/service.ts'
import type { AccountSummary } from '../../../../shared/ipc/reads/account.ts'
import type { Market, MarketSummary } from '../../../../shared/ipc/reads/markets.ts'
import { changeTicket, initialTicket, sizeInUnit, type TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import type { SizeFacts, SizeUnit } from '../../../../shared/ticket/order-size.ts'
import { minute } from '../../../../shared/time.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { useTicketDrafts } from '../../../parts/drafts/ticket-drafts.tsx'
import { tradeText } from '../../../text/en/trade.en.tsx'

/** The maximum order value: free margin times leverage, but at most the market's maximum order. `null` if unknown. */
export function mostOpenable(account: AccountSummary | undefined, market: Market, leverage: string): string | null {
  const free = account?.freeMargin ?? null
  if (free === null || !/^[1-9]\d{0,3}$/.test(leverage.trim())) return null
  const most = maximum('0', multiply(free, leverage.trim()))
  return market.maxOrderUsdc === null ? most : minimum(most, market.maxOrderUsdc)
}

/** The slider's position for an order value: whole percent of the maximum, from 0 to 100. */
export function shareOf(value: string | null, most: string | null): number {
  if (value === null || most === null || signOf(most) <= 0 || signOf(value) <= 0) return 0
  const share = percentOf(value, most, 1) ?? '0'
  return Number(minimum(share, '100'))
}

/** The order value at the slider's position, with two decimals. Rounded down, so that it never exceeds the maximum. */
export const valueAtShare = (percent: number, most: string): string => divide(multiply(most, String(Math.round(percent))), '100', 2, 'down')

/** The size at the slider's position, in the unit in which the user types. */
export function sizeAtShare(percent: number, most: string, unit: SizeUnit, facts: SizeFacts): string {
  const value = valueAtShare(percent, most)
  if (signOf(value) === 0) return ''
  const { freeMargin, leverage } = facts
  // A share of the free margin is not rounded down: 25 % must stay 25 %, and not become 24.99 %.
  if (unit === 'free_margin' && freeMargin !== null && signOf(freeMargin) > 0 && leverage !== null)
    return divide(multiply(value, '100'), multiply(freeMargin, leverage.toString()), 2)
  return sizeInUnit(value, 'usdc', unit, facts)
}

export interface BeforeAfter {
  readonly before: string | null
  readonly after: string | null
}

/** The app's estimate of the free margin before and after the order. The service's own numbers come with the prepared order. */
export function freeMargin(account: AccountSummary | undefined, margin: string | null): BeforeAfter {
  const before = account?.freeMargin ?? null
  return { before, after: before === null || margin === null ? null : subtract(before, margin) }
}

/** Share of the equity used as margin, in percent, before and after the order. */
export function marginUsed(account: AccountSummary | undefined, margin: string | null): BeforeAfter {
  const before = account?.marginUsedPercent ?? null
  const equity = account?.equity ?? null
  if (before === null || equity === null || margin === null || compare(equity, '0') <= 0) return { before, after: null }
  const more = percentOf(margin, equity, 2)
  return { before, after: more === null ? null : add(before, more) }
}

/** The button's text: "Review long, 250.00 USDC", or "Review long" without an amount. */
export function reviewWords(side: 'long' | 'short', value: string | null): string {
  return value === null ? tradeText.reviewOrder(side) : tradeText.reviewOrderOf(side, cents(value))
}

/** Formats USDC with two decimals. An amount that would round to zero keeps all its digits. */
export const cents = (amount: string): string =>
  formatDecimal(amount, signOf(amount) !== 0 && signOf(divide(amount, '1', 2)) === 0 ? { minDecimals: 2 } : { decimals: 2 })

/**
 * Until when a market order may use this price, in Unix ms by the service's clock: until it is 8 s old (open_position, `reference_price`). The age
 * counts from the price's timestamp or, if the price has none, from the time of the read. `null` if there is no usable price.
 */
export const freshUntil = (summary: Pick<MarketSummary, 'mark' | 'priceAtMs'> | undefined, readAtMs: number | null): number | null => {
  const atMs = summary?.priceAtMs ?? readAtMs
  return summary?.mark != null && signOf(summary.mark) > 0 && atMs !== null ? atMs + limits.priceAgeMs : null
}

type Kind = 'orderTypes' | 'marginModes' | 'timesInForce'

const notTakenTexts: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  orderTypes: { market: tradeText.noMarketOrders, limit: tradeText.noLimitOrders, stop: tradeText.noStopOrders },
  marginModes: { cross: tradeText.noCrossMargin, isolated: tradeText.noIsolatedMargin },
  timesInForce: { gtc: tradeText.noGtcOrders, ioc: tradeText.noIocOrders, fok: tradeText.noFokOrders },
}

/**
 * Why a choice, such as an order type, is unavailable: the exchange publishes a list of what it accepts, and this choice is not on it.
 * `null` if the choice is available, or if the exchange publishes no list.
 */
export function notTaken(kind: Kind, value: string, offers: Offers | undefined): string | null {
  const taken = offers?.[kind] ?? null
  return taken === null || taken.includes(value) ? null : (notTakenTexts[kind][value] ?? tradeText.notAccepted(value))
}

/** Why the exchange would refuse a setting on the ticket; `null` if it accepts all settings. Ignores the time in force of a market order. */
export const ticketNotTaken = (
  { orderType, marginMode, timeInForce }: Pick<TicketState, 'orderType' | 'marginMode' | 'timeInForce'>,
  offers: Offers | undefined,
) =>
  notTaken('orderTypes', orderType, offers) ??
  notTaken('marginModes', marginMode, offers) ??
  (orderType === 'market' ? null : notTaken('timesInForce', timeInForce, offers))

/** The order settings, such as order types, that the exchange states it accepts (Versioning 3). */
export const useOffers = (): Offers | undefined => useIpcQuery('service.offers', {}, { every: minute }).data

/** The market that the user viewed last. Shown again if the page's address names no market. */
export const useLastMarket = (): number | null => useTicketDrafts((state) => state.last)

export interface TicketDraft {
  readonly ticket: TicketState
  readonly edit: (change: Partial<TicketState>) => void
  /** The payload that the user wrote by hand; `null` while it follows the form. */
  readonly payload: string | null
  readonly write: (payload: string | null) => void
}

/** A market's draft ticket. Stored outside the page, so that the typed text remains when the user leaves the page. */
export function useTicketDraft(market: Market): TicketDraft {
  const drafts = useTicketDrafts((state) => state.byMarket)
  const set = useTicketDrafts((state) => state.change)
  const payload = useTicketDrafts((state) => state.payloads[market.id] ?? null)
  const write = useTicketDrafts((state) => state.write)
  const look = useTicketDrafts((state) => state.look)
  const ticket = drafts[market.id] ?? initialTicket
  useEffect(() => look(market.id), [look, market.id])
  return {
    ticket,
    edit: (change) => set(market.id, (before = initialTicket) => changeTicket(before, { type: 'edit', change })),
    payload,
    write: (text) => write(market.id, text),
  }
}

/**
 * Returns a function to call before the page shows another market. If that market has no draft ticket, the function copies this market's draft to
 * it.
 */
export function useLeaveFor(market: Market | undefined): (next: Market) => void {
  const drafts = useTicketDrafts((state) => state.byMarket)
  const set = useTicketDrafts((state) => state.change)
  const ticket = (market === undefined ? undefined : drafts[market.id]) ?? initialTicket
  return (next) => set(next.id, (before) => before ?? changeTicket(ticket, { type: 'market', market: next }))
}
