import { limits } from '../../../shared/api/limits.ts'
import type { ReceiverCheckId } from '../../../shared/ipc/webhooks/receiver-test.ts'
import { corrections, isCorrection, type SampleEvent, type SentEventName, sentEvents, unknownEvent } from '../../../shared/webhooks/events.ts'
import { failed, isTaken, type Judged, judgeTaken, passed } from './check-result.ts'
import type { Attempted, Driver } from './driver.ts'

export interface Check {
  readonly id: ReceiverCheckId
  readonly rule: string
  run(driver: Driver): Promise<Judged>
}

const inTurn = async (events: readonly SampleEvent[], driver: Driver): Promise<Attempted[]> => {
  const all: Attempted[] = []
  for (const event of events) all.push(await driver.deliver(event))
  return all
}

/** The same event as JSON text with other bytes: other spaces, field order and escapes than `JSON.stringify` produces. */
const otherwise = ({ id, type, created_at, data }: SampleEvent) =>
  `{ "data" : ${JSON.stringify({ ...data, ratio: 1 }).replace('"ratio":1', '"ratio": 1.0, "note": "\\u00e9\\/ü"')},\n  "created_at":${created_at}, "type":"${type}","id":"${id}"}\n`

const { attempts } = limits.webhookDelivery

/** The check with one valid delivery. It runs first: if the receiver refuses even this delivery, the other checks prove nothing. */
export const validCheck: Check = {
  id: 'valid',
  rule: 'HOOK-08',
  run: async (driver) => judgeTaken([await driver.deliver(driver.event('order.filled'))]),
}

/** Checks with valid deliveries, which the receiver must answer with 2xx. */
export const takenChecks: readonly Check[] = [
  {
    id: 'event_types',
    rule: 'HOOK-05',
    async run(driver) {
      const types = sentEvents.filter((type) => !isCorrection(type))
      const all = await inTurn(
        types.map((type) => driver.event(type)),
        driver,
      )
      return judgeTaken(all)
    },
  },
  {
    id: 'longest_id',
    rule: 'HOOK-05',
    async run(driver) {
      const event = driver.event('order.accepted')
      const id = `${event.id}_`.padEnd(limits.webhookEventIdLength, 'x').slice(0, limits.webhookEventIdLength)
      return judgeTaken([await driver.deliver({ ...event, id })])
    },
  },
  {
    id: 'raw_bytes',
    rule: 'HOOK-06',
    async run(driver) {
      const event = driver.event('order.filled')
      return judgeTaken([await driver.deliver(event, { body: otherwise(event) })])
    },
  },
  {
    id: 'duplicate',
    rule: 'HOOK-07',
    async run(driver) {
      const event = driver.event('order.filled')
      await driver.deliver(event)
      return judgeTaken([await driver.deliver(event)])
    },
  },
  {
    id: 'retry',
    rule: 'HOOK-08',
    async run(driver) {
      const event = driver.event('position.changed')
      // Send the event again even if the receiver accepted it, because the service also does so if the receiver's answer is lost.
      let last = await driver.once(event)
      do {
        await driver.pause(last.attempt)
        last = await driver.once(event, { attempt: last.attempt + 1 })
      } while (!isTaken(last) && last.attempt < attempts && last.answer.outcome !== 'stopped')
      return isTaken(last) ? passed({ code: 'retry_taken', attempt: last.attempt, of: attempts }) : judgeTaken([last])
    },
  },
  {
    id: 'out_of_order',
    rule: 'HOOK-07',
    async run(driver) {
      // The last two events have the same `created_at`.
      const ages: readonly (readonly [SentEventName, number])[] = [
        ['order.filled', 10],
        ['order.partially_filled', 20],
        ['order.accepted', 20],
      ]
      const all = await inTurn(
        ages.map(([type, agoS]) => driver.event(type, { agoS })),
        driver,
      )
      return judgeTaken(all)
    },
  },
  {
    id: 'correction',
    rule: 'HOOK-07',
    async run(driver) {
      const revoked = driver.event('transaction.confirmed', { agoS: 30 })
      const events = [revoked, ...corrections.map((type) => driver.event(type, { revokes: revoked.id })), driver.event('transaction.confirmed')]
      return judgeTaken(await inTurn(events, driver))
    },
  },
  {
    id: 'unknown_type',
    rule: 'HOOK-05',
    async run(driver) {
      const { answer } = await driver.deliver(driver.event(unknownEvent))
      const status = answer.outcome === 'answered' ? answer.status : null
      return status === null || status >= 500 ? failed({ code: 'unknown_type', status }) : passed({ code: 'unknown_type', status })
    },
  },
  {
    id: 'burst',
    rule: 'HOOK-08',
    async run(driver) {
      const events = sentEvents.filter((type) => !isCorrection(type)).slice(0, 8)
      return judgeTaken(await Promise.all(events.map((type) => driver.deliver(driver.event(type)))))
    },
  },
]
