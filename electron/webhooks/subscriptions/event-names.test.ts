import { expect, test } from 'vitest'
import { corrections, eventGroups, eventNames, isSent, sampleEvent, sentEvents } from '../../../shared/webhooks/events.ts'
import { names } from '../../practice/exchange/stream/lifecycle.ts'
import { samples } from '../../practice/hooks/serve-hooks.ts'

test('the app’s event list matches exactly the events that the practice exchange accepts and sends [HOOK-02]', () => {
  expect([...names].toSorted()).toEqual([...eventNames].toSorted())
  expect(Object.keys(samples).toSorted()).toEqual([...sentEvents].toSorted())
})

test('the app’s event list names each event once, in one group', () => {
  expect(eventGroups.flatMap(({ events }) => events.map(({ name }) => name)).toSorted()).toEqual([...eventNames].toSorted())
})

test('the app treats an undocumented webhook event type as unknown; the sample of this type contains no data except the sample flag', () => {
  expect([isSent('order.expired'), isSent('liquidation.warning'), isSent('toString')]).toEqual([false, false, false])
  expect(sampleEvent('sample.unknown', { id: 'evt_1', createdAtS: 7 })).toEqual({ id: 'evt_1', type: 'sample.unknown', created_at: 7, data: { sample: true } })
  expect(corrections.every(isSent)).toBe(true)
})
