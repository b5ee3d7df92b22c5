import { expect, test } from 'vitest'
import { initialTicket } from '../../shared/ticket/ticket-state.ts'
import { createTicketDrafts } from './ticket-drafts.tsx'

test('each market keeps its own draft, and a change builds on what was typed before', () => {
  const drafts = createTicketDrafts()
  drafts.getState().change(1, () => ({ ...initialTicket, orderValue: '250' }))
  drafts.getState().change(2, () => initialTicket)
  drafts.getState().change(1, (before = initialTicket) => ({ ...before, side: 'short' }))
  expect(drafts.getState().byMarket[1]).toMatchObject({ orderValue: '250', side: 'short' })
  expect(drafts.getState().byMarket[2]).toEqual(initialTicket)
})
