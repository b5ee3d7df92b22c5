import { expect, test } from 'vitest'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { nextFlow, type SigningEvent, type SigningFlow, startFlow } from './signing-flow.ts'

const intent = (state: Intent['state'], updatedAtMs: number, confirmations: number | null = null): Intent => ({
  ref: 'r1',
  intentId: 'dx_1',
  action: 'open_position',
  wallet: '0x7A3f000000000000000000000000000000000c91',
  title: 'Long 250.00 USDC at market',
  pairId: 1,
  symbol: 'BTC-PERP',
  side: 'long',
  way: null,
  state,
  reason: null,
  commandId: null,
  txHash: null,
  confirmations,
  finality: null,
  createdAtMs: 0,
  updatedAtMs,
  deadlineMs: null,
  unsentSignature: false,
})

const play = (...events: SigningEvent[]): SigningFlow => events.reduce(nextFlow, startFlow(1, 2))

test('the whole way keeps the time of each step, and later looks do not move them', () => {
  const flow = play(
    { type: 'sending' },
    { type: 'asked', atMs: 2 },
    { type: 'signed', atMs: 3 },
    { type: 'followed', intent: intent('SUBMITTED', 4) },
    { type: 'followed', intent: intent('CONFIRMING', 5, 3) },
    { type: 'followed', intent: intent('FINAL', 6, 8) },
    { type: 'followed', intent: intent('FINAL', 9, 9) },
  )
  expect(flow.phase).toMatchObject({ kind: 'followed', intent: { state: 'FINAL' } })
  expect(flow.times).toEqual({ preparedAtMs: 1, askedAtMs: 2, signedAtMs: 3, afterMs: [4, 6] })
})

test('what main wants confirmed first keeps the comparison on screen [FLOW-02]', () => {
  const flow = play({ type: 'sending' }, { type: 'ask_failed', failure: { kind: 'confirmation_required', what: 'layout', expected: 'sign this layout' } })
  expect(flow.phase).toMatchObject({ kind: 'review', busy: false, failure: { what: 'layout' } })
})

test('a deadline that passed while asking leads to preparing again, not to asking again [ORD-12]', () => {
  const flow = play({ type: 'sending' }, { type: 'ask_failed', failure: { kind: 'expired', what: 'intent', atMs: 5 } })
  expect(flow.phase).toEqual({ kind: 'stopped', stop: { kind: 'too_late' }, again: 'prepare' })
})

test('a late approval after "Send again" still counts', () => {
  const flow = play({ type: 'asked', atMs: 2 }, { type: 'stopped', stop: { kind: 'request_expired' }, again: 'send' }, { type: 'signed', atMs: 7 })
  expect(flow.phase.kind).toBe('waiting')
  expect(flow.times.signedAtMs).toBe(7)
})

test('a final intent that the chain takes back is followed again [FLOW-06]', () => {
  const flow = play({ type: 'followed', intent: intent('FINAL', 6, 8) }, { type: 'followed', intent: intent('CONFIRMING', 7, 1) })
  expect(flow.phase).toMatchObject({ kind: 'followed', intent: { state: 'CONFIRMING' } })
  expect(flow.times.afterMs[1]).toBeNull()
})

test('a rejection that comes after the relay took it changes nothing', () => {
  const flow = play({ type: 'followed', intent: intent('SUBMITTED', 4) }, { type: 'stopped', stop: { kind: 'rejected' }, again: 'send' })
  expect(flow.phase.kind).toBe('followed')
})
