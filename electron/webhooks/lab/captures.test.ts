import { array, assert, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { signedHeaders } from '../verifier/delivery.ts'
import { verifyDelivery } from '../verifier/verify.ts'
import { type Captures, createCaptures } from './captures.ts'

const secret = 'svc_whsec_0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const nowMs = 1_800_000_010_000

interface Sent {
  readonly id: string
  readonly createdAt?: number
  readonly revokes?: string
  readonly type?: string
  readonly note?: string
  readonly by?: string
}
function send(captures: Captures, { id, createdAt = 1_800_000_000, revokes, type = 'order.filled', note = '', by = secret }: Sent) {
  const body = Buffer.from(JSON.stringify({ id, type, created_at: createdAt, data: { note }, ...(revokes === undefined ? {} : { revoked_event_id: revokes }) }))
  const delivery = { headers: signedHeaders({ id, type, body, secret: by, timestampS: nowMs / 1_000 }), body }
  return captures.add({ atMs: nowMs, delivery, verdict: verifyDelivery(delivery, { secret, nowMs }) })
}
const ids = (captures: Captures) => captures.events().map(({ id }) => id)

test('the receiver lab groups the deliveries of one event as attempts, and shows the outcome of each attempt [HOOK-07]', () => {
  const captures = createCaptures()
  const first = send(captures, { id: 'evt_1' })
  const second = send(captures, { id: 'evt_1' })
  const third = send(captures, { id: 'evt_1', note: 'other bytes' })
  expect([first.kind, second.kind, third.kind]).toEqual(['new', 'duplicate', 'duplicate'])
  second.note({ answered: { status: 500, delayMs: 0, ms: 1, sent: true } })
  if (first.kind === 'new') first.note({ forwarded: { outcome: 'answered', status: 204, ms: 7 } })
  first.note({ answered: { status: 200, delayMs: 0, ms: 1, sent: false } })
  expect(captures.events()).toMatchObject([
    {
      number: 1,
      id: 'evt_1',
      attemptCount: 3,
      attempts: [
        { number: 1, by: 'sender', atMs: nowMs, same: true, answered: { status: 200, sent: false }, forwarded: { status: 204 } },
        { number: 2, by: 'sender', same: true, answered: { status: 500 }, forwarded: null },
        { number: 3, by: 'sender', same: false, answered: null, forwarded: null },
      ],
    },
  ])
  expect(captures.counts()).toMatchObject({ deliveries: 3, events: 1, duplicates: 2, refused: 0 })
})

test('the receiver lab sorts events by created_at, and by arrival within the same second [HOOK-07]', () => {
  assert(
    property(array(integer({ min: 0, max: 5 }), { maxLength: 60 }), (seconds) => {
      const captures = createCaptures()
      for (const [at, createdAt] of seconds.entries()) send(captures, { id: `evt_${at}`, createdAt })
      const expected = seconds.map((createdAt, at) => ({ createdAt, at })).sort((a, b) => a.createdAt - b.createdAt || a.at - b.at)
      expect(ids(captures)).toEqual(expected.map(({ at }) => `evt_${at}`))
    }),
  )
})

test('the receiver lab links a correction and its event in both directions, whichever arrives first, as long as it stores both [HOOK-07]', () => {
  const captures = createCaptures({ events: 3 })
  send(captures, { id: 'evt_1' })
  send(captures, { id: 'evt_9', type: 'transaction.pending', revokes: 'evt_1' })
  send(captures, { id: 'evt_8', type: 'transaction.pending', revokes: 'evt_2' })
  expect(captures.event('evt_9')).toMatchObject({ revokes: { id: 'evt_1', captured: true }, revokedBy: [] })
  expect(captures.event('evt_8')).toMatchObject({ revokes: { id: 'evt_2', captured: false } })
  expect(captures.event('evt_1')).toMatchObject({ revokes: null, revokedBy: ['evt_9'] })
  send(captures, { id: 'evt_2' })
  expect(captures.event('evt_2')).toMatchObject({ revokedBy: ['evt_8'] })
  expect(captures.event('evt_8')).toMatchObject({ revokes: { id: 'evt_2', captured: true } })
  expect(captures.event('evt_9')).toMatchObject({ revokes: { id: 'evt_1', captured: false } })
  send(captures, { id: 'evt_3' })
  send(captures, { id: 'evt_4' })
  expect(captures.event('evt_2')).toMatchObject({ revokedBy: [] })
  expect(captures.counts()).toMatchObject({ events: 3, corrections: 2, droppedEvents: 3 })
})

test('in the receiver lab, an unverified delivery never joins, hides or revokes a verified one, whichever arrives first [HOOK-06] [HOOK-07]', () => {
  const captures = createCaptures({ unverified: 2 })
  const forged = { id: 'evt_1', by: 'svc_whsec_other', note: 'forged' }
  expect(send(captures, forged)).toMatchObject({ kind: 'unverified', failed: { step: 'signature' } })
  expect(captures.event('evt_1')).toBeNull()
  send(captures, { id: 'evt_1' })
  send(captures, forged)
  send(captures, { ...forged, id: 'evt_9', type: 'transaction.pending', revokes: 'evt_1' })
  expect(captures.event('evt_1')).toMatchObject({ attemptCount: 1, revokedBy: [] })
  expect(String(captures.event('evt_1')?.delivery.body)).not.toContain('forged')
  for (let n = 0; n < 50; n += 1) send(captures, { ...forged, id: `evt_x${n}` })
  expect(ids(captures)).toEqual(['evt_1'])
  expect(captures.unverified()).toHaveLength(2)
  expect(captures.counts()).toMatchObject({ refused: 53, unverified: 2, droppedUnverified: 51, droppedEvents: 0 })
})

test('the receiver lab limits the number and bytes of refused deliveries, and drops the oldest of them first, but never an event [V15]', () => {
  const captures = createCaptures({ unverified: 10, bytes: 10_000 })
  send(captures, { id: 'evt_1' })
  const forge = (n: number, length: number) => send(captures, { id: `evt_f${n}`, by: 'svc_whsec_other', note: 'x'.repeat(length) })
  for (let n = 0; n < 100; n += 1) forge(n, 3_000)
  const held = captures.unverified()
  expect(held.length).toBeGreaterThan(0)
  expect(held.reduce((sum, { delivery }) => sum + delivery.body.length, 0)).toBeLessThanOrEqual(10_000)
  expect(String(held.at(-1)?.delivery.body)).toContain('evt_f99')
  for (let n = 0; n < 100; n += 1) forge(n, 1)
  expect(captures.unverified()).toHaveLength(10)
  expect(captures.counts()).toMatchObject({ events: 1, refused: 200, unverified: 10, droppedUnverified: 190, droppedEvents: 0 })
})

test('the receiver lab keeps at most 10,000 events and a limited number of bytes, and inserts each event quickly [HOOK-07]', () => {
  const captures = createCaptures()
  const delivery = { headers: {}, body: Uint8Array.of(1) }
  const startedAt = performance.now()
  for (let n = 0; n < 12_000; n += 1) {
    const event = { id: `evt_${n}`, type: 'order.filled', createdAt: (n * 7_919) % 10_007, data: {}, revokedEventId: n % 3 === 0 ? `evt_${n - 1}` : null }
    captures.add({ atMs: n, delivery, verdict: { valid: true, event } })
  }
  const took = performance.now() - startedAt
  expect(captures.counts()).toMatchObject({ deliveries: 12_000, events: 10_000, droppedEvents: 2_000 })
  const kept = captures.events()
  expect(kept.map(({ createdAt }) => createdAt)).toEqual(kept.map(({ createdAt }) => createdAt).toSorted((a, b) => a - b))
  expect(Math.min(...kept.map(({ number }) => number))).toBe(2_001)
  expect(captures.events(100, 103)).toEqual(kept.slice(100, 103))
  // The limit is far above the usual time. A lab that sorts all events on every insert would exceed it on any machine.
  expect(took).toBeLessThan(2_000)

  const small = createCaptures({ bytes: 1_000, attempts: 3 })
  for (let n = 0; n < 20; n += 1) send(small, { id: `evt_${n}`, note: 'x'.repeat(100) })
  expect(small.counts().events).toBeLessThan(5)
  expect(small.event('evt_19')).not.toBeNull()
  for (let n = 0; n < 6; n += 1) send(small, { id: 'evt_19', note: 'x'.repeat(100) })
  expect(small.event('evt_19')).toMatchObject({ attemptCount: 7, attempts: [{ number: 5 }, { number: 6 }, { number: 7 }] })
})
