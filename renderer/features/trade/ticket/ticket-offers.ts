import type { Offers } from '../../../../shared/ipc/host/service.ts'
import type { TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import { minute } from '../../../../shared/time.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'

type Kind = 'orderTypes' | 'marginModes' | 'timesInForce'

const names: Readonly<Record<Kind, Readonly<Record<string, string>>>> = {
  orderTypes: { market: 'market orders', limit: 'limit orders', stop: 'stop orders' },
  marginModes: { cross: 'cross margin', isolated: 'isolated margin' },
  timesInForce: { gtc: 'orders that are good till cancelled', ioc: 'immediate-or-cancel orders', fok: 'fill-or-kill orders' },
}

/** Why a choice cannot be made: the exchange tells what it takes, and this is not among it. null: it can, or it tells nothing. */
export function notTaken(kind: Kind, value: string, offers: Offers | undefined): string | null {
  const taken = offers?.[kind] ?? null
  return taken === null || taken.includes(value) ? null : `The exchange takes no ${names[kind][value] ?? value} now.`
}

/** The same of a whole ticket. A market order has no time in force to choose. */
export const ticketNotTaken = (
  { orderType, marginMode, timeInForce }: Pick<TicketState, 'orderType' | 'marginMode' | 'timeInForce'>,
  offers: Offers | undefined,
) =>
  notTaken('orderTypes', orderType, offers) ??
  notTaken('marginModes', marginMode, offers) ??
  (orderType === 'market' ? null : notTaken('timesInForce', timeInForce, offers))

/** What the exchange publishes that it takes (Versioning 3). */
export const useOffers = (): Offers | undefined => useDeskQuery('service.offers', {}, { every: minute }).data
