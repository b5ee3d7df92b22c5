import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nowMs } from '../../e2e/support/fixtures/typed-data.ts'
import { preparedActionNames } from '../api/actions.ts'
import { PreparedAction } from '../api/schemas/prepared-action-resources.ts'
import { IntentReason } from '../ipc/intents/reasons.ts'
import { explainReason, reasonText } from '../text/reason-text.ts'
import { decidePrepared, earliestDeadline, readFinality } from './prepared-action.ts'

const body = (execution: Record<string, unknown>, change: Record<string, unknown> = {}) => ({
  success: true,
  intent_id: 'dx_9Fm4xL7wc2X',
  payload: {},
  execution: {
    ready: true,
    status: 'signature_ready',
    mode: 'signed_intent',
    typed_data: { domain: {} },
    transactions: [],
    deadline: nowMs / 1_000 + 300,
    ...execution,
  },
  expires_at_ms: nowMs + 299_000,
  idempotent_replay: false,
  ...change,
})
const decide = (execution: Record<string, unknown> = {}, change: Record<string, unknown> = {}) =>
  decidePrepared(PreparedAction.parse(body(execution, change)), nowMs)
const transaction = { kind: 'action', from: '0x1', to: '0x2', data: '0x', value: '0x0', deadline: nowMs / 1_000 + 120 }

test('the app asks for a signature if the service’s answer has a message ready to sign, and for transactions if it has those ready [ORD-11]', () => {
  expect(decide()).toEqual({ kind: 'sign', mode: 'signed_intent', typedData: { domain: {} }, deadlineMs: nowMs + 299_000 })
  expect(decide({ mode: 'permit_deposit' })).toMatchObject({ kind: 'sign', mode: 'permit_deposit' })
  expect(decide({ status: 'ready', mode: null, typed_data: null, transactions: [transaction] })).toMatchObject({ kind: 'send', deadlineMs: nowMs + 120_000 })
})

test('the app asks for a permit’s signature even if the service’s answer also offers transactions as an alternative [FLOW-04]', () => {
  expect(decide({ mode: 'permit_deposit', transactions: [transaction] })).toMatchObject({ kind: 'sign', mode: 'permit_deposit' })
})

test('the app decides between signing and sending only by the state in the service’s answer, and never by the action’s name [ORD-11]', () => {
  for (const action of preparedActionNames) expect(decide({}, { action, payload: { action } }).kind).toBe('sign')
})

test('the app reports why an order cannot be executed, both as a sentence and in the service’s own words [ORD-10]', () => {
  expect(decide({ ready: false, status: 'preflight_failed', reason: 'oracle_unavailable', typed_data: null })).toEqual({
    kind: 'not_executable',
    status: 'preflight_failed',
    reason: { why: { code: 'exchange_says', raw: 'oracle_unavailable' }, raw: 'oracle_unavailable' },
  })
  expect(decide({ ready: false, status: 'contract_pending', typed_data: null })).toMatchObject({
    kind: 'not_executable',
    status: 'contract_pending',
    reason: { why: { code: 'contract_pending' }, raw: 'contract_pending' },
  })
  expect(decide({ ready: false, status: 'preflight_failed' })).toEqual({ kind: 'not_executable', status: 'preflight_failed', reason: null })
  expect(explainReason('too_many_open_orders')).toEqual({ text: 'The exchange says: too many open orders.', raw: 'too_many_open_orders' })
  expect(explainReason('Market halted.').text).toBe('The exchange says: Market halted.')
})

const contradictions: readonly {
  readonly says: string
  readonly sentence: string
  readonly execution: Record<string, unknown>
  readonly change?: Record<string, unknown>
}[] = [
  {
    says: 'ready and failed',
    sentence: 'The preparation says that it is ready and preflight_failed at the same time.',
    execution: { status: 'preflight_failed', reason: 'oracle_unavailable' },
  },
  {
    says: 'ready and pending',
    sentence: 'The preparation says that it is ready and contract_pending at the same time.',
    execution: { status: 'contract_pending' },
  },
  { says: 'not ready and signable', sentence: 'The preparation has the status signature_ready but says that it is not ready.', execution: { ready: false } },
  {
    says: 'not ready and sendable',
    sentence: 'The preparation has the status ready but says that it is not ready.',
    execution: { ready: false, status: 'ready', mode: null, typed_data: null, transactions: [transaction] },
  },
  { says: 'ready as a word', sentence: 'The preparation does not say whether it is ready.', execution: { ready: 'true' } },
  { says: 'ready as a number', sentence: 'The preparation does not say whether it is ready.', execution: { ready: 1 } },
  { says: 'ready missing', sentence: 'The preparation does not say whether it is ready.', execution: { ready: undefined } },
  { says: 'an unknown status', sentence: 'The preparation has the status almost_ready, which this app does not know.', execution: { status: 'almost_ready' } },
  { says: 'a missing status', sentence: 'The preparation does not name its status.', execution: { status: null } },
  {
    says: 'an unknown mode',
    sentence: 'The preparation asks for a signature in the mode blind_signature, which this app does not know.',
    execution: { mode: 'blind_signature' },
  },
  {
    says: 'a missing mode',
    sentence: 'The preparation asks for a signature in a mode without a name, which this app does not know.',
    execution: { mode: null },
  },
  { says: 'a signature of nothing', sentence: 'The preparation asks for a signature but contains nothing to sign.', execution: { typed_data: null } },
  { says: 'a signature of an empty object', sentence: 'The preparation asks for a signature but contains nothing to sign.', execution: { typed_data: {} } },
  {
    says: 'a signature and transactions',
    sentence: 'The preparation asks for a signature and for transactions at the same time.',
    execution: { transactions: [transaction] },
  },
  {
    says: 'transactions in a mode for signatures',
    sentence: 'The preparation asks for transactions in the mode signed_intent, which is for signatures.',
    execution: { status: 'ready', typed_data: null, transactions: [transaction] },
  },
  {
    says: 'transactions and a signature',
    sentence: 'The preparation asks for transactions and for a signature at the same time.',
    execution: { status: 'ready', mode: null, transactions: [transaction] },
  },
  {
    says: 'transactions that are none',
    sentence: 'The service’s answer asks for transactions but contains none.',
    execution: { status: 'ready', mode: null, typed_data: null },
  },
  {
    says: 'ready with a reason why not',
    sentence: 'The preparation says that it is ready, but gives a reason why not: oracle_unavailable.',
    execution: { reason: 'oracle_unavailable' },
  },
  {
    says: 'the id of something else',
    sentence: 'The preparation is named tx_1, but the names of intents begin with dx_.',
    execution: {},
    change: { intent_id: 'tx_1' },
  },
]

test.each(contradictions)(
  'the app never asks for a signature if the service’s answer contradicts itself: the answer says $says [ORD-11]',
  ({ sentence, execution, change }) => {
    const decision = decide(execution, change)
    expect(decision.kind).toBe('contradictory')
    expect(decision.kind === 'contradictory' && reasonText(IntentReason.parse({ code: 'contradictory', by: decision.by }))).toBe(sentence)
  },
)

test('the app signs or sends only if the service’s answer says “ready: true” and has the matching status [ORD-11]', () => {
  const anything = fc.oneof(
    fc.constantFrom('signature_ready', 'ready', 'preflight_failed', 'contract_pending', 'signed_intent', 'permit_deposit', ''),
    fc.jsonValue({ maxDepth: 2 }),
  )
  fc.assert(
    fc.property(anything, anything, anything, anything, anything, (ready, status, mode, typed_data, transactions) => {
      const parsed = PreparedAction.read(body({ ready, status, mode, typed_data, transactions }))
      if (!parsed.ok) return
      const decision = decidePrepared(parsed.value, nowMs)
      if (decision.kind === 'sign') expect([ready, status]).toEqual([true, 'signature_ready'])
      if (decision.kind === 'send') expect([ready, status]).toEqual([true, 'ready'])
    }),
    { numRuns: 500 },
  )
})

test('the app uses the earliest deadline in the service’s answer, in any unit in which the deadlines are written [ORD-12]', () => {
  const end = (execution: Record<string, unknown>, expires: unknown) => earliestDeadline(PreparedAction.parse(body(execution, { expires_at_ms: expires })))
  expect(end({ deadline: nowMs / 1_000 + 60 }, nowMs + 120_000)).toBe(nowMs + 60_000)
  expect(end({ deadline: nowMs + 60_000 }, nowMs + 120_000)).toBe(nowMs + 60_000)
  expect(end({ transactions: [transaction, { ...transaction, deadline: nowMs / 1_000 + 30 }] }, nowMs + 120_000)).toBe(nowMs + 30_000)
  expect(end({ deadline: null }, null)).toBeNull()
})

test('the app does not sign the message of an expired answer that the service repeats [ORD-07] [ORD-12]', () => {
  expect(decide({}, { expires_at_ms: nowMs - 1, idempotent_replay: true })).toEqual({ kind: 'expired', atMs: nowMs - 1 })
  expect(decide({}, { expires_at_ms: nowMs }).kind).toBe('expired')
})

test('the app recognises the four documented words for finality, and shows any other word unchanged [FLOW-06]', () => {
  const read = (finality: string | null, confirmations: number | null = null) => readFinality({ finality, confirmations })
  expect(read('PENDING').finality).toBe('submitted')
  expect(read('PENDING_FINALITY', 3)).toEqual({ finality: 'confirming', raw: 'PENDING_FINALITY', confirmations: 3 })
  expect(read('REVERTED').finality).toBe('reverted')
  expect([read('FINAL').finality, read('FINAL', 8).finality]).toEqual(['final', 'final'])
  expect(read('FINAL', 7).finality).toBe('confirming')
  expect(read('SAFE')).toEqual({ finality: 'other', raw: 'SAFE', confirmations: null })
  expect(read(null)).toEqual({ finality: 'other', raw: null, confirmations: null })
  expect(read('constructor').finality).toBe('other')
})
