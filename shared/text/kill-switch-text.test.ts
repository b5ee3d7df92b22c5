import { expect, test } from 'vitest'
import { bulkDetailText, stepTitle } from './kill-switch-text.ts'

test('the app describes the outcome of a bulk action’s step with details, or shows no text if the step has no outcome', () => {
  expect(bulkDetailText(null)).toBe('')
  expect(bulkDetailText({ code: 'final_part_left' })).toBe('Final, but a part of the position is left.')
  expect(bulkDetailText({ code: 'blocks', confirmations: 3 })).toBe('3 of 8 blocks')
  expect(bulkDetailText({ code: 'ended', state: 'EXPIRED' })).toBe('Final status: expired.')
  expect(bulkDetailText({ code: 'intent', reason: { code: 'rejected_on_phone' } })).toBe('Rejected on the phone.')
  expect(bulkDetailText({ code: 'refused', status: 403, by: 'NOT_THIS_ONE', message: null })).toBe('HTTP 403 · NOT_THIS_ONE')
  expect(bulkDetailText({ code: 'refused', status: 409, by: 'POSITION_NOT_FOUND', message: null })).toBe(
    'This position no longer exists. · HTTP 409 · POSITION_NOT_FOUND',
  )
  expect(bulkDetailText({ code: 'no_answer', why: 'timeout' })).toBe('No response: timeout')
  expect(bulkDetailText({ code: 'as_written', text: 'The list says that it is revoked.' })).toBe('The list says that it is revoked.')
})

test('the app gives every step of a bulk action a title, even a step for unreadable orders or positions', () => {
  expect(stepTitle({ kind: 'close', title: { code: 'close', of: { side: 'long', symbol: 'BTC-PERP', pairId: 1 }, size: null, limitPrice: null } })).toBe(
    'Close the long on BTC-PERP at market',
  )
  expect(stepTitle({ kind: 'cancel', title: null })).toBe('Orders that could not be listed')
  expect(stepTitle({ kind: 'close', title: null })).toBe('Positions that could not be read')
})
