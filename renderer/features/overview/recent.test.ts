import { expect, test } from 'vitest'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import type { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { intentRow, secretTitle } from './recent.tsx'

const intent = (title: Intent['title'], state: Intent['state']): Intent => ({
  ...{ ref: 'r1', intentId: 'dx_1', action: 'open_position', wallet: '0x7A3f', title, pairId: 2, symbol: 'ETH-PERP', side: 'long', way: null, state },
  ...{ reason: null, txHash: '0x01', commandId: null, confirmations: 8, finality: null, createdAtMs: 1, updatedAtMs: 2, deadlineMs: null },
  unsentSignature: false,
})
const atLimit = { code: 'open', side: 'long', orderType: 'limit', orderValueUsdc: '250', price: '2510.00', symbol: null } as const
const atMarket = { ...atLimit, orderType: 'market', price: null } as const

test('the overview calls a limit order “placed” once its transaction is final, because the order may still be open', () => {
  expect(intentRow(intent(atLimit, 'FINAL'))).toMatchObject({ title: 'Long 250.00 USDC at limit 2510.00', detail: 'Placed, ETH-PERP' })
  expect(intentRow({ ...intent(atLimit, 'FINAL'), symbol: null }).detail).toBe('Placed')
})

test('the overview shows the intent’s state for a market order, and for a limit order whose transaction is not final', () => {
  expect(intentRow(intent(atMarket, 'FINAL')).detail).toBe('Final, ETH-PERP')
  expect(intentRow(intent(atLimit, 'REVERTED')).detail).toBe('Reverted, ETH-PERP')
  expect(intentRow(intent(atLimit, 'CONFIRMING')).detail).toBe('Confirming, 8 of 8 blocks')
})

const titleOf = (kind: SecretOperation['kind'], state: SecretOperation['state'], note: SecretOperation['note'] = null): string =>
  secretTitle({ kind, label: 'grid', state, note })

test.each([
  ['create', 'Create key grid', 'Key grid created'],
  ['rotate', 'Rotate secret of grid', 'Secret of grid rotated'],
  ['revoke', 'Revoke key grid', 'Key grid revoked'],
  ['expiry', 'Change expiry of grid', 'Expiry of grid changed'],
  ['import', 'Import secret of grid', 'Secret of grid imported'],
  ['grant', 'Grant access to the agent of grid', 'Grant for the agent of grid stored'],
  ['executor', 'Bind executor to grid', 'Executor of grid bound'],
  ['webhook_create', 'Create webhook grid', 'Webhook grid created'],
  ['webhook_disable', 'Disable webhook grid', 'Webhook grid disabled'],
] as const)('the Overview page words the title of %s as a plan until the action is known to have taken effect', (kind, planned, done) => {
  for (const state of ['PLANNED', 'SENT', 'FAILED', 'UNKNOWN', 'SETTLED'] as const) expect(titleOf(kind, state)).toBe(planned)
  for (const state of ['STORED', 'VERIFIED'] as const) expect(titleOf(kind, state)).toBe(done)
})

test.each([
  ['revoke', 'confirmed', 'Key grid revoked'],
  ['revoke', 'listed_revoked', 'Key grid revoked'],
  ['expiry', 'expiry_confirmed 30', 'Expiry of grid changed'],
  ['grant', 'grant_stored', 'Grant for the agent of grid stored'],
  ['grant', 'grant_listed', 'Grant for the agent of grid stored'],
  ['executor', 'executor_bound exec-fra-1', 'Executor of grid bound'],
  ['executor', 'executor_listed', 'Executor of grid bound'],
  ['webhook_disable', 'listed_disabled', 'Webhook grid disabled'],
  ['webhook_create', 'webhook_over', 'Webhook grid created'],
  ['create', 'key_over', 'Key grid created'],
  ['create', 'handed_over', 'Key grid created'],
  ['rotate', 'orphan_rotated', 'Secret of grid rotated'],
] as const)('the Overview page words the title of a settled %s as done if its note is %s', (kind, note, done) => {
  expect(titleOf(kind, 'SETTLED', note)).toBe(done)
})

test.each([
  ['create', 'no_new_key', 'Create key grid'],
  ['create', 'dismissed', 'Create key grid'],
  ['rotate', 'key_revoked', 'Rotate secret of grid'],
  ['expiry', 'listed_endless', 'Change expiry of grid'],
  ['expiry', 'listed_end 2026-11-26T00:00:00.000Z', 'Change expiry of grid'],
  ['grant', 'grant_not_listed', 'Grant access to the agent of grid'],
  ['grant', 'signature_sent_again', 'Grant access to the agent of grid'],
  ['executor', 'executor_differs exec-ams-1', 'Bind executor to grid'],
  ['executor', 'executor_not_listed', 'Bind executor to grid'],
  ['webhook_create', 'no_new_webhook', 'Create webhook grid'],
  ['revoke', 'as_written The key is gone.', 'Revoke key grid'],
] as const)(
  'the Overview page words the title of a settled %s as a plan if its note is %s, because the note does not prove an effect',
  (kind, note, planned) => {
    expect(titleOf(kind, 'SETTLED', note)).toBe(planned)
  },
)
