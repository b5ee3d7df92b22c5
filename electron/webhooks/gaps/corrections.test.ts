import { expect, test } from 'vitest'
import type { IntentRow } from '../../store/journal/journal.ts'
import { judge } from './corrections.ts'
import { type Captured, marksIn } from './expected.ts'
import { answerOf } from './gap-check.ts'
import type { TakenBack } from './match.ts'

const t0 = 1_800_000_000_000
const nowMs = t0 + 3_600_000
const txHash = `0x${'ab'.repeat(32)}`
const intent = {
  ref: 'in_1',
  title: { code: 'as_written', text: 'Long' },
  symbol: 'BTC-PERP',
  side: 'long',
  intentId: 'dx_000001',
  commandId: null,
  clientOrderId: 'mine-1',
} as IntentRow
const lost = (change: Partial<TakenBack> = {}): TakenBack => ({
  ...{ key: 'in_1/4', fromMs: t0 + 20_000, toMs: t0 + 40_000, beforeMs: null, was: 'transaction.confirmed', txHash, intent, isKnown: true },
  ...change,
})
const event = (id: string, type: string, atMs: number, data: unknown, change: Partial<Captured> = {}): Captured => ({
  ...{ id, type, atMs, isRevoked: false, isCorrection: false, revokedId: null },
  ...marksIn(data),
  ...change,
})
const correction = (id: string, type: string, revokes: string | null, data: unknown = {}): Captured =>
  event(id, type, t0 + 41_000, data, { isCorrection: true, revokedId: revokes })
const filled = event('evt_f', 'order.filled', t0 + 1_000, { tx_hash: txHash })
const confirmed = event('evt_c', 'transaction.confirmed', t0 + 19_000, { tx_hash: txHash })

const judged = (captured: readonly Captured[], takenBack = [lost()], change: Partial<Parameters<typeof judge>[0]> = {}) => {
  const revoked = new Set(captured.map(({ revokedId }) => revokedId))
  return judge({
    ...{ expected: [], takenBack, captured: captured.map((one) => ({ ...one, isRevoked: revoked.has(one.id) })), nowMs },
    ...{ listened: [{ fromMs: t0 - 60_000, toMs: nowMs }], subscribedMs: null, keptFromMs: null, eventsUnknown: false, isDisabled: false },
    goneSince: () => [],
    isSubscribed: () => true,
    ...change,
  })
}
const rows = (of: ReturnType<typeof judge>) =>
  of.rows.map(({ expected, result, why, by, eventId, takesBack }) => [expected.types.join(), takesBack?.id ?? null, why ?? result, by, eventId])

test('after a reorganisation, the gap check expects one correction of the right type for each captured event that it undid [HOOK-07]', () => {
  const all = judged([filled, confirmed, correction('evt_r', 'chain.reorg', 'evt_f'), correction('evt_p', 'transaction.pending', 'evt_c')])
  expect(rows(all)).toEqual([
    ['chain.reorg', 'evt_f', 'captured', 'event', 'evt_r'],
    ['transaction.pending', 'evt_c', 'captured', 'event', 'evt_p'],
  ])
  expect(all.rows[0]?.expected.about).toMatchObject({ intentRef: 'in_1', symbol: 'BTC-PERP', txHash })
  // Only `transaction.pending` corrects `transaction.confirmed`. A `chain.reorg` event does not.
  const half = judged([filled, confirmed, correction('evt_r', 'chain.reorg', 'evt_f'), correction('evt_r2', 'chain.reorg', 'evt_c')])
  expect(rows(half)[1]).toEqual(['transaction.pending', 'evt_c', 'missing', null, null])
  // Even without a correction, the history still explains an event that a reorganisation undid. So the event is not `extra`.
  expect([half.extra, judged([filled, confirmed]).extra]).toEqual([[], []])
  expect(rows(judged([filled, confirmed], [lost()], { nowMs: t0 + 90_000, listened: [{ fromMs: t0, toMs: t0 + 90_000 }] })).map((row) => row[2])).toEqual([
    'due',
    'due',
  ])
})

test('the gap check assigns a correction without an event id to an undone event of that time, unless it names another transaction [HOOK-07]', () => {
  const general = (data: unknown) => rows(judged([filled, confirmed, correction('evt_r', 'chain.reorg', null, data)])).map(([, , ...row]) => row)
  const missing = ['missing', null, null]
  expect(general({})).toEqual([['captured', 'count', 'evt_r'], missing])
  expect(general({ tx_hash: txHash })).toEqual([['captured', 'transaction', 'evt_r'], missing])
  expect(general({ tx_hash: `0x${'cd'.repeat(32)}` })).toEqual([missing, missing])
})

test('the gap check does not report a correction as missing if its original event was never captured or was not final [HOOK-07] [HOOK-09]', () => {
  expect(rows(judged([]))).toEqual([['transaction.pending', null, 'never_delivered', null, null]])
  expect(rows(judged([], [lost({ was: null })]))).toEqual([])
  expect(rows(judged([], [lost({ isKnown: false })]))).toEqual([['transaction.pending', null, 'not_reported', null, null]])
  const named = judged([correction('evt_p', 'transaction.pending', 'evt_gone', { intent: 'DX_000001' })])
  expect(named.rows).toMatchObject([{ result: 'captured', by: 'intent', eventId: 'evt_p', takesBack: { id: 'evt_gone', type: null } }])
  const listened = [{ fromMs: t0 + 60_000, toMs: nowMs }]
  expect(rows(judged([], [lost()], { listened }))[0]?.[2]).toBe('time_unknown')
})

test('the gap check expects only subscribed corrections, and links each captured event to the first reorganisation after it [HOOK-02] [HOOK-07]', () => {
  const only = (...types: string[]) => rows(judged([filled, confirmed], [lost()], { isSubscribed: (type) => types.includes(type) })).map(([type]) => type)
  expect(only('order.filled', 'transaction.confirmed')).toEqual([])
  expect(only('order.filled', 'chain.reorg')).toEqual(['chain.reorg'])
  const again = lost({ key: 'in_1/6', fromMs: t0 + 90_000, toMs: t0 + 95_000, beforeMs: t0 + 40_000 })
  const second = event('evt_c2', 'transaction.confirmed', t0 + 89_000, { tx_hash: txHash })
  expect(rows(judged([confirmed, second], [lost(), again])).map(([, of]) => of)).toEqual(['evt_c', 'evt_c2'])
})

test('the gap check expects no correction if the undone transaction is in the history again, and marks its event as still valid', () => {
  const about = { title: null, symbol: null, side: null, size: null, unit: null, txHash, orderId: null, intentRef: 'in_1' }
  const marks = [{ kind: 'transaction' as const, value: txHash }]
  const final = { key: 'final', types: ['transaction.confirmed' as const], fromMs: t0 + 40_000, toMs: t0 + 70_000, marks, doubt: null, vague: false, about }
  expect(rows(judged([confirmed], [lost()], { expected: [final] }))).toEqual([
    ['transaction.confirmed', null, 'captured', 'transaction', 'evt_c'],
    ['transaction.pending', 'evt_c', 'stands', null, null],
  ])
  // The transaction became final again, and the service sent a second event. So the service also had to correct the first event.
  const anew = event('evt_c2', 'transaction.confirmed', t0 + 69_000, { tx_hash: txHash })
  expect(rows(judged([confirmed, anew], [lost()], { expected: [final] }))).toEqual([
    ['transaction.confirmed', null, 'captured', 'transaction', 'evt_c2'],
    ['transaction.pending', 'evt_c', 'missing', null, null],
  ])
})

test('the gap check counts a captured correction as without a row only if no shown row contains it, and only up to the last reading', () => {
  const early = correction('evt_1', 'chain.reorg', filled.id)
  const late = event('evt_2', 'chain.reorg', t0 + 100_000, {}, { isCorrection: true, revokedId: 'evt_x' })
  const captured = [filled, early, late]
  const source = { host: 'api.example', route: 'versioned', scope: null } as unknown as Parameters<typeof answerOf>[0]['reading']['source']
  const answerAt = (askedMs: number, fromMs: number) =>
    answerOf({
      ...{ judged: judged(captured), captured, webhook: null, spans: [], isSubscribed: () => true, fromMs },
      reading: { rows: { orders: [], trades: [], history: [], transactions: [] } as never, source, askedMs, readMs: askedMs },
    }).corrections
  expect(answerAt(t0 + 50_000, t0)).toEqual({ count: 2, unmatched: 0 })
  expect(answerAt(t0 + 200_000, t0)).toEqual({ count: 2, unmatched: 1 })
  // The row of the early correction is from before the shown period.
  expect(answerAt(t0 + 200_000, t0 + 40_500)).toEqual({ count: 2, unmatched: 2 })
})
