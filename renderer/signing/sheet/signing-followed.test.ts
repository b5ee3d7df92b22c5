import { expect, test } from 'vitest'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { noComparison, noExtras, type SigningMessage } from '../parts/signing-message.ts'
import { followedHead } from './signing-followed.tsx'
import { endOfStop } from './signing-stop.ts'
import { stoppedHead } from './signing-stopped.tsx'

const intent = (title: Intent['title'], state: Intent['state']): Intent => ({
  ...{ ref: 'r1', intentId: 'dx_1', action: 'open_position', wallet: '0x7A3f', title, pairId: 2, symbol: 'ETH-PERP', side: 'long', way: null, state },
  ...{ reason: null, txHash: '0x01', commandId: null, confirmations: 8, finality: null, createdAtMs: 1, updatedAtMs: 2, deadlineMs: null },
  unsentSignature: false,
})
const atLimit = { code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '250', price: '2510.00', symbol: null } as const
const atMarket = { ...atLimit, orderType: 'market', price: null } as const
const replace = { code: 'replace', of: { side: 'long', symbol: 'ETH-PERP', pairId: 2 } } as const
const titleOf = (title: Intent['title'], state: Intent['state'], thing: 'order' | 'transaction' = 'order'): string =>
  followedHead(intent(title, state), { thing, transaction: null }).title

test('the signing sheet shows a final intent that places an order as “placed”, not as filled, because the order may still be open', () => {
  expect(titleOf(atLimit, 'FINAL')).toBe('Order placed')
  expect(titleOf(replace, 'FINAL', 'transaction')).toBe('Order placed')
  expect(titleOf(atMarket, 'FINAL')).toBe('Done and final on Base')
})

test('the signing sheet says that a market order traded if the value of its trades is not the ordered value', () => {
  const filled = { ...intent(atMarket, 'FINAL'), fill: { price: '64000', size: '0.1', base: 'BTC', feeUsdc: null } }
  expect(followedHead(filled, { thing: 'order', transaction: null }).title).toBe('Order traded')
})

test('the signing sheet does not show an order as placed before its transaction is final, or if the transaction reverts', () => {
  expect(titleOf(atLimit, 'CONFIRMING')).toBe('Sent. Waiting for eight blocks')
  expect(titleOf(atLimit, 'REVERTED')).toBe('Reverted on Base')
})

test('the signing sheet says how far a final order is filled, and shows a batch with a failed action as partly done', () => {
  const headOf = (more: Partial<Intent>) => followedHead({ ...intent(atMarket, 'FINAL'), ...more }, { thing: 'order', transaction: null })
  const fill = { price: '94300.0', size: '0.0026', base: 'BTC', feeUsdc: '0.12' }
  expect(headOf({ fill }).title).toBe('Order filled')
  const close = (size: string) => headOf({ fill, title: { code: 'close', of: { side: 'long', symbol: 'BTC-PERP', pairId: 1 }, size, limitPrice: null } })
  expect([close('0.0026'), close('0.01')].map(({ title, tone }) => [title, tone])).toEqual([
    ['Order filled', 'accent'],
    ['Order partly filled', 'warn'],
  ])
  const partly = headOf({ reason: { code: 'partly_executed', actions: 3, failed: 1, raw: null } })
  expect(partly).toMatchObject({ title: 'Partly done', tone: 'warn' })
  expect(followedHead({ ...intent(atLimit, 'FINAL'), fill }, { thing: 'order', transaction: null }).title).toBe('Order placed')
})

test('the signing sheet says whether a signature reached the service: not sent, refused there, too late, or unknown', () => {
  const message: SigningMessage = {
    ...noExtras,
    ...{
      thing: 'order',
      subject: 'order',
      preparedAgain: 'new_order',
      title: '',
      lead: '',
      summary: '',
      comparison: noComparison,
      preparedAtMs: 1,
      deadlineMs: 2,
    },
  }
  const trace = { requestId: null, route: 'relay' }
  const byService = { kind: 'refused', status: 400, code: 'SIGNATURE_INVALID', message: 'no', raw: null, ...trace } as const
  const here = { kind: 'signature_invalid', expected: '0x7A3f', recovered: '0x1111' } as const
  const saidOf = (failure: typeof byService | typeof here) => {
    const stop = { kind: 'refused', failure, signed: true } as const
    return [endOfStop(stop, message), stoppedHead(stop, message).title]
  }
  expect(saidOf(here)).toEqual(['not_sent', 'Signed, but not sent to the service'])
  expect(saidOf(byService)).toEqual(['refused', 'Signed, but refused by the service'])
  const late = { kind: 'late_answer', atMs: 3, answer: '0x01' } as const
  expect(endOfStop(late, message)).toBe('too_late')
  expect(endOfStop(late, { thing: 'transaction' })).toBe('not_tracked')
  const lost = { kind: 'refused', failure: { kind: 'outcome_unknown', intentRef: null, ...trace }, signed: true } as const
  expect(endOfStop(lost, message)).toBe('stopped')
})
