import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'

let workspace: Trader
afterEach(() => workspace.stop())

const allRequests = { kind: 'all', status: 'any', text: '', upTo: null, offset: 0, limit: 200 } as const

async function everything(): Promise<string> {
  const handlers = workspace.handlers()
  const answers = await Promise.all([
    handlers['session.status']({}),
    handlers['keys.list']({}),
    handlers['keys.draft']({}),
    handlers['keys.unmatched']({}),
    handlers['account.summary']({ watch: null }),
    handlers['account.positions']({ watch: null }),
    handlers['account.orders']({ watch: null }),
    handlers['intents.list']({ beforeMs: null, limit: 50 }),
    handlers['activity.secrets']({ limit: 50 }),
    handlers['requests.list'](allRequests),
    handlers['app.attention']({}),
  ])
  return JSON.stringify(answers)
}

const intents = async () => value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 50 })).intents.map(({ ref }) => ref)
const secrets = async () => value(await workspace.handlers()['activity.secrets']({ limit: 50 })).map(({ label }) => label)
const routes = async () => value(await workspace.handlers()['requests.list'](allRequests)).rows.map(({ endpoint }) => endpoint)

async function joinAs(account: ReturnType<typeof privateKeyToAccount>, label: string): Promise<string> {
  const handlers = workspace.handlers()
  const challenge = value(await handlers['session.challenge']({}))
  const asked = value(await handlers['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await handlers['session.complete']({ id: challenge.id, signature: await workspace.sign(asked, account) }))
  const draft = value(await handlers['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
  const request = value(await handlers['keys.ask']({ draftId: draft.id, ...agreed }))
  return value(await handlers['keys.create']({ draftId: draft.id, signature: await workspace.sign(request, account) })).id
}

test('if the user switches accounts and back, the app switches all data too, and never shows one account’s data for another [AUTH-03]', async () => {
  workspace = await startTrader()
  const second = privateKeyToAccount(generatePrivateKey())
  workspace.exchange.seedCollateral(second.address, '4321')
  const first = { ref: (await workspace.asked()).ref, key: value(await workspace.handlers()['keys.list']({})).keys[0]?.id ?? '' }
  value(await workspace.handlers()['keys.prepare']({ label: 'left-open', expiresInDays: 30, ipAllowlist: [] }))
  const before = await everything()
  for (const own of [first.ref, first.key, 'left-open', workspace.account.address]) expect(before).toContain(own)

  await workspace.connect(second)
  const bare = await everything()
  for (const other of [first.ref, first.key, 'left-open', workspace.account.address]) expect(bare).not.toContain(other)
  expect(failure(await workspace.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(value(await workspace.handlers()['account.summary']({ watch: null }))).toMatchObject({ wallet: second.address, source: { route: 'public' } })
  for (const call of ['intents.get', 'intents.lookUp'] as const)
    expect(failure(await workspace.handlers()[call]({ ref: first.ref }))).toEqual({
      kind: 'wrong_wallet',
      wallet: second.address,
      expected: workspace.account.address,
    })
  expect(failure(await workspace.handlers()['intents.resume']({ ref: first.ref, action: 'relay' })).kind).toBe('wrong_wallet')
  expect(failure(await workspace.handlers()['keys.copySecret']({ keyId: first.key })).kind).toBe('not_found')

  const key = await joinAs(second, 'of-the-second')
  expect(value(await workspace.handlers()['account.summary']({ watch: null }))).toMatchObject({ wallet: second.address, collateral: '4321' })
  const now = await everything()
  expect(now).toContain(key)
  for (const other of [first.ref, first.key, 'left-open', workspace.account.address]) expect(now).not.toContain(other)
  expect(await secrets()).toEqual(['of-the-second'])
  expect(await intents()).toEqual([])

  await workspace.connect()
  expect(await intents()).toEqual([first.ref])
  expect(value(await workspace.handlers()['account.summary']({ watch: null })).wallet).toBe(workspace.account.address)
  const again = await everything()
  for (const other of [key, 'of-the-second', second.address]) expect(again).not.toContain(other)
})

test('the app hides a wallet’s requests to the service from other wallets, and shows requests that belong to no wallet to every wallet [AUTH-03]', async () => {
  workspace = await startTrader()
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  expect(await routes()).toEqual(expect.arrayContaining(['POST /api/dex/developer/keys', 'POST /api/dex/actions/relay', 'POST /api/dex/developer/challenge']))
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  value(await workspace.handlers()['markets.list']({}))
  const shown = await routes()
  expect(shown).toContain('GET /api/dex/markets')
  const ofTheOther = ['POST /api/dex/developer/challenge', 'POST /api/dex/developer/keys', 'POST /orders/prepare', 'POST /api/dex/actions/relay']
  for (const route of ofTheOther) expect(shown).not.toContain(route)
})

test('the app shows no notice about an order while the order’s wallet is not connected, and shows the order’s result once it is [AUTH-03]', async () => {
  workspace = await startTrader()
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  await workspace.chain.mine(9)
  await workspace.tick()
  expect(workspace.events.filter(({ type }) => type === 'notice')).toEqual([])
  await workspace.connect()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
})

test('in practice mode, if the connected account is not the practice account, the app shows and does nothing, and names the expected account [AUTH-03]', async () => {
  workspace = await startTrader({ kind: 'practice' })
  const { ref } = await workspace.asked()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const handlers = workspace.handlers()
  const refused = { kind: 'wrong_wallet', wallet: stranger.address, expected: workspace.account.address }
  value(await handlers['wallet.report']({ address: stranger.address, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
  const calls = [
    handlers['intents.list']({ beforeMs: null, limit: 50 }),
    handlers['intents.get']({ ref }),
    handlers['intents.ask']({ ref, ...agreed }),
    handlers['keys.list']({}),
    handlers['keys.unmatched']({}),
    handlers['account.summary']({ watch: null }),
    handlers['account.positions']({ watch: null }),
    handlers['account.orders']({ watch: null }),
    handlers['activity.secrets']({ limit: 50 }),
    handlers['requests.list'](allRequests),
    handlers['requests.get']({ id: 'dsk-000000000000' }),
    handlers['session.challenge']({}),
  ]
  for (const answer of await Promise.all<(typeof calls)[number]>(calls)) expect(failure(answer)).toEqual(refused)
  expect(value(await handlers['session.status']({}))).toEqual({ state: 'none', wallet: null, expiresAtMs: null, developer: null })
  expect(value(await handlers['app.attention']({}))).toEqual([])

  await workspace.connect()
  expect(await intents()).toEqual([ref])
})

test('while no wallet is connected, the app shows the last wallet’s orders and reports that this wallet is not connected', async () => {
  workspace = await startTrader()
  const { ref } = await workspace.asked()
  value(await workspace.handlers()['wallet.report'](null))
  expect(await intents()).toEqual([ref])
  expect(value(await workspace.handlers()['wallet.shown']({}))).toEqual({ address: workspace.account.address, connected: false })
  expect(failure(await workspace.handlers()['account.summary']({ watch: null }))).toEqual({ kind: 'no_wallet' })
})
