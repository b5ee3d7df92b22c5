import { createWalletClient, encodeFunctionData, type Hex, http, parseAbi, parseEther } from 'viem'
import { base } from 'viem/chains'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { failure, value } from '../../../../e2e/support/main/desk.ts'
import { type Sender, startSender } from '../../../../e2e/support/main/sender.ts'
import { type ContractWallet, contractWallets } from '../../../../e2e/support/practice/chain/contract-wallet.ts'
import type { SignRequest } from '../../../../shared/ipc/intents/signing.ts'
import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { minute, systemClock } from '../../../../shared/time.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { createChainClient } from '../../../practice/chain/chain-client.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'

let chain: RunningChain
let owned: ContractWallet
let desk: Sender
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
  desk = await startSender(chain)
})
afterEach(() => desk.stop())

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
const walletAbi = parseAbi(['function execute(address to, bytes data)'])

/** From here on the wallet is a contract, with the owner's account behind it. */
async function becomeContract(): Promise<void> {
  const client = createChainClient(chain.rpcUrl)
  const code = await client.getCode({ address: owned.address })
  if (code === undefined) throw new Error('no code')
  await client.setCode({ address: desk.account.address, bytecode: code })
}

/** Carries a call out as an entry point or a Safe does: in a transaction of somebody else. */
async function execute(request: SignRequest): Promise<Hex> {
  if (request.method !== 'eth_sendTransaction') throw new Error(request.method)
  const { to, data } = request.transaction
  const call = encodeFunctionData({ abi: walletAbi, functionName: 'execute', args: [to as Hex, data as Hex] })
  const sender = createWalletClient({ account: owned.owner, chain: base, transport: http(chain.rpcUrl) })
  const hash = await sender.sendTransaction({ to: desk.account.address, data: call })
  await createChainClient(chain.rpcUrl).waitForTransactionReceipt({ hash })
  return hash
}

/** Asked for, and the wallet gave no hash. */
async function lost(ref: string): Promise<SignRequest> {
  const request = value(await desk.ask(ref))
  value(await desk.handlers()['intents.asked']({ ref, topic: 't', requestId: '7' }))
  value(await desk.handlers()['intents.declined']({ ref, why: 'expired', detail: null }))
  expect((await desk.intent(ref)).state).toBe('UNKNOWN')
  return request
}
const evidence = async (ref: string) => value(await desk.handlers()['intents.evidence']({ ref })).evidence
const notSent = (ref: string, typed: string) => desk.handlers()['intents.notSent']({ ref, typed })
/** Until no request to the phone can bring it any more. */
const outlive = async () => {
  await chain.mine(10)
  desk.clock.advance(10 * minute)
  await desk.signIn()
  await desk.tick()
}

test('an approval and a deposit that a contract wallet never gave a hash for are found by what they did, and go on to FINAL [FLOW-03, FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await desk.prepareAction(deposit)).intent
  const approval = await lost(ref)
  expect(await desk.intent(ref)).toMatchObject({ reason: { code: 'contract_awaited' } })
  const approved = await execute(approval)
  await desk.becomes(ref, 'PREPARED')
  const deposited = await execute(await lost(ref))
  await desk.finalise(ref)
  expect((await desk.shown(ref)).transactions.map(({ txHash }) => txHash)).toEqual([approved, deposited])
  expect(await desk.shown(ref)).toMatchObject({ contractWallet: true })
})

test('an order that a contract wallet cancelled is found by the event of the router [FLOW-03, FLOW-07]', async () => {
  const order = await desk.restingOrder()
  await becomeContract()
  const { ref } = (await desk.prepareAction({ action: 'cancel_order', order })).intent
  const hash = await execute(await lost(ref))
  await desk.finalise(ref)
  expect(await desk.intent(ref)).toMatchObject({ txHash: hash })
})

test('what the wallet calls its transaction need not be a hash of the chain: it is found all the same [FLOW-03]', async () => {
  await becomeContract()
  const { ref, request } = await desk.askedFor(deposit)
  await desk.sentBy(ref, `0x${'5a'.repeat(32)}`)
  const hash = await execute(request)
  await desk.becomes(ref, 'PREPARED')
  expect((await desk.shown(ref)).transactions[0]).toMatchObject({ txHash: hash })
})

test('where nothing can tell, the user ends it by a word, after its time and not before, and the same is possible again [FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await desk.prepareAction(deposit)).intent
  await lost(ref)
  expect(await evidence(ref)).toMatchObject({ hashes: [], over: false })
  expect(failure(await notSent(ref, 'not sent')).kind).toBe('wrong_state')
  await outlive()
  expect(await desk.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'contract_undecided' } })
  expect(await evidence(ref)).toMatchObject({ hashes: [], over: true })
  expect(failure(await desk.handlers()['intents.prepare'](deposit)).kind).toBe('held_back')
  expect(failure(await notSent(ref, 'yes'))).toMatchObject({ kind: 'bad_input', field: 'typed' })
  expect(value(await notSent(ref, 'Not sent'))).toMatchObject({
    state: 'EXPIRED',
    reason: { code: 'user_not_sent', upToBlock: expect.any(Number) },
  })
  expect(value(await desk.handlers()['intents.prepare'](deposit)).ready).toBe(true)
})

test('what the chain shows counts more than the word that it was not sent', async () => {
  await becomeContract()
  const { ref } = (await desk.prepareAction(deposit)).intent
  const request = await lost(ref)
  await outlive()
  await execute(request)
  expect(failure(await notSent(ref, 'not sent')).kind).toBe('wrong_state')
  expect((await desk.intent(ref)).state).toBe('ASKED')
})

test('of several transactions that do the same the user says which it was [FLOW-07]', async () => {
  await becomeContract()
  const { ref } = (await desk.prepareAction(deposit)).intent
  const request = await lost(ref)
  const hashes = [await execute(request), await execute(request)]
  await desk.tick()
  expect(await desk.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'several_alike' } })
  expect(await evidence(ref)).toMatchObject({ hashes })
  await desk.sentBy(ref, hashes[1] ?? '')
  await desk.becomes(ref, 'PREPARED')
  expect((await desk.shown(ref)).transactions[0]).toMatchObject({ txHash: hashes[1] })
})
