import { expect, test } from 'vitest'
import { corrections, eventGroups, eventNames, isSent, sampleEvent, sentEvents } from '../../../shared/webhooks/events.ts'
import { names } from '../../practice/exchange/stream/lifecycle.ts'
import { samples } from '../../practice/hooks/serve-hooks.ts'

test('takes and sends on the practice exchange exactly the events the app knows [HOOK-02]', () => {
  expect([...names].toSorted()).toEqual([...eventNames].toSorted())
  expect(Object.keys(samples).toSorted()).toEqual([...sentEvents].toSorted())
})

test('describes each event once, in one group', () => {
  expect(eventGroups.flatMap(({ events }) => events.map(({ name }) => name)).toSorted()).toEqual([...eventNames].toSorted())
})

test('treats a type outside the document as unknown, with a sample that says nothing else', () => {
  expect([isSent('order.expired'), isSent('liquidation.warning'), isSent('toString')]).toEqual([false, false, false])
  expect(sampleEvent('sample.unknown', { id: 'evt_1', createdAtS: 7 })).toEqual({ id: 'evt_1', type: 'sample.unknown', created_at: 7, data: { sample: true } })
  expect(corrections.every(isSent)).toBe(true)
})
