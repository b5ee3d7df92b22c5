import { DatabaseSync } from 'node:sqlite'
import { createPublicClient, type Hex, http, parseEther } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../../e2e/support/main/workspace.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import { minute, systemClock } from '../../../../shared/time.ts'
import type { Faults } from '../../../practice/base/faults.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'
import { raw } from '../../../store/records/raw.ts'

const patience = { timeout: 15_000, interval: 20 }
const paymentRoute = 'POST /api/dex/developer/keys/{key_id}/execution-payment'
const words = { typedPhrase: 'allow 25.5 USDC', typedRouter: 'yes' }

let chain: RunningChain
let workspace: Workspace
let keyId: string
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startWorkspace({ realChain: chain })
  await chain.fund(workspace.account.address, 0n, parseEther('1'))
  await workspace.connect()
  await workspace.signIn()
  keyId = await workspace.createKey('grid')
})
afterEach(async () => {
  await chain.pauseMining(false)
  await workspace.stop()
})

const client = () => createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 })
const prepare = async () => value(await workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' }))
const ask = (ref: string, typed: { typedPhrase: string | null; typedRouter: string | null } = words) => workspace.handlers()['intents.ask']({ ref, ...typed })
const intent = async (ref: string) => value(await workspace.handlers()['agents.payment']({ ref })).intent
const state = async (ref: string) => (await intent(ref)).state

/** Simulates pressing Approve on the phone: chooses a nonce and gas, and broadcasts the transaction. */
async function broadcast(request: SignRequest, change: { readonly tip?: bigint; readonly data?: Hex; readonly nonce?: number } = {}): Promise<Hex> {
  if (request.method !== 'eth_sendTransaction') throw new Error(request.method)
  const { to, data } = request.transaction
  const serializedTransaction = await workspace.account.signTransaction({
    chainId: 8453,
    type: 'eip1559',
    nonce: change.nonce ?? (await client().getTransactionCount({ address: workspace.account.address, blockTag: 'pending' })),
    gas: 100_000n,
    maxFeePerGas: 10_000_000_000n + (change.tip ?? 0n),
    maxPriorityFeePerGas: 1_000_000n + (change.tip ?? 0n),
    to: to as Hex,
    data: change.data ?? (data as Hex),
    value: 0n,
  })
  return client().sendRawTransaction({ serializedTransaction })
}

const allowance = () =>
  client().readContract({
    address: chain.usdc,
    abi: [{ type: 'function', name: 'allowance', stateMutability: 'view', inputs: [{ type: 'address' }, { type: 'address' }], outputs: [{ type: 'uint256' }] }],
    functionName: 'allowance',
    args: [workspace.account.address, chain.router],
  })

const asked = async () => {
  const { intent: planned } = await prepare()
  const request = value(await ask(planned.ref))
  return { ref: planned.ref, request }
}
const sent = async () => {
  const { ref, request } = await asked()
  const txHash = await broadcast(request)
  value(await workspace.handlers()['intents.answered']({ ref, answer: txHash }))
  return { ref, txHash }
}
/** Runs the intent tracker repeatedly until the payment reaches the wanted state. */
const becomes = (ref: string, wanted: string) =>
  expect
    .poll(async () => {
      await workspace.tick()
      return state(ref)
    }, patience)
    .toBe(wanted)

test('the app decodes an execution payment and shows its cost before it sends a request to the wallet [KEY-13, FLOW-03]', async () => {
  const prepared = await prepare()
  expect(prepared).toMatchObject({
    keyId,
    amountUsdc: '25.5',
    verdict: 'confirm',
    expectedPhrase: 'allow 25.5 USDC',
    transaction: { from: workspace.account.address, to: chain.usdc, value: '0x0' },
    target: { role: 'collateral_token', check: { state: 'new', hasCode: true } },
    call: { signature: 'approve(address,uint256)' },
    spending: { spender: chain.router, amountUsdc: '25.5' },
    simulation: { outcome: 'works' },
    gas: { enough: true },
    intent: { state: 'PREPARED', action: 'execution_payment' },
  })
  expect(Number(prepared.gas?.units)).toBeGreaterThan(21_000)
  expect(await allowance()).toBe(0n)
})

test('the app sends an accepted execution payment through the wallet, and follows it for eight confirmations [KEY-13, FLOW-06]', async () => {
  const { ref, request } = await asked()
  expect(request).toEqual({
    method: 'eth_sendTransaction',
    wallet: workspace.account.address,
    chainId: 8453,
    transaction: (await prepare()).transaction,
    expiresAtMs: expect.any(Number),
  })
  const txHash = await broadcast(request)
  expect(value(await workspace.handlers()['intents.answered']({ ref, answer: txHash }))).toMatchObject({ ref, txHash })
  await becomes(ref, 'CONFIRMING')
  expect((await intent(ref)).confirmations).toBeLessThan(8)
  await chain.mine(8)
  await becomes(ref, 'FINAL')
  expect(await allowance()).toBe(25_500_000n)
  expect(value(await workspace.handlers()['intents.get']({ ref })).timeline.map((step) => step.state)).toEqual(
    expect.arrayContaining(['PLANNED', 'PREPARED', 'ASKED', 'SUBMITTED', 'CONFIRMING', 'FINAL']),
  )
})

test('for each execution payment, the user must type a phrase with its amount; confirming the contract with a click is not enough [KEY-13]', async () => {
  const { ref } = (await prepare()).intent
  expect(failure(await ask(ref, { typedPhrase: null, typedRouter: 'yes' }))).toEqual({
    kind: 'confirmation_required',
    what: 'transaction',
    expected: 'allow 25.5 USDC',
  })
  expect(failure(await ask(ref, { typedPhrase: 'allow 25.5 USDC', typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', what: 'router' })
  expect(await state(ref)).toBe('PREPARED')
  value(await ask(ref))
  // The contracts are trusted now, but the user must still type the phrase for each payment.
  const again = await prepare()
  expect(again.target.check?.state).toBe('pinned')
})

test.each(['spender', 'unlimited', 'token', 'wallet', 'value', 'selector', 'expired'] satisfies Faults['payment'][])(
  'the app blocks an execution payment that the service altered (%s) before it reaches the wallet [KEY-13, FLOW-03]',
  async (altered) => {
    workspace.faults.payment = altered
    const prepared = await prepare()
    expect(prepared).toMatchObject({ verdict: 'block', expectedPhrase: null, intent: { state: 'REFUSED' } })
    expect(failure(await ask(prepared.intent.ref)).kind).toMatch(/wrong_state|signing_refused|expired/)
  },
)

test('the app requests no execution payment from a wallet without enough ETH for the network fee [FLOW-03]', async () => {
  const { ref } = (await prepare()).intent
  const rpc = (method: string, params: unknown[]) =>
    fetch(chain.rpcUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
  await rpc('anvil_setBalance', [workspace.account.address, '0x0'])
  expect(value(await workspace.handlers()['agents.payment']({ ref })).gas).toMatchObject({ enough: false, balanceEth: '0' })
  expect(failure(await ask(ref))).toMatchObject({ kind: 'not_executable', status: 'no_gas' })
  expect(await state(ref)).toBe('PREPARED')
})

test('the app requests no execution payment from a wallet on another chain [GEN-08]', async () => {
  const { ref } = (await prepare()).intent
  await workspace.connect(workspace.account, 137)
  expect(failure(await ask(ref))).toEqual({ kind: 'wrong_chain', chainId: 137, expected: 8453 })
})

test('if the phone rejects an execution payment, the payment ends; if the phone does not answer, only the chain decides the outcome', async () => {
  const first = await asked()
  value(await workspace.handlers()['intents.declined']({ ref: first.ref, why: 'rejected', detail: null }))
  expect(await state(first.ref)).toBe('CANCELLED')

  const second = await asked()
  value(await workspace.handlers()['intents.declined']({ ref: second.ref, why: 'unreachable', detail: null }))
  expect(await state(second.ref)).toBe('PREPARED')
  value(await ask(second.ref))
  value(await workspace.handlers()['intents.asked']({ ref: second.ref, topic: 't', requestId: '7' }))
  value(await workspace.handlers()['intents.declined']({ ref: second.ref, why: 'cancelled', detail: null }))
  expect(await state(second.ref)).toBe('UNKNOWN')
})

test('after a crash during the wallet request, an execution payment is UNKNOWN and blocks other payments until the chain shows its outcome [KEY-13]', async () => {
  const { ref, request } = await asked()
  value(await workspace.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  await workspace.restart()
  await workspace.connect()
  expect(await state(ref)).toBe('UNKNOWN')
  const other = (await prepare()).intent.ref
  expect(failure(await ask(other))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
  const txHash = await broadcast(request)
  await becomes(ref, 'CONFIRMING')
  expect((await intent(ref)).txHash).toBe(txHash)
  // Prepare a new payment, because the previous one may have expired.
  value(await ask((await prepare()).intent.ref))
})

test('the app finds an execution payment on the chain by its exact content, and ignores other transactions of the same wallet', async () => {
  const { ref, request } = await asked()
  await workspace.restart()
  await workspace.connect()
  await broadcast(request, { data: '0x095ea7b3' })
  await expect.poll(() => client().getTransactionCount({ address: workspace.account.address }), patience).toBe(1)
  await workspace.tick()
  expect(await state(ref)).toBe('UNKNOWN')
  const txHash = await broadcast(request)
  await becomes(ref, 'CONFIRMING')
  expect((await intent(ref)).txHash).toBe(txHash)
})

test('an execution payment that the wallet never sent ends once no open wallet request can send it any more', async () => {
  const { ref } = await asked()
  await workspace.restart()
  await workspace.connect()
  await chain.mine(10)
  await workspace.tick()
  expect(await state(ref)).toBe('UNKNOWN')
  workspace.clock.advance(10 * minute)
  await workspace.signIn()
  await becomes(ref, 'EXPIRED')
  expect((await intent(ref)).reason).toEqual({ code: 'never_sent' })
})

test('if the wallet raised the network fee and so changed the transaction hash, the app still finds the execution payment on the chain', async () => {
  const { ref, request } = await asked()
  await chain.pauseMining(true)
  const nonce = await client().getTransactionCount({ address: workspace.account.address })
  const first = await broadcast(request, { nonce })
  value(await workspace.handlers()['intents.answered']({ ref, answer: first }))
  const second = await broadcast(request, { nonce, tip: 20_000_000_000n })
  await chain.pauseMining(false)
  await becomes(ref, 'CONFIRMING')
  expect((await intent(ref)).txHash).toBe(second)
})

test('the app rejects a transaction hash from the wallet if that transaction is not the execution payment', async () => {
  const { ref, request } = await asked()
  const txHash = await broadcast(request, { data: '0x095ea7b3' })
  await client().waitForTransactionReceipt({ hash: txHash })
  expect(value(await workspace.handlers()['intents.answered']({ ref, answer: txHash })).state).toBe('UNKNOWN')
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: '0x1234' }))).toMatchObject({ kind: 'bad_input', field: 'txHash' })
})

test('when a reorganisation undoes an execution payment’s FINAL state, the app follows the payment again [FLOW-06]', async () => {
  const { ref } = await sent()
  await becomes(ref, 'CONFIRMING')
  await chain.mine(8)
  await becomes(ref, 'FINAL')
  await chain.pauseMining(true)
  await chain.reorganise(12)
  await becomes(ref, 'SUBMITTED')
  expect((await intent(ref)).reason).toEqual({ code: 'taken_back' })
})

test('if the service refuses to prepare an execution payment, or its answer is lost, the payment ends and nothing is sent', async () => {
  workspace.faults.answer = [{ route: paymentRoute, status: 409, code: 'KEY_NOT_ACTIVE', times: 1 }]
  expect(failure(await workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' }))).toMatchObject({ kind: 'refused', code: 'KEY_NOT_ACTIVE' })
  workspace.faults.dropAnswer = [{ route: paymentRoute, times: 20 }]
  expect(failure(await workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc: '25.5' })).kind).toBe('unreachable')
  expect(value(await workspace.handlers()['agents.payments']({ keyId })).map((one) => one.state)).toEqual(['CANCELLED', 'REFUSED'])
  for (const amountUsdc of ['0', '-1', '1.1234567'])
    expect(failure(await workspace.handlers()['agents.preparePayment']({ keyId, amountUsdc })).kind).toBe('bad_input')
})

test('for an execution payment, calls that apply only to orders fail, and the payment needs the typed phrase with its amount', async () => {
  const { ref } = await asked()
  expect(failure(await workspace.handlers()['intents.prepared']({ ref })).kind).toBe('not_found')
  expect(failure(await workspace.handlers()['intents.reprice']({ ref, referencePrice: '1' })).kind).toBe('not_found')
  expect(failure(await workspace.handlers()['intents.resolve']({ ref, outcome: 'carried_out' })).kind).toBe('not_found')
  expect(failure(await workspace.handlers()['intents.answered']({ ref, answer: '0x00' }))).toMatchObject({ kind: 'bad_input', field: 'txHash' })
  expect(await state(ref)).toBe('ASKED')
  const other = (await prepare()).intent.ref
  value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  expect(failure(await ask(other, { typedPhrase: null, typedRouter: null }))).toMatchObject({ kind: 'confirmation_required', expected: 'allow 25.5 USDC' })
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 })).intents).toMatchObject([{ ref: other }, { ref }])
})

test('the app finds on the chain an execution payment that an earlier app version sent to the wallet [FLOW-06]', async () => {
  const { ref, request } = await asked()
  const journal = workspace.journal()
  const [now] = journal.transactions.of(ref)
  if (now === undefined) throw new Error('no transaction')
  // A payment in the form of an earlier app version: the record of the prepared payment contains the chain’s newest block number and the nonce.
  const old = `${ref}-old`
  const row = journal.intents.get(ref)
  if (row === null) throw new Error('no intent')
  const { way, ...same } = row
  journal.intents.plan({ ...same, ref: old, idempotencyKey: old })
  journal.intents.move(old, 'PREPARED', { way, deadlineMs: row.deadlineMs })
  journal.intents.move(old, 'ASKED', { blockNumber: now.blockNumber })
  const { nonce, askedAtMs } = now
  const record = JSON.parse(journal[raw].values.get(`payment/practice/${ref}`) ?? 'null')
  journal[raw].values.set(`payment/practice/${old}`, JSON.stringify({ ...record, nonce, askedAtMs }))
  value(await workspace.handlers()['intents.declined']({ ref, why: 'rejected', detail: null }))
  await workspace.restart()
  await workspace.connect()
  expect(await state(old)).toBe('UNKNOWN')
  const txHash = await broadcast(request)
  await becomes(old, 'CONFIRMING')
  expect((await intent(old)).txHash).toBe(txHash)
})

test('if the stored data of one execution payment is damaged, the app still lists all payments and shows the audit log [V12]', async () => {
  const [first, second] = [(await prepare()).intent.ref, (await prepare()).intent.ref]
  await workspace.restart((file) => {
    const database = new DatabaseSync(file)
    database.prepare("UPDATE intents SET ticket = replace(ticket, 'amountUsdc', 'amountUsdd') WHERE ref = ?").run(first)
    database.close()
  })
  await workspace.connect()
  await workspace.signIn()
  expect(value(await workspace.handlers()['agents.payments']({ keyId })).map(({ ref }) => ref)).toEqual([second])
  expect(failure(await workspace.handlers()['agents.payment']({ ref: first }))).toEqual({ kind: 'not_found', what: 'payment' })
  expect((await workspace.handlers()['audit.list']({ keyId: null, source: 'both', kinds: [], ownCalls: true, text: '', offset: 0, limit: 50 })).ok).toBe(true)
})
