import { expect, test } from 'vitest'
import { initialTicket } from '../../../shared/ticket/form/ticket-state.ts'
import { createTicketDrafts } from './ticket-drafts.tsx'

test('the app keeps a separate order draft for each market; changing one field of a draft keeps the values in its other fields', () => {
  const drafts = createTicketDrafts()
  drafts.getState().change(1, () => ({ ...initialTicket, orderValue: '250' }))
  drafts.getState().change(2, () => initialTicket)
  drafts.getState().change(1, (before = initialTicket) => ({ ...before, side: 'short' }))
  expect(drafts.getState().byMarket[1]).toMatchObject({ orderValue: '250', side: 'short' })
  expect(drafts.getState().byMarket[2]).toEqual(initialTicket)
})

test('the ticket keeps an order payload that the user edited by hand, separately for each market, until the payload follows the form again', () => {
  const drafts = createTicketDrafts()
  drafts.getState().write(1, '{"pair_id":1}')
  drafts.getState().write(2, '{')
  drafts.getState().write(1, null)
  expect(drafts.getState().payloads).toEqual({ 2: '{' })
})
