import { useEffect } from 'react'
import type { Market } from '../../../../shared/ipc/reads/markets.ts'
import { changeTicket, initialTicket, type TicketState } from '../../../../shared/ticket/form/ticket-state.ts'
import { useTicketDrafts } from '../../../parts/drafts/ticket-drafts.tsx'

/** The market to show when the address names none. */
export const useLastMarket = (): number | null => useTicketDrafts((state) => state.last)

export interface TicketDraft {
  readonly ticket: TicketState
  readonly edit: (change: Partial<TicketState>) => void
  /** The payload as it was written by hand; null: it follows the form. */
  readonly payload: string | null
  readonly write: (payload: string | null) => void
}

/** The ticket of a market. It outlives the page, so that leaving Trade for a moment loses nothing that was typed. */
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

/** Before another market is shown: one without a draft of its own starts from that of `market`. */
export function useLeaveFor(market: Market | undefined): (next: Market) => void {
  const drafts = useTicketDrafts((state) => state.byMarket)
  const set = useTicketDrafts((state) => state.change)
  const ticket = (market === undefined ? undefined : drafts[market.id]) ?? initialTicket
  return (next) => set(next.id, (before) => before ?? changeTicket(ticket, { type: 'market', market: next }))
}
