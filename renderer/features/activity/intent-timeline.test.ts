import { expect, test } from 'vitest'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { findIntents, requestTone, shortPath, sinceText, type TimelineEntry, timelineRows } from './intent-timeline.ts'

const intent = (state: Intent['state'], more: Partial<Intent> = {}): Intent => ({
  ref: 'r1',
  intentId: 'dx_7Kq2aRt',
  action: 'open_position',
  wallet: '0x7A3f',
  title: { code: 'open', side: 'long', orderType: 'market', orderValueUsdc: '250', price: null, symbol: null },
  pairId: 2,
  symbol: 'ETH-PERP',
  side: 'long',
  way: null,
  state,
  reason: null,
  commandId: null,
  txHash: null,
  confirmations: null,
  finality: null,
  createdAtMs: 1_000,
  updatedAtMs: 1_000,
  deadlineMs: null,
  unsentSignature: false,
  ...more,
})

const entries = (...states: TimelineEntry['state'][]): TimelineEntry[] => states.map((state, index) => ({ state, atMs: 1_000 + index * 100, note: null }))

test('the timeline labels an event after an intent’s end “Afterwards”, and shows the explanation stored with that event', () => {
  const late = { state: 'EXPIRED', atMs: 9_000, note: { code: 'reason', reason: { code: 'signature_too_late' } } } as const
  const rows = timelineRows(intent('EXPIRED'), [...entries('PREPARED', 'EXPIRED'), late])
  expect(rows.map(({ word, note }) => [word, note]).at(-1)).toEqual([
    'Afterwards',
    'The signature arrived after the deadline. The app discarded it and sent nothing.',
  ])
  expect(rows.at(-2)?.word).toBe('Expired')
})

test('the timeline shows a request that the wallet did not approve as “Not approved”, never as a passed “Prepared”', () => {
  const marksOf = (state: Intent['state'], ...states: TimelineEntry['state'][]) =>
    timelineRows(intent(state), entries(...states)).map(({ word, mark }) => `${mark}: ${word}`)
  const expired = marksOf('EXPIRED', 'PREPARED', 'ASKED', 'PREPARED', 'EXPIRED')
  expect(expired.slice(2)).toEqual(['bad: Not approved', 'bad: Expired'])
  expect(expired[0]).toBe('done: Prepared')
  expect(marksOf('PREPARED', 'PREPARED', 'ASKED', 'PREPARED')[2]).toBe('now: Not approved')
})

test('the timeline of a deposit does not call its approved first step “Not approved” when the second step follows', () => {
  const steps = entries('PREPARED', 'ASKED', 'PREPARED', 'ASKED', 'SUBMITTED')
  const rows = timelineRows(intent('SUBMITTED', { way: 'transactions' }), steps)
  expect(rows.slice(0, 3).map(({ word, mark }) => `${mark}: ${word}`)).toEqual(['done: Prepared', 'done: On your phone', 'done: Prepared'])
})

test('the timeline shows a transaction that the wallet did not send as “Not approved”, also as the second step of a deposit', () => {
  const notSent = { state: 'PREPARED', atMs: 9_000, note: { code: 'said', text: 'unreachable' } } as const
  const marksOf = (...timeline: TimelineEntry[]) =>
    timelineRows(intent('PREPARED', { way: 'transactions' }), timeline)
      .filter(({ mark }) => mark !== 'next')
      .map(({ word, mark }) => `${mark}: ${word}`)
  expect(marksOf(...entries('PREPARED', 'ASKED'), notSent)).toEqual(['done: Prepared', 'done: On your phone', 'now: Not approved'])
  expect(marksOf(...entries('PREPARED', 'ASKED', 'PREPARED', 'ASKED'), notSent, ...entries('ASKED')).slice(2)).toEqual([
    'done: Prepared',
    'done: On your phone',
    'bad: Not approved',
    'now: On your phone',
  ])
})

test('the timeline shows a signature that the relay did not accept as “Not relayed”, never as a passed “Signed”', () => {
  const rows = timelineRows(intent('SENT'), entries('SIGNED', 'SENT', 'SIGNED', 'SENT')).filter(({ mark }) => mark !== 'next')
  expect(rows.map(({ word, mark }) => `${mark}: ${word}`)).toEqual(['done: Signed', 'done: Sent', 'bad: Not relayed', 'now: Sent'])
})

test('the timeline lists upcoming steps after past ones, with exactly one active step', () => {
  const rows = timelineRows(intent('CONFIRMING', { confirmations: 5 }), entries('PLANNED', 'PREPARED', 'CONFIRMING'))
  expect(rows.map((row) => [row.state, row.mark])).toEqual([
    ['PLANNED', 'done'],
    ['PREPARED', 'done'],
    ['CONFIRMING', 'now'],
    ['FINAL', 'next'],
  ])
  expect(rows[2]?.word).toBe('Confirming, 5 of 8')
})

test('the timeline lists no upcoming steps for an intent whose outcome is unknown [FLOW-07]', () => {
  const rows = timelineRows(intent('UNKNOWN'), entries('PLANNED', 'SENT', 'UNKNOWN'))
  expect(rows.at(-1)).toMatchObject({ state: 'UNKNOWN', mark: 'lost' })
})

test('the timeline marks the last event as failed if the intent ended without success', () => {
  expect(timelineRows(intent('EXPIRED'), entries('PLANNED', 'EXPIRED')).at(-1)?.mark).toBe('bad')
  expect(timelineRows(intent('FINAL'), entries('PLANNED', 'FINAL')).map((row) => row.mark)).toEqual(['done', 'done'])
})

test('the activity search finds intents by market, id and state', () => {
  const all = [intent('FINAL'), intent('UNKNOWN', { symbol: 'SOL-PERP', intentId: null })]
  expect(findIntents(all, 'sol')).toHaveLength(1)
  expect(findIntents(all, 'dx_7kq')).toHaveLength(1)
  expect(findIntents(all, 'unknown')).toHaveLength(1)
  expect(findIntents(all, ' ')).toHaveLength(2)
})

test('the activity search finds a final limit order by the word “Placed”, which the activity list shows for that order', () => {
  const resting = { code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '250', price: '2510.00', symbol: null } as const
  const placed = intent('FINAL', { title: resting })
  expect(findIntents([intent('FINAL'), placed, intent('CONFIRMING', { title: resting })], 'placed')).toEqual([placed])
})

test('the timeline formats short durations in ms and longer ones in seconds or minutes', () => {
  expect([-22, 84, 11_200, 185_000].map(sinceText)).toEqual(['+0 ms', '+84 ms', '+11.2 s', '+3 min 5 s'])
})

test('the activity shortens ids in request paths, and colours responses by the class of their status', () => {
  expect(shortPath('/api/dex/v1/native/executions/0x6be1f04c83a9d27e')).toBe('/native/executions/0x6be1…')
  const toneOf = (status: number | null, outcome: string, endpoint = 'GET /account') => requestTone({ status, outcome, endpoint })
  expect([toneOf(200, 'ok'), toneOf(429, 'http_429'), toneOf(503, 'http_503'), toneOf(null, 'reset')]).toEqual(['ok', 'warn', 'danger', 'danger'])
  const off = 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED'
  expect([toneOf(503, off, 'GET /stream'), toneOf(503, off)]).toEqual(['neutral', 'danger'])
})

test('the timeline shows a description of the intent’s state instead of a bare code from the service, such as “signature_ready”', () => {
  const [plain, word] = timelineRows(intent('REFUSED', { reason: { code: 'contract_pending' } }), [
    { state: 'PREPARED', atMs: 1_000, note: { code: 'found', state: 'prepared' } },
    { state: 'REFUSED', atMs: 1_100, note: { code: 'said', text: 'signature_ready' } },
  ])
  expect(plain?.note).toBe('Found: prepared')
  expect(word?.note).toBe('Stopped before anything was executed')
})
