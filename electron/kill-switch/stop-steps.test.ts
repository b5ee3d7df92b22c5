import { expect, test } from 'vitest'
import type { BulkActionStep } from '../../shared/ipc/intents/kill-switch.ts'
import type { IntentRow } from '../store/journal/journal.ts'
import { isGone, type OpenAccount, settleStep, stepsOf } from './stop-steps.ts'

const step: BulkActionStep = {
  id: 'close/p',
  kind: 'close',
  subject: 'p',
  title: { code: 'close', of: { side: 'long', symbol: 'BTC-PERP', pairId: 1 }, size: null, limitPrice: null },
  state: 'sent',
  detail: null,
  ref: 'r',
  txHash: null,
  atMs: null,
}
const intent = (state: IntentRow['state']) => ({ state, reason: null, txHash: '0x1', confirmations: 3, updatedAtMs: 5 }) as IntentRow
const nothing: OpenAccount = { orders: [], ordersCut: null, positions: [], positionsUnread: false }
const held = { orders: [], positions: [{ id: 'p' }] } as unknown as OpenAccount

test('a kill switch close is done once its order is final and the position is gone, and has failed if part of the position remains open [ORD-05]', () => {
  expect(settleStep(step, intent('FINAL'), nothing, 1_000)).toMatchObject({ state: 'done', txHash: '0x1' })
  // The order is final, but one second later the service still lists the position. The service's list may lag, so the step must not fail yet.
  expect(settleStep(step, intent('FINAL'), held, 1_000)).toMatchObject({ state: 'sent', detail: { code: 'final_still_listed' } })
  expect(settleStep(step, intent('FINAL'), held, 60_000)).toMatchObject({ state: 'failed', detail: { code: 'final_part_left' } })
  expect(settleStep(step, intent('FINAL'), null, 60_000)).toMatchObject({ state: 'sent' })
})

test.each([
  ['ASKED', 'asking'],
  ['SUBMITTED', 'sent'],
  ['CONFIRMING', 'sent'],
  ['UNKNOWN', 'unknown'],
  ['REVERTED', 'failed'],
  ['EXPIRED', 'failed'],
  ['CANCELLED', 'failed'],
] as const)('for an order with the state %s, the kill switch shows the step of that order as %s', (of, state) => {
  expect(settleStep(step, intent(of), nothing, 1_000).state).toBe(state)
})

test('a kill switch step returns to waiting if its order was never saved; a step that has ended does not change', () => {
  expect(settleStep({ ...step, state: 'asking', ref: null }, null, null, 1_000).state).toBe('waiting')
  expect(settleStep({ ...step, state: 'skipped' }, intent('FINAL'), nothing, 1_000).state).toBe('skipped')
})

test('the kill switch does not count a position as closed if some positions could not be read and it may be one of them', () => {
  expect(isGone(nothing, step)).toBe(true)
  expect(isGone({ ...nothing, positionsUnread: true }, step)).toBe(false)
  expect(stepsOf({ ...nothing, positionsUnread: true }, 'close_all')).toMatchObject([{ kind: 'close', state: 'failed' }])
})
