import { expect, test } from 'vitest'
import type { Offers } from '../../../../shared/ipc/host/service.ts'
import { notTaken, ticketNotTaken } from './ticket-model.ts'

const none: Offers = { orderTypes: null, marginModes: null, timesInForce: null, delegated: null, readAtMs: null }

test('the ticket refuses order settings that the exchange does not list and says why; it offers all settings if the exchange publishes no list', () => {
  expect(notTaken('orderTypes', 'stop', undefined)).toBe(null)
  expect(notTaken('orderTypes', 'stop', none)).toBe(null)
  const some: Offers = { ...none, orderTypes: ['market', 'limit'], marginModes: ['cross'], timesInForce: ['gtc', 'ioc'] }
  expect(notTaken('orderTypes', 'stop', some)).toBe('The exchange accepts no stop orders now.')
  expect(notTaken('marginModes', 'isolated', some)).toBe('The exchange accepts no isolated margin now.')
  expect(ticketNotTaken({ orderType: 'limit', marginMode: 'cross', timeInForce: 'gtc' }, some)).toBe(null)
  expect(ticketNotTaken({ orderType: 'limit', marginMode: 'cross', timeInForce: 'fok' }, some)).toBe('The exchange accepts no fill-or-kill orders now.')
  // The exchange does not list the ticket's time in force, but a market order has none.
  expect(ticketNotTaken({ orderType: 'market', marginMode: 'cross', timeInForce: 'fok' }, some)).toBe(null)
})
