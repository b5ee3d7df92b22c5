import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { relayPath, startTrader, type Trader } from '../../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../../e2e/support/main/workspace.ts'
import { comparisonText } from '../../../../shared/text/comparison-text.ts'
import { minute } from '../../../../shared/time.ts'
import type { Faults } from '../../../practice/base/faults.ts'
import { raw } from '../../../store/records/raw.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const ask = (ref: string, typed: { typedPhrase: string | null; typedRouter: string | null } = agreed) => workspace.handlers()['intents.ask']({ ref, ...typed })
const signed = (ref: string, signature: string) => workspace.handlers()['intents.answered']({ ref, answer: signature })
const keptSignatures = () => [...workspace.vault.keys()].filter((name) => name.startsWith('signature/'))

test('the wallet signs an order as typed data, and the app sends the relay only wallet, intent id and signature [FLOW-01]', async () => {
  const { ref, signature } = await workspace.asked()
  const intent = value(await signed(ref, signature))
  expect(intent).toMatchObject({ state: 'SUBMITTED', txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) })
  const [request, ...more] = workspace.sentTo(relayPath)
  expect(more).toEqual([])
  expect(JSON.parse(request?.body ?? '')).toEqual({ wallet: workspace.account.address, intent_id: intent.intentId, signature })
  expect(request?.headers).not.toHaveProperty('authorization')
  expect(request?.headers).not.toHaveProperty('x-svc-api-key')
  expect(workspace.exchange.effects().relayed).toEqual([{ intent_id: intent.intentId, tx_hash: intent.txHash }])
})

test.each(['amount', 'router', 'chain', 'wallet', 'side', 'leverage', 'deadline', 'slippage', 'two_scales'] satisfies Faults['typedData'][])(
  'the app blocks altered typed data (%s) before it reaches the wallet [FLOW-01]',
  async (altered) => {
    workspace.faults.typedData = altered
    const prepared = await workspace.prepare()
    expect(prepared.comparison?.verdict).toBe('block')
    expect(prepared.comparison && comparisonText(prepared.comparison)).toMatch(/\S/)
    expect(prepared.intent).toMatchObject({ state: 'REFUSED', reason: { code: 'blocked', by: prepared.comparison?.blocked } })
    const { blocked } = prepared.comparison ?? {}
    const line = blocked?.code === 'line' ? { line: { id: blocked.line.id } } : {}
    expect(failure(await ask(prepared.intent.ref))).toMatchObject({ kind: 'signing_refused', why: { code: 'blocked', by: { code: blocked?.code, ...line } } })
    expect(workspace.sentTo(relayPath)).toEqual([])
  },
)

test('if the message to sign contains an unknown field, the app requests the signature only after the user types a phrase with the field’s name [FLOW-02]', async () => {
  workspace.faults.typedData = 'extra_field'
  const { intent, comparison } = await workspace.prepare()
  expect(comparison?.asks).toMatchObject({ kind: 'unknown_field', value: expect.stringMatching(/\S/) })
  const { field } = comparison?.asks?.kind === 'unknown_field' ? comparison.asks : { field: '' }
  const expected = `sign with unknown field ${field}`
  expect(failure(await ask(intent.ref))).toEqual({ kind: 'confirmation_required', what: 'layout', expected })
  expect(value(await ask(intent.ref, { typedPhrase: expected, typedRouter: 'yes' })).method).toBe('eth_signTypedData_v4')
})

test('the user accepts a new signing format once; later orders in the same format need no confirmation [FLOW-02]', async () => {
  workspace.faults.typedData = 'new_layout'
  const { intent, comparison } = await workspace.prepare()
  expect(comparison?.verdict).toBe('confirm')
  expect(failure(await ask(intent.ref, { typedPhrase: null, typedRouter: null }))).toEqual({
    kind: 'confirmation_required',
    what: 'layout',
    expected: 'sign this layout',
  })
  expect(failure(await ask(intent.ref, { typedPhrase: 'yes', typedRouter: null })).kind).toBe('confirmation_required')
  expect(value(await ask(intent.ref, { typedPhrase: ' Sign this layout ', typedRouter: null })).method).toBe('eth_signTypedData_v4')
})

test('a signing format that the user accepted is still accepted after a restart', async () => {
  await workspace.asked()
  await workspace.restart()
  await workspace.connect()
  const { intent, comparison } = await workspace.prepare()
  expect(comparison).toMatchObject({ verdict: 'pass', formatKnown: true })
  expect(value(await ask(intent.ref, { typedPhrase: null, typedRouter: null })).wallet).toBe(workspace.account.address)
})

test('the app sends no order to a wallet on another chain, but sends one to a wallet on Base [GEN-08]', async () => {
  const { intent } = await workspace.prepare()
  await workspace.connect(workspace.account, 1)
  expect(failure(await ask(intent.ref))).toEqual({ kind: 'wrong_chain', chainId: 1, expected: 8453 })
  expect((await workspace.intent(intent.ref)).state).toBe('PREPARED')
  await workspace.connect()
  expect(value(await ask(intent.ref)).chainId).toBe(8453)
})

test('the app never sends one wallet’s order to another wallet [AUTH-03]', async () => {
  const { intent } = await workspace.prepare()
  const other = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(other)
  expect(failure(await ask(intent.ref))).toEqual({ kind: 'wrong_wallet', wallet: other.address, expected: workspace.account.address })
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 }))).toEqual({ intents: [], total: 0 })
  expect(failure(await workspace.handlers()['intents.get']({ ref: intent.ref })).kind).toBe('wrong_wallet')
})

test('the app never relays a signature that another account made or that belongs to another message [FLOW-01]', async () => {
  const { ref, signature } = await workspace.asked()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const request = value(await ask(ref))
  const other = await workspace.asked({ orderValueUsdc: '999' })
  for (const wrong of [await workspace.sign(request, stranger), other.signature, '0x', 'not hex'])
    expect(failure(await signed(ref, wrong)).kind).toBe('signature_invalid')
  expect(workspace.sentTo(relayPath)).toEqual([])
  expect(keptSignatures()).toEqual([])
  expect(value(await signed(ref, signature)).state).toBe('SUBMITTED')
})

test('after an order’s deadline, the app does not ask the wallet to sign the order', async () => {
  const { intent } = await workspace.prepare()
  workspace.clock.advance(6 * minute)
  expect(failure(await ask(intent.ref))).toMatchObject({ kind: 'expired', what: 'intent' })
  expect((await workspace.intent(intent.ref)).state).toBe('EXPIRED')
})

const tooLate = { code: 'signature_too_late' }

test('the app discards a signature that arrives after its order has ended, and adds one entry about it to the order’s timeline [ORD-12]', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.clock.advance(6 * minute)
  value(await workspace.handlers()['intents.declined']({ ref, why: 'expired', detail: null }))
  expect(await workspace.intent(ref)).toMatchObject({ state: 'EXPIRED', reason: { code: 'no_answer_in_time' } })
  for (const again of [signature, signature]) expect(failure(await signed(ref, again))).toMatchObject({ kind: 'expired', what: 'signature' })
  const { intent, timeline } = value(await workspace.handlers()['intents.get']({ ref }))
  expect(intent).toMatchObject({ state: 'EXPIRED', reason: tooLate })
  expect(timeline.slice(-2)).toMatchObject([{ state: 'EXPIRED' }, { state: 'EXPIRED', note: { code: 'reason', reason: tooLate } }])
  expect(workspace.sentTo(relayPath)).toEqual([])
  expect(keptSignatures()).toEqual([])
})

test('the app discards a signature that arrives after the order’s deadline, and reports this', async () => {
  const { ref, signature } = await workspace.asked()
  workspace.clock.advance(6 * minute)
  expect(failure(await signed(ref, signature))).toMatchObject({ kind: 'expired', what: 'signature' })
  expect(await workspace.intent(ref)).toMatchObject({ state: 'EXPIRED', reason: tooLate })
  expect(failure(await signed(ref, signature)).kind).toBe('expired')
  expect(workspace.sentTo(relayPath)).toEqual([])
  expect(keptSignatures()).toEqual([])
})

test('when the user rejects an order on the phone, the app cancels the order for good', async () => {
  const { ref, signature } = await workspace.asked()
  const intent = value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: '5000' }))
  expect(intent).toMatchObject({ state: 'CANCELLED', reason: { code: 'rejected_on_phone' } })
  expect(failure(await signed(ref, signature)).kind).toBe('wrong_state')
  expect(workspace.sentTo(relayPath)).toEqual([])
})

test.each(['unreachable', 'expired', 'failed'] as const)(
  'if a wallet request for an order fails (%s), the app keeps the order, and the user can sign it later',
  async (why) => {
    const { ref } = await workspace.asked()
    expect(value(await workspace.handlers()['intents.declined']({ ref, why, detail: null })).state).toBe('PREPARED')
    const signature = await workspace.sign(value(await ask(ref)))
    expect(value(await signed(ref, signature)).state).toBe('SUBMITTED')
  },
)

test('if a wallet request for an order failed, the app still accepts the order’s signature if it arrives later', async () => {
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.declined']({ ref, why: 'unreachable', detail: null }))
  expect(value(await signed(ref, signature)).state).toBe('SUBMITTED')
})

test('the app relays an order only once, even if the wallet answers the signing request twice', async () => {
  const { ref, signature } = await workspace.asked()
  const answers = await Promise.all([signed(ref, signature), signed(ref, signature)])
  expect(answers.filter(({ ok }) => ok)).toHaveLength(1)
  expect(workspace.sentTo(relayPath)).toHaveLength(1)
  expect(workspace.exchange.effects().relayed).toHaveLength(1)
})

test('while one order waits for the user’s answer on the phone, the app still processes other orders', async () => {
  const silent = await workspace.asked()
  const { ref, signature } = await workspace.asked({ side: 'short' })
  expect(value(await signed(ref, signature)).state).toBe('SUBMITTED')
  expect((await workspace.intent(silent.ref)).state).toBe('ASKED')
})

test('when the app requests a signature, it stores the order’s state ASKED together with the current block number and the wallet request’s ids', async () => {
  await workspace.chain.mine(4)
  const { ref } = await workspace.asked()
  value(await workspace.handlers()['intents.asked']({ ref, topic: 'the-topic', requestId: '77' }))
  expect(workspace.journal().intents.get(ref)).toMatchObject({ state: 'ASKED', blockNumber: 4, topic: 'the-topic', walletRequestId: '77' })
})

test('the app stores an order’s signature encrypted until the order ends, then deletes it', async () => {
  const { ref, signature } = await workspace.asked()
  value(await signed(ref, signature))
  expect(keptSignatures()).toEqual([`signature/practice/${ref}`])
  await workspace.chain.mine(9)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
  expect(keptSignatures()).toEqual([])
})

test('if the wallet already signed the same nonce for another order, the app does not let it sign a message with that nonce again [FLOW-01]', async () => {
  const first = await workspace.asked()
  value(await signed(first.ref, first.signature))
  const used = workspace.journal()[raw].values.withPrefix(`nonce/practice/${workspace.account.address}/`)
  expect(used).toMatchObject([{ value: first.ref }])

  const { intent } = await workspace.prepare({ side: 'short' })
  const { nonce } = JSON.parse(workspace.journal().intents.get(intent.ref)?.typedData ?? '{}').message
  workspace.journal()[raw].values.set(`nonce/practice/${workspace.account.address}/${nonce}`, first.ref)
  expect(failure(await ask(intent.ref))).toMatchObject({ kind: 'signing_refused', why: { by: { code: 'line', line: { id: 'nonce' } } } })
})

test('while the RPC node reports another chain than Base, the app asks the wallet for no signature', async () => {
  const { ref } = (await workspace.prepare()).intent
  workspace.rpc.setAway(true)
  await workspace.tick()
  await workspace.handlers()['chain.rpc']({ method: 'eth_blockNumber', params: '[]' })
  workspace.rpc.setAway(false)
  workspace.rpc.setChainId('0x1')
  expect(failure(await workspace.handlers()['intents.ask']({ ref, typedPhrase: null, typedRouter: null }))).toEqual({
    kind: 'rpc_wrong_chain',
    chainId: 1,
    expected: 8453,
  })
  expect((await workspace.intent(ref)).state).toBe('PREPARED')
  workspace.rpc.setChainId('0x2105')
  expect(failure(await workspace.handlers()['intents.ask']({ ref, typedPhrase: null, typedRouter: null })).kind).toBe('confirmation_required')
})
