import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { createPublicClient, type Hex, http, parseAbi } from 'viem'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Dapp, startDapp } from '../../e2e/support/practice/dapp.ts'
import { hook, join, type Member, pair, prepareOrder, relayOrder, send } from '../../e2e/support/practice/practice-user.ts'
import { PracticeDescriptor } from '../../shared/practice.ts'
import { systemClock } from '../../shared/time.ts'
import { createPracticeClock } from './base/practice-clock.ts'
import { type Practice, type StartPracticeOptions, startPractice } from './practice.ts'

let practice: Practice
let dapp: Dapp
let member: Member

async function start(options: Partial<StartPracticeOptions> = {}): Promise<Practice> {
  const started = await startPractice({ dataDir: null, seed: 1, port: 0, clock: createPracticeClock(systemClock), hooks: true, ...options })
  if (!started.ok) throw new Error(started.failure.detail)
  return started.value
}

const finality = async (hash: string) => (await member.get(`/native/executions/${hash}`)).body

beforeAll(async () => {
  practice = await start()
  dapp = await startDapp(practice.descriptor.relayUrl, practice.descriptor.rpcUrl)
  await pair(practice.descriptor, dapp)
  member = await join(practice.descriptor, dapp)
}, 20_000)
afterAll(async () => {
  await dapp.stop()
  await practice.stop()
})

test('practice mode reports all its addresses to the app, and every address is on loopback', () => {
  const descriptor = PracticeDescriptor.parse(practice.descriptor)
  const { hostUrl, secondHostUrl, rpcUrl, relayUrl, phoneUrl, hooksUrl } = descriptor
  const hosts = [hostUrl, secondHostUrl, rpcUrl, relayUrl, phoneUrl, hooksUrl ?? ''].map((url) => new URL(url))
  expect(hosts.map(({ hostname }) => hostname)).toEqual(Array(6).fill('127.0.0.1'))
  expect(new Set(hosts.map(({ port }) => port)).size).toBe(6)
})

test('practice mode serves the versioned API on its second host with the same paths as on the first [GEN-02]', async () => {
  const { hostUrl, secondHostUrl } = practice.descriptor
  const headers = { 'X-Svc-API-Key': member.apiKey }
  const ask = (host: string, path: string) => send(`${host}/api/dex/v1${path}`, { headers })
  for (const path of ['/markets', '/meta', '/account', '/positions']) {
    const [first, second] = await Promise.all([ask(hostUrl, path), ask(secondHostUrl, path)])
    expect([second.status, Object.keys(second.body)], path).toEqual([200, Object.keys(first.body)])
    expect(second.headers.get('X-Svc-API-Version')).toBe('v1')
  }
  expect((await send(`${secondHostUrl}/api/dex/v1/markets`)).body).toMatchObject({ error: { code: 'API_KEY_REQUIRED' } })
})

test('practice mode reports chain id 8453 (Base) in every response that contains a chain id [GEN-08]', async () => {
  const { hostUrl, rpcUrl, walletAddress } = practice.descriptor
  expect(await createPublicClient({ transport: http(rpcUrl) }).getChainId()).toBe(8453)
  expect((await send(`${hostUrl}/api/dex/config`)).body).toMatchObject({ chain_id: 8453 })
  expect((await member.get('/meta')).body).toMatchObject({ chain_id: 8453 })
  const challenge = await send(`${hostUrl}/api/dex/developer/challenge`, { method: 'POST', body: { wallet: walletAddress } })
  expect(challenge.body).toMatchObject({ chain_id: 8453, message: expect.stringContaining('(8453)') })
  expect((await prepareOrder(member)).typedData.domain).toMatchObject({
    name: 'SvcDEX',
    version: '1',
    chainId: 8453,
    verifyingContract: practice.descriptor.router,
  })
  expect(dapp.provider.session?.namespaces.eip155?.chains).toEqual(['eip155:8453'])
})

test('the practice exchange prepares an execution payment that the phone can send and that approves exactly the requested amount [KEY-13] [FLOW-03]', {
  timeout: 30_000,
}, async () => {
  const { chain, phone } = practice
  const client = createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 })
  const allowance = () =>
    client.readContract({
      address: chain.usdc,
      abi: parseAbi(['function allowance(address owner, address spender) view returns (uint256)']),
      functionName: 'allowance',
      args: [phone.address, chain.router],
    })
  const prepared = await member.manage(`POST /keys/${member.keyId}/execution-payment`, { amount_usdc: '25.5' })
  const transaction = prepared.body.transaction as { from: string; to: string; data: string; value: string; deadline: number }
  expect(transaction.deadline).toBeGreaterThan(await chain.timestamp())
  expect(await allowance()).toBe(0n)
  const { from, to, data, value } = transaction
  const hash = (await dapp.request('eth_sendTransaction', [{ from, to, data, value }])) as Hex
  expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
  expect(await allowance()).toBe(25_500_000n)
  expect(await chain.usdcOf(phone.address)).toBe(5_000_000_000n)
})

test('in practice mode, an order signed on the phone reaches FINAL, and a reorganisation of the chain undoes the order [FLOW-01, FLOW-06]', {
  timeout: 30_000,
}, async () => {
  const { descriptor, chain } = practice
  await hook(descriptor, 'POST /chain', { pause: true })
  const hash = await relayOrder(descriptor, dapp, await prepareOrder(member))
  expect(await finality(hash)).toMatchObject({ tx_hash: hash, finality: 'PENDING' })
  await hook(descriptor, 'POST /chain', { mine: 1 })
  expect(await finality(hash)).toMatchObject({ finality: 'PENDING_FINALITY', confirmations: 1, block_number: Number(await chain.blockNumber()) })
  expect((await member.get('/positions')).body.positions).toMatchObject([{ symbol: 'BTC-PERP', side: 'long' }])
  await hook(descriptor, 'POST /chain', { mine: 6 })
  expect(await finality(hash)).toMatchObject({ finality: 'PENDING_FINALITY', confirmations: 7 })
  await hook(descriptor, 'POST /chain', { pause: false })
  await expect.poll(() => finality(hash), { timeout: 8_000 }).toMatchObject({ finality: 'FINAL' })
  const depth = Number(await chain.blockNumber()) - Number((await finality(hash)).block_number) + 2
  await hook(descriptor, 'POST /chain', { reorg: depth })
  expect((await finality(hash)).finality).not.toBe('FINAL')
  expect((await member.get('/positions')).body.positions).toEqual([])
})

test('the wallet of practice mode starts with collateral on the practice exchange and USDC to deposit', async () => {
  expect((await member.get('/account')).body).toMatchObject({ collateral_usdc: expect.stringMatching(/^10000(\.0+)?$/) })
  expect(practice.phone.state().usdc).toBe('5000')
})

test('the practice phone can withdraw collateral and deposit the exchange’s own token SVC [FLOW-03] [FLOW-04]', { timeout: 30_000 }, async () => {
  const { chain, phone, descriptor } = practice
  const created = await member.manage('POST /keys', { label: 'treasury', scopes: ['account:read', 'collateral:manage'] })
  const headers = { 'X-Svc-API-Key': String(created.body.api_key) }
  const broadcast = async (action: string, payload: object) => {
    const prepared = await send(`${descriptor.hostUrl}/api/dex/v1/orders/prepare`, {
      method: 'POST',
      headers: { ...headers, 'Idempotency-Key': `${action}-1` },
      body: { action, payload },
    })
    const { ready, transactions } = prepared.body.execution as { ready: boolean; transactions: { from: string; to: string; data: string; value: string }[] }
    expect([action, ready, prepared.body.execution]).toEqual([action, true, prepared.body.execution])
    const client = createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 })
    for (const { from, to, data, value } of transactions) {
      const hash = (await dapp.request('eth_sendTransaction', [{ from, to, data, value }])) as Hex
      expect((await client.waitForTransactionReceipt({ hash })).status).toBe('success')
    }
  }
  const collateral = async () => (await member.get('/collateral')).body.collateral
  const [usdc] = (await collateral()) as { balance: string }[]
  // The exchange credits the practice collateral on chain. The reorganisation above removed that credit, so wait until the exchange repeats it.
  await expect.poll(async () => (await chain.holdings(chain.usdc, phone.address)).router, { timeout: 8_000 }).toBeGreaterThan(250_000_000n)
  await broadcast('withdraw_collateral', { token: 'USDC', amount: '250' })
  await broadcast('add_collateral', { token: 'SVC', amount: '2500' })
  expect(await collateral()).toMatchObject([
    { token: 'USDC', balance: (Number(usdc?.balance) - 250).toFixed(2) },
    { token: 'SVC', balance: '2500' },
  ])
  expect(await chain.usdcOf(phone.address)).toBe(5_250_000_000n)
})

test('if a part of practice mode fails to start, the error names that part, and nothing stays running', async () => {
  const blocker = createServer()
  await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    blocker.close()
  })
  const address = blocker.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const started = await startPractice({ dataDir: null, seed: 1, port, clock: createPracticeClock(systemClock), hooks: false })
  expect(started).toMatchObject({ ok: false, failure: { part: 'exchange', detail: expect.stringContaining('EADDRINUSE') } })
})

test('practice mode reports if its chain process has ended unexpectedly', async () => {
  const doomed = await start({ hooks: false })
  onTestFinished(() => doomed.stop())
  process.kill(doomed.chain.pid, 'SIGKILL')
  expect(await doomed.broken).toEqual({ part: 'chain', detail: 'The practice chain has stopped: it was ended by SIGKILL.' })
})

test('practice mode keeps its wallet, key and contracts across a restart, and its clock never goes back', { timeout: 30_000 }, async () => {
  const dataDir = mkdtempSync(joinPath(tmpdir(), 'svc-desk-practice-test-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const first = await start({ dataDir })
  const { walletAddress, router, usdc } = first.descriptor
  await hook(first.descriptor, 'POST /clock', { advanceMs: 3_600_000 })
  const block = await first.chain.blockNumber()
  await expect.poll(() => first.chain.blockNumber(), { timeout: 8_000 }).toBeGreaterThan(block)
  const before = first.clock.now()
  await first.stop()
  const second = await start({ dataDir })
  onTestFinished(() => second.stop())
  expect(second.descriptor).toMatchObject({ walletAddress, router, usdc })
  expect(second.clock.now()).toBeGreaterThan(before - 2_000)
  expect(second.phone.state().usdc).toBe('5000')
})

test('practice mode offers no test hooks unless it is started with the option for them', async () => {
  const plain = await start({ hooks: false })
  onTestFinished(() => plain.stop())
  expect(plain.descriptor.hooksUrl).toBeNull()
})
