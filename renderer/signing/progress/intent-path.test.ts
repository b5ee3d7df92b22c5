import { expect, test } from 'vitest'
import { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { confirmedBlocks, isTerminal, stateMeaning, statesAhead } from './intent-path.ts'

test('the progress bar of an intent is full only when the intent is final or has eight confirmations [FLOW-06]', () => {
  expect(confirmedBlocks('CONFIRMING', 7)).toBe(7)
  expect(confirmedBlocks('SUBMITTED', null)).toBe(0)
  expect(confirmedBlocks('FINAL', null)).toBe(8)
  expect(confirmedBlocks('CONFIRMING', 12)).toBe(8)
})

test('the app does not treat an intent of unknown outcome as ended, and predicts no further states for the intent [FLOW-07]', () => {
  expect(isTerminal('UNKNOWN')).toBe(false)
  expect(statesAhead('UNKNOWN')).toEqual([])
})

test('the app has a separate text for every intent state, and treats only five states as the end of an intent', () => {
  const states = IntentState.options
  expect(new Set(states.map((state) => stateMeaning(state))).size).toBe(states.length)
  expect(states.filter(isTerminal)).toEqual(['FINAL', 'REFUSED', 'EXPIRED', 'REVERTED', 'CANCELLED'])
})

test('the app lists the states still ahead of an intent, ending with FINAL', () => {
  expect(statesAhead('SENT')).toEqual(['SUBMITTED', 'CONFIRMING', 'FINAL'])
  expect(statesAhead('FINAL')).toEqual([])
  // With the method `transactions`, the wallet broadcasts the transaction itself. No signature goes to a relay, so SIGNED and SENT are left out.
  expect(statesAhead('PREPARED', 'transactions')).toEqual(['ASKED', 'SUBMITTED', 'CONFIRMING', 'FINAL'])
})
