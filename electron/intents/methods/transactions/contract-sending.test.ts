import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseEther } from 'viem'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Sender, startSender } from '../../../../e2e/support/main/sender.ts'
import { failure, value } from '../../../../e2e/support/main/workspace.ts'
import { type ContractWallet, contractWallets } from '../../../../e2e/support/practice/chain/contract-wallet.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { minute, systemClock } from '../../../../shared/time.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { createChainClient } from '../../../practice/chain/chain-client.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'

let chain: RunningChain
let owned: ContractWallet
let workspace: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(started.failure.detail)
  chain = started.value
  owned = await (await contractWallets(chain.rpcUrl))()
  await owned.create()
  await createChainClient(chain.rpcUrl).setBalance({ address: owned.owner.address, value: parseEther('1') })
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain)
})
afterEach(() => workspace.stop())

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
const walletAbi = parseAbi(['function execute(address to, bytes data)'])

/** Turns the test’s wallet into a contract wallet that the owner’s account controls. */
async function becomeContract(): Promise<void> {
  const client = createChainClient(chain.rpcUrl)
  const code = await client.getCode({ address: owned.address })
  if (code === undefined) throw new Error('no code')
  await client.setCode({ address: workspace.account.address, bytecode: code })
}

/** Executes a wallet’s call as an ERC-4337 entry point or a Safe does: inside a transaction of another account. */
async function execute(request: SignRequest): Promise<Hex> {
  if (request.method !== 'eth_sendTransaction') throw new Error(request.method)
  const { to, data } = request.transaction
  const call = encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [to as Hex, data as Hex] })
  const sender = createWalletClient({ account: owned.owner, chain: base, transport: http(chain.rpcUrl) })
  const hash = await sender.sendTransaction({ to: workspace.account.address, data: call })
  await createChainClient(chain.rpcUrl).waitForTransactionReceipt({ hash })
  return hash
}

/** Requests a transaction from a wallet that never answers. The intent becomes UNKNOWN. */
async function lost(ref: string): Promise<SignRequest> {
  const request = value(await workspace.ask(ref))
  value(await workspace.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  value(await workspace.handlers()['intents.declined']({ ref, why: 'expired', detail: null }))
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  return request
}
const evidence = async (ref: string) => value(await workspace.handlers()['intents.evidence']({ ref })).evidence
const notSent = (ref: string, typed: string) => workspace.handlers()['intents.notSent']({ ref, typed })
/** Waits until the phone can no longer broadcast the transaction for any request. */
const outlive = async () => {
  await chain.mine(10)
  workspace.clock.advance(10 * minute)
  await workspace.signIn()
  await workspace.tick()
}

test('the app finds a contract wallet’s token approval and deposit on the chain without knowing their hashes, and follows both to FINAL [FLOW-03, FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await workspace.prepareAction(deposit)).intent
  const approval = await lost(ref)
  expect(await workspace.intent(ref)).toMatchObject({ reason: { code: 'contract_awaited' } })
  const approved = await execute(approval)
  await workspace.becomes(ref, 'PREPARED')
  const deposited = await execute(await lost(ref))
  await workspace.finalise(ref)
  expect((await workspace.shown(ref)).transactions.map(({ txHash }) => txHash)).toEqual([approved, deposited])
  expect(await workspace.shown(ref)).toMatchObject({ contractWallet: true })
})

test('the app finds a contract wallet’s cancellation of an order on the chain by the event that the router contract emits [FLOW-03, FLOW-07]', async () => {
  const order = await workspace.restingOrder()
  await becomeContract()
  const { ref } = (await workspace.prepareAction({ action: 'cancel_order', order })).intent
  const hash = await execute(await lost(ref))
  await workspace.finalise(ref)
  expect(await workspace.intent(ref)).toMatchObject({ txHash: hash })
})

test('if the wallet returns its own request id instead of a transaction hash, the app finds the transaction on the chain [FLOW-03]', async () => {
  await becomeContract()
  const { ref, request } = await workspace.askedFor(deposit)
  await workspace.sentBy(ref, `0x${'5a'.repeat(32)}`)
  const hash = await execute(request)
  await workspace.becomes(ref, 'PREPARED')
  expect((await workspace.shown(ref)).transactions[0]).toMatchObject({ txHash: hash })
})

test('once no wallet request can send an UNKNOWN deposit any more, the user can mark the deposit as not sent and then repeat it [FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await workspace.prepareAction(deposit)).intent
  await lost(ref)
  expect(await evidence(ref)).toMatchObject({ hashes: [], over: false })
  expect(failure(await notSent(ref, 'not sent')).kind).toBe('wrong_state')
  await outlive()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'contract_undecided' } })
  expect(await evidence(ref)).toMatchObject({ hashes: [], over: true })
  expect(failure(await workspace.handlers()['intents.prepare'](deposit)).kind).toBe('held_back')
  expect(failure(await notSent(ref, 'yes'))).toMatchObject({ kind: 'bad_input', field: 'typed' })
  expect(value(await notSent(ref, 'Not sent'))).toMatchObject({
    state: 'EXPIRED',
    reason: { code: 'user_not_sent', upToBlock: expect.any(Number) },
  })
  expect(value(await workspace.handlers()['intents.prepare'](deposit)).ready).toBe(true)
})

test('the app does not let the user mark a deposit as not sent if the chain shows the deposit’s transaction', async () => {
  await becomeContract()
  const { ref } = (await workspace.prepareAction(deposit)).intent
  const request = await lost(ref)
  await outlive()
  await execute(request)
  expect(failure(await notSent(ref, 'not sent')).kind).toBe('wrong_state')
  expect((await workspace.intent(ref)).state).toBe('ASKED')
})

test('if several transactions on the chain could be the one of an intent, the app asks the user to choose one [FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await workspace.prepareAction(deposit)).intent
  const request = await lost(ref)
  const hashes = [await execute(request), await execute(request)]
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'several_alike' } })
  expect(await evidence(ref)).toMatchObject({ hashes })
  await workspace.sentBy(ref, hashes[1] ?? '')
  await workspace.becomes(ref, 'PREPARED')
  expect((await workspace.shown(ref)).transactions[0]).toMatchObject({ txHash: hashes[1] })
})
