import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { type Address, createPublicClient, type Hex, hashTypedData, http, keccak256, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { callLayouts } from '../dialect/call-layout.ts'
import { drawDialect } from '../dialect/draw.ts'
import type { TransactionState } from './practice-chain.ts'
import type { IntentMessage } from './router-intents.ts'
import { type ChainOptions, compactState, type RunningChain, startChain } from './start-chain.ts'

const patience = { timeout: 8_000 }

const trader = privateKeyToAccount(generatePrivateKey())
const clock = createPracticeClock(systemClock)
type OpenMessage = IntentMessage<'OpenPosition'>

let chain: RunningChain
let nonces = 0n

const openPositionTypes = {
  OpenPosition: [
    { name: 'trader', type: 'address' },
    { name: 'pairId', type: 'uint256' },
    { name: 'side', type: 'string' },
    { name: 'orderType', type: 'string' },
    { name: 'marginMode', type: 'string' },
    { name: 'leverage', type: 'uint256' },
    { name: 'orderValue', type: 'uint256' },
    { name: 'referencePrice', type: 'uint256' },
    { name: 'maxSlippageBps', type: 'uint256' },
    { name: 'limitPrice', type: 'uint256' },
    { name: 'triggerPrice', type: 'uint256' },
    { name: 'timeInForce', type: 'string' },
    { name: 'restIfUnfilled', type: 'bool' },
    { name: 'postOnly', type: 'bool' },
    { name: 'takeProfit', type: 'uint256' },
    { name: 'stopLoss', type: 'uint256' },
    { name: 'clientOrderId', type: 'string' },
    { name: 'nonce', type: 'uint256' },
    { name: 'deadline', type: 'uint256' },
  ],
} as const

async function start(options: Partial<ChainOptions> = {}): Promise<RunningChain> {
  const started = await startChain({ clock, dataDir: null, firstHolder: null, history: true, ...options })
  if (!started.ok) throw new Error(started.failure.detail)
  return started.value
}

function intent(change: Partial<OpenMessage> = {}): OpenMessage {
  nonces += 1n
  return {
    trader: trader.address,
    pairId: 1n,
    side: 'long',
    orderType: 'market',
    marginMode: 'cross',
    leverage: 10n,
    orderValue: 25_000_000_000n,
    referencePrice: 9_610_000_000_000n,
    maxSlippageBps: 50n,
    limitPrice: 0n,
    triggerPrice: 0n,
    timeInForce: 'ioc',
    restIfUnfilled: false,
    postOnly: false,
    takeProfit: 9_850_000_000_000n,
    stopLoss: 0n,
    clientOrderId: 'order-1',
    nonce: nonces,
    deadline: BigInt(Math.floor(clock.now() / 1_000) + 120),
    ...change,
  }
}

const open = (message: OpenMessage) => ({ primaryType: 'OpenPosition', message }) as const

const typedData = (message: OpenMessage, domain: { name?: string; version?: string; chainId?: number; verifyingContract?: Address } = {}) => ({
  domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router, ...domain },
  types: openPositionTypes,
  primaryType: 'OpenPosition' as const,
  message: { ...message },
})

async function settled(hash: Hex): Promise<TransactionState> {
  let state = await chain.transaction(hash)
  while (state?.status === 'pending') {
    await nextBlock()
    state = await chain.transaction(hash)
  }
  if (state === null) throw new Error(`The chain has lost ${hash}`)
  return state
}

const nextBlock = () =>
  new Promise<void>((resolve) => {
    const stop = chain.onBlock(() => {
      stop()
      resolve()
    })
  })

beforeAll(async () => {
  chain = await start({ firstHolder: { owner: trader.address, usdc: 1_000_000_000n } })
})
afterAll(() => chain.stop())

test('the practice chain has the chain id of Base, 8453, and automatically mines a block every second [GEN-08]', async () => {
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  expect(await client.getChainId()).toBe(8453)
  const heads: bigint[] = []
  await new Promise<void>((resolve) => {
    const stop = chain.onBlock((head) => {
      heads.push(head)
      if (heads.length === 3) {
        stop()
        resolve()
      }
    })
  })
  expect(heads).toEqual([heads[0], (heads[0] ?? 0n) + 1n, (heads[0] ?? 0n) + 2n])
  expect(Math.abs((await chain.timestamp()) - clock.now() / 1_000)).toBeLessThan(2.5)
})

test('the practice router contract accepts an intent signed by its trader, and emits an event with the digest of the signed data [FLOW-01]', async () => {
  const message = intent()
  const from = await chain.blockNumber()
  const hash = await chain.submitIntent(open(message), await trader.signTypedData(typedData(message)))
  const { status, blockNumber } = await settled(hash)
  expect(status).toBe('success')
  expect(await chain.routerEvents(from)).toContainEqual({
    name: 'IntentAccepted',
    args: { digest: hashTypedData(typedData(message)), trader: trader.address, nonce: message.nonce },
    txHash: hash,
    blockNumber,
    ordinal: 0,
  })
})

test('the practice router contract reverts an intent if any field differs from the signed one [FLOW-01]', async () => {
  const other = privateKeyToAccount(generatePrivateKey()).address
  const changes: Partial<OpenMessage>[] = [
    { trader: other },
    { pairId: 2n },
    { side: 'short' },
    { orderType: 'limit' },
    { marginMode: 'isolated' },
    { leverage: 11n },
    { orderValue: 25_000_000_001n },
    { referencePrice: 1n },
    { maxSlippageBps: 51n },
    { limitPrice: 1n },
    { triggerPrice: 1n },
    { timeInForce: 'gtc' },
    { restIfUnfilled: true },
    { postOnly: true },
    { takeProfit: 0n },
    { stopLoss: 1n },
    { clientOrderId: 'order-2' },
    { nonce: 10_000n },
    { deadline: BigInt(Math.floor(clock.now() / 1_000) + 121) },
  ]
  const message = intent()
  expect(changes.map((change) => Object.keys(change)[0]).toSorted()).toEqual(Object.keys(message).toSorted())
  const signature = await trader.signTypedData(typedData(message))
  const hashes = await Promise.all(changes.map((change) => chain.submitIntent(open({ ...message, ...change }), signature)))
  const states = await Promise.all(hashes.map(settled))
  expect(states.map(({ status }) => status)).toEqual(changes.map(() => 'reverted'))
  expect((await settled(await chain.submitIntent(open(message), signature))).status).toBe('success')
})

test('the practice router contract refuses an intent signed for another domain, an intent past its deadline, and a used nonce [FLOW-01]', async () => {
  const message = intent()
  const expired = intent({ deadline: BigInt(Math.floor(clock.now() / 1_000) - 5) })
  const good = await trader.signTypedData(typedData(message))
  const domains = [{ name: 'svcDEX' }, { version: '2' }, { chainId: 1 }, { verifyingContract: chain.usdc }]
  const foreign = await Promise.all(domains.map((domain) => trader.signTypedData(typedData(message, domain))))
  const hashes: Hex[] = []
  for (const signature of [...foreign, '0x1234' as const]) hashes.push(await chain.submitIntent(open(message), signature))
  hashes.push(await chain.submitIntent(open(expired), await trader.signTypedData(typedData(expired))))
  hashes.push(await chain.submitIntent(open(message), good), await chain.submitIntent(open(message), good))
  const states = await Promise.all(hashes.map(settled))
  expect(states.map(({ status }) => status)).toEqual([...Array(6).fill('reverted'), 'success', 'reverted'])
})

test('the practice chain reports a transaction as pending, then its confirmations, until a reorganisation removes it [FLOW-06]', async () => {
  const unknown = `0x${'ab'.repeat(32)}` as const
  expect(await chain.transaction(unknown)).toBeNull()
  await chain.pauseMining(true)
  const message = intent()
  const hash = await chain.submitIntent(open(message), await trader.signTypedData(typedData(message)))
  expect(await chain.transaction(hash)).toEqual({ status: 'pending', blockNumber: null, confirmations: 0 })
  await chain.mine(1)
  const head = await chain.blockNumber()
  expect(await chain.transaction(hash)).toEqual({ status: 'success', blockNumber: head, confirmations: 1 })
  await chain.mine(7)
  expect(await chain.transaction(hash)).toEqual({ status: 'success', blockNumber: head, confirmations: 8 })
  await chain.reorganise(9)
  expect(await chain.transaction(hash)).toBeNull()
  expect(await chain.routerEvents(head)).toEqual([])
  await chain.pauseMining(false)
  const again = await chain.submitIntent(open(message), await trader.signTypedData(typedData(message)))
  expect((await settled(again)).status).toBe('success')
  expect(Math.abs((await chain.timestamp()) - clock.now() / 1_000)).toBeLessThan(2.5)
})

test('the practice chain notifies its listeners of a reorganisation even if the block number stays the same [FLOW-06]', async () => {
  await chain.pauseMining(true)
  onTestFinished(() => chain.pauseMining(false))
  const head = await chain.blockNumber()
  const heads: bigint[] = []
  const stop = chain.onBlock((number) => heads.push(number))
  onTestFinished(() => {
    stop()
  })
  await chain.mine(1)
  await expect.poll(() => heads.at(-1), patience).toBe(head + 1n)
  const before = heads.length
  await chain.reorganise(2)
  await expect.poll(() => heads.slice(before), patience).toEqual([head + 1n])
})

test('a test teaches the practice chain’s router contract a call format only once, and again if a reorganisation removed the format', async () => {
  await chain.pauseMining(true)
  onTestFinished(() => chain.pauseMining(false))
  const [layout] = callLayouts(drawDialect(7))
  if (layout === undefined) throw new Error('The dialect has no layout')
  const client = createPublicClient({ transport: http(chain.rpcUrl) })
  const abi = parseAbi(['function taught(bytes4) view returns (bytes32)'])
  const isKnown = async () =>
    (await client.readContract({ address: chain.router, abi, functionName: 'taught', args: [layout.selector] })) === keccak256(layout.taught)
  await chain.teach([layout])
  expect(await isKnown()).toBe(true)
  const head = await chain.blockNumber()
  await chain.teach([layout])
  expect(await chain.blockNumber()).toBe(head)
  await chain.reorganise(1)
  expect(await isKnown()).toBe(false)
  await chain.teach([layout])
  expect(await isKnown()).toBe(true)
})

test('reading the newest state of the practice chain succeeds even while new blocks arrive', { timeout: 30_000 }, async () => {
  const other = await start({ history: false, firstHolder: { owner: trader.address, usdc: 9_000_000n } })
  onTestFinished(() => other.stop())
  let mining = true
  const blocks = (async () => {
    while (mining) await other.mine(1)
  })()
  const reads = await Promise.allSettled(Array.from({ length: 400 }, () => other.usdcOf(trader.address)))
  mining = false
  await blocks
  expect(reads.filter((read) => read.status === 'rejected')).toEqual([])
})

test('the practice chain gives the practice account its play money, and can fund other accounts with USDC and ether', async () => {
  expect(await chain.usdcOf(trader.address)).toBe(1_000_000_000n)
  const other = privateKeyToAccount(generatePrivateKey()).address
  await chain.fund(other, 5_000_000n, 10n ** 15n)
  expect(await chain.usdcOf(other)).toBe(5_000_000n)
  expect(await createPublicClient({ transport: http(chain.rpcUrl) }).getBalance({ address: other })).toBe(10n ** 15n)
})

test('the practice router contract refuses an intent whose deadline has passed on the practice clock', async () => {
  const message = intent({ deadline: BigInt(Math.floor(clock.now() / 1_000) + 120) })
  const signature = await trader.signTypedData(typedData(message))
  clock.advance(121_500)
  await chain.timeSettled()
  expect((await settled(await chain.submitIntent(open(message), signature))).status).toBe('reverted')
  const behind = clock.now() / 1_000 - (await chain.timestamp())
  expect(behind).toBeGreaterThan(-1)
  expect(behind).toBeLessThan(3)
})

test.each([-600_000, 600_000])(
  'if the practice clock is %i ms off real time, the practice chain’s first block has the time of the practice clock [ORD-12]',
  async (aheadMs) => {
    const moved = createPracticeClock({ now: () => systemClock.now() + aheadMs, monotonic: systemClock.monotonic })
    const other = await start({ clock: moved, behindRealTime: aheadMs < 0 })
    onTestFinished(() => other.stop())
    await other.mine(1)
    expect(Math.abs(moved.now() / 1_000 - (await other.timestamp()))).toBeLessThan(3)
  },
)

function folder(): string {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-desk-chain-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

function stateFileIn(dataDir: string): string {
  const files = readdirSync(dataDir).filter((name) => /^chain-[0-9a-f]{8}\.json$/.test(name))
  expect(files).toHaveLength(1)
  return join(dataDir, files[0] ?? '')
}

test('the practice chain keeps keys, contracts, balances and transactions across a restart, even after it dropped old blocks', {
  timeout: 30_000,
}, async () => {
  const dataDir = folder()
  const options = { dataDir, firstHolder: { owner: trader.address, usdc: 7_000_000n }, history: false }
  const first = await start(options)
  expect(statSync(join(dataDir, 'chain-keys.json')).mode & 0o777).toBe(0o600)
  const message = intent()
  const typed = typedData(message)
  const signature = await trader.signTypedData({ ...typed, domain: { ...typed.domain, verifyingContract: first.router } })
  const hash = await first.submitIntent(open(message), signature)
  await first.fund(trader.address, 3_000_000n, 0n)
  await first.mine(1_000)
  const accepted = await first.routerEvents(0n)
  expect(accepted).toMatchObject([{ args: { nonce: message.nonce }, txHash: hash }])
  await first.stop()
  const stateFile = stateFileIn(dataDir)
  const size = statSync(stateFile).size
  compactState(stateFile, 1)
  expect(statSync(stateFile).size).toBeLessThan(size / 2)

  const second = await start(options)
  onTestFinished(() => second.stop())
  expect([second.usdc, second.router]).toEqual([first.usdc, first.router])
  expect(await second.usdcOf(trader.address)).toBe(10_000_000n)
  expect(await second.transaction(hash)).toMatchObject({ status: 'success', blockNumber: accepted[0]?.blockNumber })
  expect(await second.routerEvents(0n)).toEqual(accepted)
})

test('if the practice chain’s state file is broken, the practice chain creates its contracts again at the same addresses', { timeout: 30_000 }, async () => {
  const dataDir = folder()
  const options = { dataDir, firstHolder: { owner: trader.address, usdc: 7_000_000n }, history: false }
  const first = await start(options)
  await first.fund(trader.address, 3_000_000n, 0n)
  await first.stop()
  const stateFile = stateFileIn(dataDir)
  writeFileSync(stateFile, readFileSync(stateFile).subarray(0, 100))
  const second = await start(options)
  onTestFinished(() => second.stop())
  expect([second.usdc, second.router]).toEqual([first.usdc, first.router])
  expect(await second.usdcOf(trader.address)).toBe(7_000_000n)
  expect(readdirSync(dataDir)).toContain(`${basename(stateFile)}.broken`)
})

test('the practice chain gives every installation its own contract addresses', async () => {
  const other = await start()
  expect(other.router).not.toBe(chain.router)
  expect(other.usdc).not.toBe(chain.usdc)
  await other.stop()
})

test('the practice chain refuses to start on a platform for which it has no program, and names the platform', async () => {
  expect(await startChain({ clock, dataDir: null, firstHolder: null, history: false, platform: 'aix', arch: 'ppc64' })).toMatchObject({
    ok: false,
    failure: { kind: 'unsupported_platform', detail: 'Practice mode has no local chain for aix on ppc64.' },
  })
})
