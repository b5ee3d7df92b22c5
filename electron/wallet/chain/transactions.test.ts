import { createPublicClient, createWalletClient, encodeFunctionData, http, numberToHex, parseAbi, parseEther } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { base } from 'viem/chains'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { foreign } from '../../../shared/foreign/foreign.ts'
import type { WalletTransaction } from '../../../shared/ipc/intents/signing.ts'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'
import { createPostJson, type PostJson } from './rpc.ts'
import { type ChainTransactions, createChainTransactions, sameTransaction } from './transactions.ts'

const abi = parseAbi(['function transfer(address to, uint256 amount)', 'function withdraw(uint256 amount)'])
const account = privateKeyToAccount(generatePrivateKey())
let chain: RunningChain
let transactions: ChainTransactions
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
  await chain.fund(account.address, 1_000_000n, parseEther('1'))
  transactions = over(createPostJson())
})
afterAll(() => chain.stop())

const over = (post: PostJson) => createChainTransactions({ rpcUrl: async () => chain.rpcUrl, post })
const silent: PostJson = async () => {
  throw new Error('away')
}
const transfer = (amount: bigint): WalletTransaction => ({
  from: account.address,
  to: chain.usdc,
  data: encodeFunctionData({ abi, functionName: 'transfer', args: [chain.router, amount] }),
  value: '0x0',
})
const send = async (transaction: WalletTransaction): Promise<string> => {
  const wallet = createWalletClient({ account, chain: base, transport: http(chain.rpcUrl) })
  const hash = await wallet.sendTransaction({ to: transaction.to as `0x${string}`, data: transaction.data as `0x${string}`, gas: 200_000n })
  await createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 50 }).waitForTransactionReceipt({ hash })
  return hash
}
const since = async () => ({ nonce: (await transactions.nonce(account.address)) ?? -1, fromBlock: Number(await chain.blockNumber()) })

test('the app simulates a transaction, and returns its cost or why it would revert [FLOW-03]', async () => {
  expect(await transactions.simulate(transfer(1n))).toEqual({ outcome: 'works', reason: null })
  expect(await transactions.simulate(transfer(2_000_000n))).toMatchObject({ outcome: 'reverts', reason: expect.stringMatching(/\w/) })
  const gas = await transactions.gas(transfer(1n))
  expect(gas?.balanceWei).toBe(parseEther('1'))
  expect(gas?.costWei).toBeGreaterThan((gas?.units ?? 0n) * 1n)
})

test('the app includes Base’s charge for a transaction’s data in the transaction’s cost', async () => {
  const oracle = '0x420000000000000000000000000000000000000F'
  const setCode = async (code: string) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setCode', params: [oracle, code] })
    const answer = await fetch(chain.rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    expect(await answer.json()).not.toHaveProperty('error')
  }
  const without = (await transactions.gas(transfer(1n)))?.costWei ?? 0n
  // The data fee that the fake oracle charges. It is far larger than the other gas cost, which varies from block to block.
  const fee = parseEther('2')
  await setCode(`0x7f${fee.toString(16).padStart(64, '0')}5f5260205ff3`)
  const priced = (await transactions.gas(transfer(1n)))?.costWei ?? 0n
  expect(priced - without).toBeGreaterThan((fee * 119n) / 100n)
  expect(priced - without).toBeLessThan((fee * 121n) / 100n)
  await setCode('0xfe')
  expect(await transactions.gas(transfer(1n))).toBeNull()
  await setCode('0x')
})

test('if the RPC node does not answer, the app treats a transaction’s state, cost and nonce as unknown, and never as negative', async () => {
  const away = over(silent)
  expect(await away.simulate(transfer(1n))).toEqual({ outcome: 'skipped', reason: null })
  expect([await away.gas(transfer(1n)), await away.nonce(account.address), await away.look(`0x${'1'.repeat(64)}`)]).toEqual([null, null, null])
  expect(await away.find(transfer(1n), { nonce: 0, fromBlock: 0 })).toBeNull()
})

/** An RPC node that cannot return past states. */
const forgetful: PostJson = async (url, body, limits) => {
  const { method, params } = JSON.parse(body)
  const past = method === 'eth_getTransactionCount' && String(params[1]).startsWith('0x')
  return past
    ? { status: 200, text: foreign('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"missing trie node"}}') }
    : createPostJson()(url, body, limits)
}

test('the app finds a transaction on the chain by sender, recipient and data, even if the RPC node cannot return past states', async () => {
  const from = await since()
  expect(await transactions.find(transfer(7n), from)).toMatchObject({ state: 'not_found', wallet: 'still' })
  await send(transfer(6n))
  await chain.mine(3)
  expect(await transactions.find(transfer(7n), from)).toMatchObject({ state: 'not_found', wallet: 'moved' })
  const hash = await send(transfer(7n))
  await chain.mine(3)
  expect(await transactions.find(transfer(7n), from)).toEqual({ state: 'found', hash })
  expect(await over(forgetful).find(transfer(7n), from)).toEqual({ state: 'found', hash })
  expect(await over(forgetful).find(transfer(8n), from)).toMatchObject({ state: 'not_found', wallet: 'moved' })
  // The wallet sent this transaction before the app's request, so the search must not find it.
  expect(await transactions.find(transfer(7n), await since())).toMatchObject({ state: 'not_found' })
})

test('while the wallet has a transaction in no block yet, the app does not treat another one as never sent, with or without past states', async () => {
  const from = await since()
  await send(transfer(11n))
  await chain.pauseMining(true)
  onTestFinished(() => chain.pauseMining(false))
  const wallet = createWalletClient({ account, chain: base, transport: http(chain.rpcUrl) })
  await wallet.sendTransaction({ to: chain.usdc as `0x${string}`, data: transfer(12n).data as `0x${string}`, gas: 200_000n }) // safe casts: addresses and calldata are hex
  for (const node of [transactions, over(forgetful)]) expect(await node.find(transfer(13n), from)).toMatchObject({ state: 'not_found', wallet: 'pending' })
})

test('the app counts confirmations from the block that contains the transaction, and reports a revert', async () => {
  const hash = await send(transfer(9n))
  const first = await transactions.look(hash)
  expect(first).toMatchObject({ state: 'mined', succeeded: true })
  await chain.mine(7)
  const later = await transactions.look(hash)
  expect(later?.state === 'mined' && first?.state === 'mined' ? later.confirmations - first.confirmations : 0).toBeGreaterThanOrEqual(7)
  const reverted = await send({ ...transfer(1n), to: chain.router, data: encodeFunctionData({ abi, functionName: 'withdraw', args: [1n] }) })
  expect(await transactions.look(reverted)).toMatchObject({ state: 'mined', succeeded: false })
  expect(await transactions.look(`0x${'1'.repeat(64)}`)).toEqual({ state: 'unseen' })
})

test('the app treats two transactions as the same only if wallet, contract, data and value match', () => {
  const one = { from: account.address, to: account.address, data: '0xAB', value: '0x0' }
  expect(sameTransaction(one, { ...one, from: one.from.toLowerCase(), data: '0xab', value: '0x00' })).toBe(true)
  for (const change of [{ from: `0x${'1'.repeat(40)}` }, { to: `0x${'1'.repeat(40)}` }, { data: '0xabcd' }, { value: numberToHex(1n) }])
    expect(sameTransaction(one, { ...one, ...change })).toBe(false)
})
