import { expect, test } from 'vitest'
import { initialTicket } from '../../../shared/ticket/form/ticket-state.ts'
import { createTicketDrafts } from './ticket-drafts.tsx'

test('keeps a draft of an order for each market, and applies changes to the values already typed', () => {
  const drafts = createTicketDrafts()
  drafts.getState().change(1, () => ({ ...initialTicket, orderValue: '250' }))
  drafts.getState().change(2, () => initialTicket)
  drafts.getState().change(1, (before = initialTicket) => ({ ...before, side: 'short' }))
  expect(drafts.getState().byMarket[1]).toMatchObject({ orderValue: '250', side: 'short' })
  expect(drafts.getState().byMarket[2]).toEqual(initialTicket)
})

test('keeps a payload that the user edited by hand, per market, until the payload follows the form again', () => {
  const drafts = createTicketDrafts()
  drafts.getState().write(1, '{"pair_id":1}')
  drafts.getState().write(2, '{')
  drafts.getState().write(1, null)
  expect(drafts.getState().payloads).toEqual({ 2: '{' })
})
