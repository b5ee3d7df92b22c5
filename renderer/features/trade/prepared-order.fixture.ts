import type { Intent, PreparedOrder, PreparedTransaction } from '../../../shared/ipc/intents/orders.ts'
import type { Comparison } from '../../../shared/ipc/intents/signing.ts'

export const comparison: Comparison = {
  title: '',
  primaryType: 'approve(address,uint256)',
  lines: [],
  matched: 0,
  total: 0,
  verdict: 'pass',
  asks: null,
  sentence: null,
  layoutHash: '',
  layoutKnown: true,
  unmatched: [],
  digest: '',
  raw: '',
}

/** The approval of 500 USDC, or the deposit after it. */
export const transaction = (index: number, change: Partial<PreparedTransaction> = {}): PreparedTransaction => ({
  index,
  kind: index === 0 ? 'approval' : 'action',
  contract: index === 0 ? 'USDC' : 'router',
  signature: null,
  comparison,
  spending: index === 0 ? { token: 'USDC', spender: '0x4B1c', amount: '500', sentence: '' } : null,
  expectedPhrase: null,
  simulation: { outcome: 'works', reason: null },
  gas: null,
  state: 'waiting',
  txHash: null,
  confirmations: null,
  reason: null,
  ...change,
})

export const intent = (state: Intent['state']): Intent => ({
  ref: 'r1',
  intentId: null,
  action: 'add_collateral',
  wallet: '0x7A3f',
  title: 'Deposit 500.00 USDC',
  pairId: null,
  symbol: null,
  side: null,
  way: 'transactions',
  state,
  reason: null,
  txHash: null,
  commandId: null,
  confirmations: null,
  finality: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  deadlineMs: 9,
  unsentSignature: false,
})

/** A deposit of 500 USDC by two transactions, none of them sent. */
export const prepared = (change: Partial<PreparedOrder>): PreparedOrder => ({
  intent: intent('PREPARED'),
  ready: true,
  status: 'ready',
  mode: null,
  reason: null,
  idempotentReplay: false,
  comparison,
  spending: null,
  contractWallet: false,
  expectedPhrase: null,
  transactions: [transaction(0), transaction(1)],
  next: 0,
  router: null,
  token: null,
  costs: [],
  simulation: [],
  deadlineMs: 9,
  preparedAtMs: 1,
  requestId: null,
  unknownFields: null,
  ...change,
})
