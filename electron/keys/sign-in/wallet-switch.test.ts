import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { agreed, failure, value } from '../../../e2e/support/main/desk.ts'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'

let desk: Trader
afterEach(() => desk.stop())

const allRequests = { kind: 'all', status: 'any', text: '', upTo: null, offset: 0, limit: 200 } as const

/** Everything that the windows show of a wallet, as text. */
async function everything(): Promise<string> {
  const handlers = desk.handlers()
  const answers = await Promise.all([
    handlers['session.status']({}),
    handlers['keys.list']({}),
    handlers['keys.draft']({}),
    handlers['keys.orphans']({}),
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

const intents = async () => value(await desk.handlers()['intents.list']({ beforeMs: null, limit: 50 })).intents.map(({ ref }) => ref)
const secrets = async () => value(await desk.handlers()['activity.secrets']({ limit: 50 })).map(({ label }) => label)
const routes = async () => value(await desk.handlers()['requests.list'](allRequests)).rows.map(({ endpoint }) => endpoint)

/** The second account signs in and has a key of its own. */
async function joinAs(account: ReturnType<typeof privateKeyToAccount>, label: string): Promise<string> {
  const handlers = desk.handlers()
  const challenge = value(await handlers['session.challenge']({}))
  const asked = value(await handlers['session.ask']({ id: challenge.id, acceptLayout: true }))
  value(await handlers['session.complete']({ id: challenge.id, signature: await desk.sign(asked, account) }))
  const draft = value(await handlers['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
  const request = value(await handlers['keys.ask']({ draftId: draft.id, ...agreed }))
  return value(await handlers['keys.create']({ draftId: draft.id, signature: await desk.sign(request, account) })).id
}

test('another account of the wallet switches everything, and back again: nothing of the one is shown while the other is the wallet [AUTH-03]', async () => {
  desk = await startTrader()
  const second = privateKeyToAccount(generatePrivateKey())
  desk.exchange.seedCollateral(second.address, '4321')
  const first = { ref: (await desk.asked()).ref, key: value(await desk.handlers()['keys.list']({})).keys[0]?.id ?? '' }
  value(await desk.handlers()['keys.prepare']({ label: 'left-open', expiresInDays: 30, ipAllowlist: [] }))
  const before = await everything()
  for (const own of [first.ref, first.key, 'left-open', desk.account.address]) expect(before).toContain(own)

  await desk.connect(second)
  const bare = await everything()
  for (const other of [first.ref, first.key, 'left-open', desk.account.address]) expect(bare).not.toContain(other)
  expect(failure(await desk.handlers()['keys.list']({}))).toEqual({ kind: 'sign_in_required' })
  expect(value(await desk.handlers()['account.summary']({ watch: null }))).toMatchObject({ wallet: second.address, source: { route: 'public' } })
  for (const call of ['intents.get', 'intents.lookUp'] as const)
    expect(failure(await desk.handlers()[call]({ ref: first.ref }))).toEqual({ kind: 'wrong_wallet', wallet: second.address, expected: desk.account.address })
  expect(failure(await desk.handlers()['intents.resume']({ ref: first.ref, action: 'relay' })).kind).toBe('wrong_wallet')
  expect(failure(await desk.handlers()['keys.copySecret']({ keyId: first.key })).kind).toBe('not_found')

  const key = await joinAs(second, 'of-the-second')
  expect(value(await desk.handlers()['account.summary']({ watch: null }))).toMatchObject({ wallet: second.address, collateral: '4321' })
  const now = await everything()
  expect(now).toContain(key)
  for (const other of [first.ref, first.key, 'left-open', desk.account.address]) expect(now).not.toContain(other)
  expect(await secrets()).toEqual(['of-the-second'])
  expect(await intents()).toEqual([])

  await desk.connect()
  expect(await intents()).toEqual([first.ref])
  expect(value(await desk.handlers()['account.summary']({ watch: null })).wallet).toBe(desk.account.address)
  const again = await everything()
  for (const other of [key, 'of-the-second', second.address]) expect(again).not.toContain(other)
})

test('the requests of one wallet are not listed beside another; those that are nobody’s are [AUTH-03]', async () => {
  desk = await startTrader()
  const { ref, signature } = await desk.asked()
  value(await desk.handlers()['intents.answered']({ ref, answer: signature }))
  expect(await routes()).toEqual(expect.arrayContaining(['POST /api/dex/developer/keys', 'POST /api/dex/actions/relay', 'POST /api/dex/developer/challenge']))
  await desk.connect(privateKeyToAccount(generatePrivateKey()))
  value(await desk.handlers()['markets.list']({}))
  const shown = await routes()
  expect(shown).toContain('GET /api/dex/markets')
  const ofTheOther = ['POST /api/dex/developer/challenge', 'POST /api/dex/developer/keys', 'POST /orders/prepare', 'POST /api/dex/actions/relay']
  for (const route of ofTheOther) expect(shown).not.toContain(route)
})

test('of another wallet’s order nothing pops up, and its end is there when its wallet is back [AUTH-03]', async () => {
  desk = await startTrader()
  const { ref, signature } = await desk.asked()
  value(await desk.handlers()['intents.answered']({ ref, answer: signature }))
  await desk.connect(privateKeyToAccount(generatePrivateKey()))
  await desk.chain.mine(9)
  await desk.tick()
  expect(desk.events.filter(({ type }) => type === 'notice')).toEqual([])
  await desk.connect()
  expect((await desk.intent(ref)).state).toBe('FINAL')
})

test('practice shows and does nothing at all for another account: no list is empty by mistake, each says why [AUTH-03]', async () => {
  desk = await startTrader({ kind: 'practice' })
  const { ref } = await desk.asked()
  const stranger = privateKeyToAccount(generatePrivateKey())
  const handlers = desk.handlers()
  const refused = { kind: 'wrong_wallet', wallet: stranger.address, expected: desk.account.address }
  value(await handlers['wallet.report']({ address: stranger.address, chainId: 8453, peerName: 'Phone', topic: 'topic' }))
  const calls = [
    handlers['intents.list']({ beforeMs: null, limit: 50 }),
    handlers['intents.get']({ ref }),
    handlers['intents.ask']({ ref, ...agreed }),
    handlers['keys.list']({}),
    handlers['keys.orphans']({}),
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

  await desk.connect()
  expect(await intents()).toEqual([ref])
})

test('with no wallet connected the last one’s orders are shown, and said to be', async () => {
  desk = await startTrader()
  const { ref } = await desk.asked()
  value(await desk.handlers()['wallet.report'](null))
  expect(await intents()).toEqual([ref])
  expect(value(await desk.handlers()['wallet.shown']({}))).toEqual({ address: desk.account.address, connected: false })
  expect(failure(await desk.handlers()['account.summary']({ watch: null }))).toEqual({ kind: 'no_wallet' })
})
