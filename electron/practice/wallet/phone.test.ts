import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  createPublicClient,
  encodeFunctionData,
  type Hex,
  hashTypedData,
  http,
  isHex,
  parseAbi,
  recoverMessageAddress,
  recoverTypedDataAddress,
  stringToHex,
} from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { type Dapp, startDapp } from '../../../e2e/support/practice/dapp.ts'
import type { PhoneRequest } from '../../../shared/ipc/host/wallet.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../base/practice-clock.ts'
import { type RunningChain, startChain } from '../chain/start-chain.ts'
import { type Relay, startRelay } from '../relay/relay-server.ts'
import { type Phone, type PhoneOptions, startPhone, walletKeys } from './phone.ts'

const patience = { timeout: 8_000 }

const clock = createPracticeClock(systemClock)
const keys = walletKeys(null)
const otherAddress = privateKeyToAddress(keys.other)
const marketOf = (id: string) => (id === '1' ? { symbol: 'BTC-PERP', priceDecimals: 1 } : null)
let chain: RunningChain
let relay: Relay
let phone: Phone
let dapp: Dapp

const start = (options: Partial<PhoneOptions> = {}) => startPhone({ clock, peerClock: systemClock, chain, relay, dataDir: null, keys, marketOf, ...options })

async function newDapp(): Promise<Dapp> {
  const started = await startDapp(relay.url, chain.rpcUrl)
  onTestFinished(() => started.stop())
  return started
}

const nextCard = (of: Phone = phone): Promise<PhoneRequest> =>
  new Promise((resolve) => {
    const stop = of.onRequest((card) => {
      stop()
      resolve(card)
    })
  })

async function pair(app: Dapp, wallet: Phone = phone): Promise<string[]> {
  const { uri, connected } = await app.connect()
  const card = nextCard(wallet)
  await wallet.pair(uri)
  await wallet.approve((await card).id)
  return connected
}

async function ask(method: string, params: unknown[], app: Dapp = dapp): Promise<{ card: PhoneRequest; answer: Promise<unknown> }> {
  const shown = nextCard()
  const answer = app.request(method, params)
  answer.catch(() => undefined)
  return { card: await shown, answer }
}

function hex(value: unknown): Hex {
  if (!isHex(value)) throw new Error(`Not hex: ${JSON.stringify(value)}`)
  return value
}

const uint = (name: string) => ({ name, type: 'uint256' })
const text = (name: string) => ({ name, type: 'string' })

function openPosition() {
  return {
    domain: { name: 'SvcDEX', version: '1', chainId: 8453, verifyingContract: chain.router },
    types: {
      EIP712Domain: [text('name'), text('version'), uint('chainId'), { name: 'verifyingContract', type: 'address' }],
      OpenPosition: [
        { name: 'trader', type: 'address' },
        uint('pairId'),
        text('side'),
        text('orderType'),
        text('marginMode'),
        uint('leverage'),
        uint('orderValue'),
        uint('referencePrice'),
        uint('maxSlippageBps'),
        uint('limitPrice'),
        { name: 'postOnly', type: 'bool' },
        uint('takeProfit'),
        uint('nonce'),
        uint('deadline'),
      ],
    },
    primaryType: 'OpenPosition',
    message: {
      trader: phone.address,
      pairId: '1',
      side: 'long',
      orderType: 'limit',
      marginMode: 'cross',
      leverage: '10',
      orderValue: '25000000000',
      referencePrice: '0',
      maxSlippageBps: '50',
      limitPrice: '9610000000000',
      postOnly: true,
      takeProfit: '0',
      nonce: '1204',
      deadline: String(Math.floor(Date.UTC(2030, 0, 31, 12) / 1_000)),
    },
  }
}

beforeAll(async () => {
  relay = await startRelay({ clock, peerClock: systemClock })
  const started = await startChain({ clock, dataDir: null, firstHolder: null, history: false })
  if (!started.ok) throw new Error(started.failure.detail)
  chain = started.value
  phone = await start()
  dapp = await startDapp(relay.url, chain.rpcUrl)
})
afterAll(async () => {
  await dapp.stop()
  await phone.stop()
  await relay.stop()
  await chain.stop()
})

test('the practice phone pairs only after the user’s approval, and only on chain 8453 (Base) [GEN-08]', async () => {
  const { uri, connected } = await dapp.connect()
  const shown = nextCard()
  await phone.pair(uri)
  const card = await shown
  expect(card).toMatchObject({ kind: 'pairing', peerName: 'Svc Desk', peerUrl: 'https://app.invalid', headline: ['Connect to Svc Desk'] })
  expect(phone.state()).toMatchObject({ sessions: [], requests: [{ id: card.id }], chainId: 8453, relay: 'up' })
  await phone.approve(card.id)
  expect(await connected).toEqual([phone.address])
  expect(dapp.provider.session?.namespaces.eip155?.accounts).toEqual([`eip155:8453:${phone.address}`])
  await expect
    .poll(() => phone.state(), patience)
    .toMatchObject({ sessions: [{ peerName: 'Svc Desk' }], requests: [], recent: [{ id: card.id, outcome: 'approved' }] })
})

test('the practice phone shows a message unchanged and signs its exact bytes', async () => {
  const message = 'practice.test asks you to sign in\r\nNonce: é\u202e1\n'
  const { card, answer } = await ask('personal_sign', [stringToHex(message), phone.address])
  expect(card).toMatchObject({ kind: 'message', message, raw: stringToHex(message), headline: ['practice.test asks you to sign in\r'] })
  expect(await phone.approve(card.id)).toBe(true)
  expect(await recoverMessageAddress({ message, signature: hex(await answer) })).toBe(phone.address)
})

test('the practice phone explains an order in words, beside its raw values and its digest', async () => {
  const typedData = openPosition()
  const { card, answer } = await ask('eth_signTypedData_v4', [phone.address, JSON.stringify(typedData)])
  expect(card.headline).toEqual(['Long BTC-PERP', '25,000.00 USDC', 'Limit 96,100.0, 10× cross'])
  const field = (name: string) => card.fields.find((each) => each.name === name)
  expect(field('orderValue')).toEqual({ name: 'orderValue', raw: '25000000000', text: '25,000.00' })
  expect(field('limitPrice')).toEqual({ name: 'limitPrice', raw: '9610000000000', text: '96,100.0' })
  expect(field('maxSlippageBps')).toEqual({ name: 'maxSlippageBps', raw: '50', text: '0.50 %' })
  expect(field('takeProfit')).toEqual({ name: 'takeProfit', raw: '0', text: 'None' })
  expect(field('postOnly')).toEqual({ name: 'postOnly', raw: 'true', text: 'Yes' })
  expect(field('nonce')).toEqual({ name: 'nonce', raw: '1204', text: '1204' })
  expect(field('deadline')?.text).toMatch(/^31 Jan 2030, \d\d:00:00$/)
  expect(field('verifyingContract')).toEqual({ name: 'verifyingContract', raw: chain.router, text: chain.router })
  const { EIP712Domain: _derived, ...types } = typedData.types
  expect(card.digest).toBe(hashTypedData({ ...typedData, types, primaryType: 'OpenPosition' }))
  await phone.approve(card.id)
  expect(await recoverTypedDataAddress({ ...typedData, types, primaryType: 'OpenPosition', signature: hex(await answer) })).toBe(phone.address)
})

test('the practice phone answers with error code 5000 when the user rejects a request, and answers each request only once', async () => {
  const { card, answer } = await ask('personal_sign', ['0x01', phone.address])
  expect(await phone.reject(card.id)).toBe(true)
  await expect(answer).rejects.toMatchObject({ code: 5000 })
  expect(await phone.approve(card.id)).toBe(false)
  expect(phone.state().recent[0]).toMatchObject({ id: card.id, outcome: 'rejected' })
})

test('the practice phone shows several requests at once, and lets the user answer a later one first', async () => {
  const first = await ask('personal_sign', ['0x01', phone.address])
  const second = await ask('personal_sign', ['0x02', phone.address])
  expect(phone.state().requests.map(({ id }) => id)).toEqual([first.card.id, second.card.id])
  await phone.approve(second.card.id)
  expect(await recoverMessageAddress({ message: { raw: '0x02' }, signature: hex(await second.answer) })).toBe(phone.address)
  await phone.reject(first.card.id)
  await expect(first.answer).rejects.toMatchObject({ code: 5000 })
})

test('the practice phone drops a request when the request expires', async () => {
  const { card } = await ask('personal_sign', ['0x01', phone.address])
  const life = card.expiresAtMs - clock.now()
  expect(life).toBeGreaterThan(4 * minute)
  clock.advance(life - 5_000)
  expect(phone.state().requests).toHaveLength(1)
  clock.advance(5_001)
  expect(phone.state().requests).toEqual([])
  expect(phone.state().recent[0]).toMatchObject({ id: card.id, outcome: 'expired' })
  expect(await phone.approve(card.id)).toBe(false)
})

test('the practice phone drops a request when the request’s session ends', async () => {
  const app = await newDapp()
  await pair(app)
  const card = nextCard()
  app.request('personal_sign', ['0x01', phone.address]).catch(() => undefined)
  const { id } = await card
  await app.provider.disconnect()
  await expect.poll(() => phone.state().requests, patience).toEqual([])
  expect(phone.state().recent[0]).toMatchObject({ id, outcome: 'expired' })
  expect(await phone.approve(id)).toBe(false)
})

test('the practice phone sends an approved transaction with its own key, and reports a failure', async () => {
  const to = otherAddress
  const poor = await ask('eth_sendTransaction', [{ from: phone.address, to, value: '0x7' }])
  await phone.approve(poor.card.id)
  await expect(poor.answer).rejects.toMatchObject({ code: -32000 })
  expect(phone.state().recent[0]).toMatchObject({ id: poor.card.id, outcome: 'failed' })

  await chain.fund(phone.address, 5_000_000n, 10n ** 18n)
  const data = encodeFunctionData({ abi: parseAbi(['function transfer(address to, uint256 amount)']), args: [to, 2_000_000n] })
  const { card, answer } = await ask('eth_sendTransaction', [{ from: phone.address, to: chain.usdc, data }])
  expect(card).toMatchObject({
    kind: 'transaction',
    headline: [expect.stringMatching(/^Send USDC to 0x/), '2.00 USDC'],
    fields: [
      { name: 'to', raw: chain.usdc },
      { name: 'value', text: '0 ETH' },
      { name: 'function', raw: 'transfer(address,uint256)' },
      { name: 'argument to', raw: to },
      { name: 'argument value', raw: '2000000', text: '2.00 USDC' },
      { name: 'data', raw: data },
    ],
  })
  await phone.approve(card.id)
  const hash = hex(await answer)
  const { status } = await createPublicClient({ transport: http(chain.rpcUrl), pollingInterval: 100 }).waitForTransactionReceipt({ hash })
  expect(status).toBe('success')
  expect(await chain.usdcOf(to)).toBe(2_000_000n)
  await expect.poll(() => phone.state().usdc, { timeout: 8_000 }).toBe('3')
})

test('the practice phone refuses a request for an account that the phone does not share, without asking the user', async () => {
  const before = phone.state().recent.length
  await expect(dapp.request('personal_sign', ['0x01', `0x${'ab'.repeat(20)}`])).rejects.toMatchObject({ code: 4100 })
  expect(phone.state().requests).toEqual([])
  expect(phone.state().recent).toHaveLength(before)
})

test('the practice phone notifies the app when its account or chain changes, and switches back to Base when the app asks [GEN-08]', async () => {
  const heard = (event: 'accountsChanged' | 'chainChanged') => new Promise((resolve) => dapp.provider.once(event, resolve))
  const accounts = heard('accountsChanged')
  await phone.switchAccount('other')
  expect(await accounts).toEqual([otherAddress])
  await phone.switchAccount('main')
  await expect.poll(() => dapp.provider.accounts, patience).toEqual([phone.address])

  await phone.switchChain(1)
  await expect.poll(() => dapp.provider.chainId, patience).toBe(1)
  expect(phone.state().chainId).toBe(1)
  const app = await newDapp()
  expect(await pair(app)).toEqual([phone.address])
  expect(app.provider.session?.namespaces.eip155?.chains).toEqual(['eip155:1'])
  await phone.switchChain(8453)
  await expect.poll(() => dapp.provider.chainId, patience).toBe(8453)
})

test('a foreign wallet can neither pair with the app over the practice relay nor answer the app’s requests', async () => {
  const foreignRelay = { url: relay.url, admitWallet: () => undefined }
  const foreign = await start({ relay: foreignRelay, keys: walletKeys(null) })
  onTestFinished(() => foreign.stop())
  const cards: PhoneRequest[] = []
  foreign.onRequest((card) => cards.push(card))
  const app = await newDapp()
  const { uri, connected } = await app.connect()
  await foreign.pair(uri).catch(() => undefined)
  const shown = nextCard()
  await phone.pair(uri)
  const card = await shown
  expect(cards).toEqual([])
  await phone.approve(card.id)
  expect(await connected).toEqual([phone.address])
})

test('the practice phone keeps keys, pairings and pending requests across a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-desk-phone-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const ownRelay = await startRelay({ clock, peerClock: systemClock })
  onTestFinished(() => ownRelay.stop())
  const options = { dataDir, relay: ownRelay, keys: walletKeys(dataDir) }
  const first = await start(options)
  const app = await startDapp(ownRelay.url, chain.rpcUrl)
  onTestFinished(() => app.stop())
  await pair(app, first)
  const shown = nextCard(first)
  const answer = app.request('personal_sign', ['0x2a', first.address])
  const { id } = await shown
  await first.stop()
  for (const file of ['wallet-keys.json', 'wallet-sessions.json']) expect(statSync(join(dataDir, file)).mode & 0o777).toBe(0o600)

  const second = await start({ ...options, keys: walletKeys(dataDir) })
  onTestFinished(() => second.stop())
  expect([second.address, second.clientId]).toEqual([first.address, first.clientId])
  expect(second.state()).toMatchObject({ sessions: [{ peerName: 'Svc Desk' }], requests: [{ id, raw: '0x2a' }] })
  await second.approve(id)
  expect(await recoverMessageAddress({ message: { raw: '0x2a' }, signature: hex(await answer) })).toBe(second.address)
})

test('the practice phone connects to no server outside this computer', async () => {
  await expect(fetch('https://verify.walletconnect.org/v3/public-key')).rejects.toThrow('Practice mode asks no server outside this computer')
})

test('the practice phone reports a lost relay connection and continues when the relay is back', { timeout: 30_000 }, async () => {
  await relay.setUp(false)
  await expect.poll(() => phone.state().relay, patience).toBe('down')
  await relay.setUp(true)
  await expect.poll(() => phone.state().relay, { timeout: 10_000 }).toBe('up')
  const { card, answer } = await ask('personal_sign', ['0x03', phone.address])
  await phone.approve(card.id)
  expect(await recoverMessageAddress({ message: { raw: '0x03' }, signature: hex(await answer) })).toBe(phone.address)
})
