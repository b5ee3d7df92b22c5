import { expect, test } from 'vitest'
import type { ComparisonLine } from '../../../../shared/ipc/intents/comparison-lines.ts'
import type { PreparedPayment } from '../../../../shared/ipc/keys/agents.ts'
import { phoneChecks } from '../../../signing/parts/phone-checks.ts'
import { paymentMessage } from './payment-sheet.tsx'

const router = '0x4B1cA72f0C1c8d5B3aE0f9D1b2C3d4E5f60782Fb'
const token = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913'

const line = (id: string, signed: ComparisonLine['signed'], more: Partial<ComparisonLine> = {}): ComparisonLine => ({
  id,
  asked: signed,
  signed,
  unit: null,
  field: 'data',
  verdict: 'match',
  remark: null,
  group: 'order',
  ...more,
})

const prepared = (change: Partial<PreparedPayment> = {}): PreparedPayment => ({
  intent: {
    ref: 'r1',
    intentId: null,
    action: 'execution_payment',
    wallet: '0x7A3f',
    title: { code: 'payment', amountUsdc: '25.5', label: 'bot' },
    pairId: null,
    symbol: null,
    side: null,
    way: null,
    state: 'PREPARED',
    reason: null,
    commandId: null,
    txHash: null,
    confirmations: null,
    finality: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    deadlineMs: 9,
    unsentSignature: false,
  },
  keyId: 'key_1',
  label: 'bot',
  amountUsdc: '25.5',
  transaction: { from: '0x7A3f', to: token, data: '0x095ea7b3', value: '0x0' },
  target: { role: 'collateral_token', address: token, check: null },
  spender: null,
  call: {
    signature: 'approve(address,uint256)',
    arguments: [
      { name: 'spender', type: 'address', value: router },
      { name: 'amount', type: 'uint256', value: '25500000' },
    ],
  },
  lines: [
    line('amount', '25.50', { unit: 'USDC' }),
    line('spender', router),
    line('contract', { code: 'contract', is: 'collateral', address: '0x8335…2913' }, { field: 'to', group: 'envelope' }),
    line('deadline', null, { field: 'deadline', verdict: 'absent', group: 'envelope' }),
  ],
  verdict: 'confirm',
  blocked: null,
  expectedPhrase: 'allow 25.5 USDC',
  spending: { asset: token, spender: router, amountUsdc: '25.5' },
  simulation: { outcome: 'works', reason: null },
  gas: { units: '46000', costEth: '0.000057', balanceEth: '0.05', enough: true },
  deadlineMs: 9,
  preparedAtMs: 1,
  requestId: null,
  raw: '{}',
  ...change,
})

test('the payment sheet explains that a transaction lets a contract spend USDC, and requires a typed phrase [KEY-13]', () => {
  const { transaction, comparison } = paymentMessage(prepared())
  expect(transaction?.word).toEqual({
    title: 'This transaction lets a contract take your USDC',
    text: `Lets ${router} take up to 25.50 USDC from your wallet, at any time. This spending right ends when it is used or revoked. Until then, the contract may take this amount without asking you again. Managing a key never gives this right automatically.`,
    phrase: 'allow 25.5 USDC',
  })
  expect(transaction?.obstacle).toBeNull()
  // The message lacks an optional line. That is no mismatch, so the comparison does not count the line.
  expect([comparison.matched, comparison.total]).toEqual([3, 3])
})

test('the payment sheet says so if the app cannot read a transaction’s calldata [FLOW-03]', () => {
  const word = paymentMessage(prepared({ call: null, spending: null, expectedPhrase: 'send what cannot be read' })).transaction?.word
  expect(word).toMatchObject({ title: 'The app cannot read what this transaction does', phrase: 'send what cannot be read' })
})

test('the payment sheet blocks a payment when the wallet has too little ETH or the transaction would revert [FLOW-03]', () => {
  const poor = prepared({ gas: { units: '46000', costEth: '0.0000000021', balanceEth: '0', enough: false } })
  expect(paymentMessage(poor).transaction?.obstacle).toContain('has 0.000000 ETH on Base, and the network fee may be below 0.000001 ETH')
  const reverting = prepared({ simulation: { outcome: 'reverts', reason: 'paused.' } })
  expect(paymentMessage(reverting).transaction?.obstacle).toBe('The transaction reverts when simulated on the chain: paused. You would lose the network fee.')
})

test('the payment sheet shows a dash for each fact that the RPC does not report, and still allows sending [ERR-02]', () => {
  const { facts, transaction } = paymentMessage(prepared({ gas: null, simulation: { outcome: 'skipped', reason: null } }))
  expect(facts.map(({ value }) => value)).toEqual(['—', '—', 'Could not run'])
  expect(transaction?.obstacle).toBeNull()
})

test('the payment sheet names a transaction’s arguments as the phone does, and shows the address of the contract', () => {
  expect(phoneChecks(paymentMessage(prepared()).comparison)).toMatchObject([
    { field: 'amount', value: '25.50' },
    { field: 'spender', value: router, code: true },
    { field: 'to', value: '0x8335…2913', code: true },
  ])
})
