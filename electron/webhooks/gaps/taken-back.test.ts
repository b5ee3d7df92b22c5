import { expect, test } from 'vitest'
import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { noteOf } from '../../../shared/ipc/intents/reasons.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'
import { takenBackOf } from './match.ts'

const takenBack = noteOf({ code: 'taken_back' })
const approvalTakenBack = noteOf({ code: 'approval_taken_back' })
const hashOf = (n: number) => `0x${String(n).padStart(64, '0')}`
// This intent contains only the fields that `takenBackOf` reads.
const intent = { ref: 'in_1', txHash: hashOf(1) } as IntentRow
const transaction = (n: number, askedAtMs: number, receipt: TransactionRow['receipt'] = 'reported') =>
  ({ txHash: hashOf(n), askedAtMs, receipt }) as TransactionRow
/**
 * Parses a timeline, written as `STATE time, …`. After a time, `!` means that a reorganisation undid the transaction; `?` means that it undid only
 * the approval.
 */
const of = (steps: string, transactions: readonly TransactionRow[] = []) =>
  takenBackOf(
    intent,
    steps.split(', ').map((step) => {
      const [state = '', at = ''] = step.split(' ')
      return { state: state as IntentState, atMs: Number.parseInt(at, 10), note: at.endsWith('!') ? takenBack : at.endsWith('?') ? approvalTakenBack : null }
    }),
    transactions,
  ).map(({ key, fromMs, toMs, was, txHash, beforeMs, isKnown }) => [key, fromMs, toMs, was, Number(txHash), beforeMs, isKnown])

test('the gap check finds every reorganisation that undid a transaction in an intent’s timeline, and the time of the reorganisation before it [FLOW-06] [HOOK-07]', () => {
  expect(of('PLANNED 1, SUBMITTED 2, CONFIRMING 3, FINAL 4')).toEqual([])
  expect(of('CONFIRMING 3, FINAL 4, CONFIRMING 9!, FINAL 12, SUBMITTED 20!')).toEqual([
    ['in_1/2', 4, 9, 'transaction.confirmed', 1, null, true],
    ['in_1/4', 12, 20, 'transaction.confirmed', 1, 9, true],
  ])
  expect(of('CONFIRMING 3, SUBMITTED 5')).toEqual([['in_1/1', 3, 5, null, 1, null, true]])
  expect(of('REVERTED 3, CONFIRMING 5')).toEqual([['in_1/1', 3, 5, 'transaction.reverted', 1, null, true]])
  // A repeated state only adds a note to the timeline. A change to or from UNKNOWN doesn't prove a reorganisation.
  expect(of('CONFIRMING 3, CONFIRMING 5, REVERTED 6')).toEqual([])
  expect(of('FINAL 3, UNKNOWN 5')).toEqual([])
})

test('the gap check attributes each timeline step to the transaction requested last, or to the earlier approval if the step’s note names that approval [HOOK-09]', () => {
  const both = [transaction(1, 10), transaction(2, 20, 'refused')]
  expect(of('PREPARED 12, ASKED 15!, FINAL 30, CONFIRMING 40', both)).toEqual([
    ['in_1/1', 12, 15, null, 1, null, true],
    ['in_1/3', 30, 40, 'transaction.confirmed', 2, null, false],
  ])
  expect(of('PREPARED 12, ASKED 15', both)).toEqual([])
  // Three timelines in which a reorganisation undid the approval. The deposit was final, not yet final, or not sent.
  expect(of('CONFIRMING 25, FINAL 30, FINAL 40?, SUBMITTED 41!', both)).toEqual([
    ['in_1/2', 30, 40, 'transaction.confirmed', 1, null, true],
    ['in_1/3', 30, 41, 'transaction.confirmed', 2, null, false],
  ])
  expect(of('CONFIRMING 25, CONFIRMING 40?, SUBMITTED 41', both)).toMatchObject([
    ['in_1/1', 25, 40, null, 1, null, true],
    ['in_1/2', 25, 41, null, 2, null, false],
  ])
  expect(of('PREPARED 12, EXPIRED 15, EXPIRED 40?', both.slice(0, 1))).toEqual([['in_1/2', 15, 40, null, 1, null, true]])
})
