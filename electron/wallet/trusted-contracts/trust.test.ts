import { expect, test } from 'vitest'
import { createMemoryRecords } from '../../../e2e/support/main/memory-vault.ts'
import { failure } from '../../../e2e/support/main/workspace.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { expectedContract, expectedRouter, shownRouter } from './agreement.ts'
import { createTrust, createTrustedTokens } from './trust.ts'

const first = '0x8ba1f109551bD432803012645Ac136ddd64DBA72'
const second = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045'

const live: ProfileFacts = { id: 'p', kind: 'live', hostUrl: 'https://dex.example', practiceWallet: null }
const practiceContracts = { router: first, usdc: second, svc: '0x52908400098527886E0F7030069857D2E4169EE7' }
const practice: ProfileFacts = { ...live, kind: 'practice', practiceWallet: second, practiceContracts }

function start(given: { config?: string | null; meta?: string | null; code?: boolean | null; profile?: ProfileFacts } = {}) {
  const { config = first, meta = first, code = true, profile = live } = given
  const said = { config, meta, code, unread: [] }
  const rows = new Map<string, string>()
  const records = createMemoryRecords(rows)
  let asked = 0
  const trust = createTrust({
    profile,
    records,
    published: async () => {
      asked += 1
      return said
    },
    hasCode: async () => said.code,
    rpcHost: async () => 'base.rpc.example',
  })
  return { trust, said, rows, asked: () => asked }
}

const decide = async (trust: ReturnType<typeof start>['trust'], candidate: string) => (await trust.decide(candidate)) ?? expect.fail('no address')

test('the app trusts a profile’s first router contract after one click if the service publishes it and its address has code [FLOW-01]', async () => {
  const { trust } = start()
  const decision = await decide(trust, first.toLowerCase())
  expect(decision).toMatchObject({
    state: 'new',
    candidate: first,
    publishedByConfig: first,
    publishedByMeta: first,
    hasCode: true,
    rpcHost: 'base.rpc.example',
  })
  expect(failure(trust.confirmRouter(decision, null))).toEqual({ kind: 'confirmation_required', what: 'router', expected: 'yes' })
  expect(trust.router()).toBeNull()
  expect(trust.confirmRouter(decision, 'yes').ok).toBe(true)
  expect(trust.router()).toBe(first)
})

test('in practice mode, the app trusts the contracts that practice mode deployed without asking the user, and no others [FLOW-01]', async () => {
  const { trust, asked } = start({ profile: practice })
  expect(trust.router()).toBe(first)
  const own = await decide(trust, first.toLowerCase())
  expect(own.state).toBe('pinned')
  expect(trust.confirmRouter(own, null).ok).toBe(true)
  expect(asked()).toBe(0)
  expect(await trust.contracts.decide(first)).toMatchObject({ state: 'pinned' })
  expect(failure(trust.confirmRouter(await decide(trust, second), 'yes')).kind).toBe('signing_refused')

  const tokens = createTrustedTokens({
    profile: practice,
    records: createMemoryRecords(),
    published: () => async () => ({ config: null, meta: null, unread: [] }),
    hasCode: async () => true,
    rpcHost: async () => 'base.rpc.example',
  })
  expect([tokens.USDC.pinned(), tokens.own.pinned()]).toEqual([second, practiceContracts.svc])
  expect(await tokens.USDC.decide(second)).toMatchObject({ state: 'pinned' })
})

test('the app asks the user to confirm every contract in a live profile, even one that practice mode deployed [FLOW-01]', async () => {
  const { trust } = start({ profile: { ...live, practiceContracts } })
  expect(trust.router()).toBeNull()
  const decision = await decide(trust, first)
  expect(decision.state).toBe('new')
  expect(failure(trust.confirmRouter(decision, null))).toEqual({ kind: 'confirmation_required', what: 'router', expected: 'yes' })
})

test('the app prefers the contract that practice mode deployed now over one that was stored before the user restarted practice [FLOW-01]', async () => {
  const { trust, rows } = start({ profile: practice })
  rows.set('pin/p/router', second)
  expect(trust.router()).toBe(first)
  expect((await decide(trust, first)).state).toBe('pinned')
})

test('once confirmed, the app trusts a published contract other than the router in calls and permits, but never as the router [FLOW-03]', async () => {
  const { trust, said } = start()
  const third = '0x1111111111111111111111111111111111111111'
  trust.confirmRouter(await decide(trust, first), 'yes')
  expect(await trust.contracts.decide(first)).toMatchObject({ state: 'pinned' })
  const unpublished = await trust.contracts.decide(second)
  expect(unpublished).toMatchObject({ state: 'changed', confirmable: false })
  Object.assign(said, { others: { config: [second], meta: [] } })
  const decision = (await trust.contracts.decide(second.toLowerCase())) ?? expect.fail('no address')
  expect(decision).toMatchObject({ state: 'new', candidate: second, publishedByConfig: second, confirmable: true })
  expect(failure(trust.contracts.confirm(decision, null))).toEqual({ kind: 'confirmation_required', what: 'router', expected: 'yes' })
  expect(trust.contracts.confirm(decision, 'yes').ok).toBe(true)
  expect(await trust.contracts.decide(second)).toMatchObject({ state: 'pinned' })
  expect(expectedContract(await trust.contracts.decide(second), trust.router())).toEqual({ by: 'pin', address: second })
  // The trusted router is still `first`. The signing domain of an intent may name only a router, so the user can't confirm `second` there.
  expect(trust.router()).toBe(first)
  expect(await decide(trust, second)).toMatchObject({ state: 'changed', confirmable: false })
  expect(await trust.contracts.decide(third)).toMatchObject({ state: 'changed', confirmable: false })
})

test('the app never trusts an address without code as a contract, even if the service publishes it [FLOW-03]', async () => {
  const { trust, said } = start({ code: false })
  Object.assign(said, { others: { config: [second], meta: [second] } })
  const decision = (await trust.contracts.decide(second)) ?? expect.fail('no address')
  expect(failure(trust.contracts.confirm(decision, 'yes')).kind).toBe('signing_refused')
})

test('the app trusts a changed router only if the service publishes it and the user types its whole address [FLOW-01]', async () => {
  const { trust, said } = start()
  trust.confirmRouter(await decide(trust, first), 'yes')
  expect(failure(trust.confirmRouter(await decide(trust, second), second)).kind).toBe('signing_refused')
  said.config = second
  said.meta = second
  const changed = await decide(trust, second)
  expect(changed.state).toBe('changed')
  expect(failure(trust.confirmRouter(changed, 'yes'))).toEqual({ kind: 'confirmation_required', what: 'router', expected: second })
  expect(trust.confirmRouter(changed, ` ${second.toLowerCase()} `).ok).toBe(true)
  expect(trust.router()).toBe(second)
})

test.each([
  ['where there is no contract', { code: false }],
  ['that the configuration does not publish', { config: second }],
  ['that /meta does not publish', { meta: second }],
])('the app never lets the user confirm a router contract %s [FLOW-01]', async (_why, given) => {
  const { trust } = start(given)
  const decision = await decide(trust, first)
  expect(failure(trust.confirmRouter(decision, 'yes'))).toEqual({
    kind: 'signing_refused',
    why: { code: 'blocked', by: { code: 'contract', by: decision.concerns[0] } },
  })
  expect(failure(trust.confirmRouter(decision, first)).kind).toBe('signing_refused')
  expect(trust.router()).toBeNull()
})

test('the app continues to trust a confirmed router without asking the service or the chain again', async () => {
  const { trust, asked } = start()
  trust.confirmRouter(await decide(trust, first), 'yes')
  const before = asked()
  expect((await decide(trust, first)).state).toBe('pinned')
  expect(asked()).toBe(before)
})

test('the app reads a signing format that an older app version stored without the meaning of its fields [FLOW-02]', () => {
  const { trust, rows } = start()
  rows.set('pin/p/layout/open_position', JSON.stringify([{ hash: '0x1', usdcScale: 6, priceScale: 8, leverageScale: 0 }]))
  expect(trust.formats('open_position')).toEqual([{ hash: '0x1', usdcScale: 6, priceScale: 8, leverageScale: 0, sizeScale: null, format: null }])
  const field = { path: 'side', type: 'uint8', role: 'side', unit: null, scale: null, words: { '1': 'long' }, rule: null, value: null }
  const learnt = { hash: '0x1', usdcScale: 6, priceScale: 8, leverageScale: 0, sizeScale: null, format: { variants: ['market'], fields: [field], unsaid: {} } }
  trust.addFormat('open_position', learnt)
  expect(trust.formats('open_position')).toEqual([learnt])
})

test('the app stores confirmed signing formats separately for each kind of message', () => {
  const { trust } = start()
  const layout = { hash: '0x1', usdcScale: 6, priceScale: null, leverageScale: null, sizeScale: null, format: null }
  trust.addFormat('open_position', layout)
  trust.addFormat('open_position', { ...layout, priceScale: 8 })
  expect(trust.formats('open_position')).toEqual([{ ...layout, priceScale: 8 }])
  expect(trust.formats('agent_grant')).toEqual([])
})

test('the app expects a message to name the trusted router, else the published one, or a newly published one that the user may confirm [FLOW-01]', async () => {
  const { trust, said } = start()
  const expected = async (candidate: string) => expectedRouter(await decide(trust, candidate), trust.router())
  expect(await expected(second)).toEqual({ by: 'service', address: first, instead: null })
  expect(await expected(first)).toEqual({ by: 'service', address: first, instead: null })
  said.config = null
  said.meta = null
  expect(await expected(first)).toBeNull()
  trust.confirmRouter(await decide(trust, first), 'yes')
  expect(await expected(first)).toEqual({ by: 'pin', address: first })
  expect(await expected(second)).toEqual({ by: 'pin', address: first })
  said.meta = second
  expect(await expected(second)).toEqual({ by: 'service', address: second, instead: first })
  expect(expectedRouter(null, trust.router())).toEqual({ by: 'pin', address: first })
})

test('the app sends the window the facts on which trust in a router depends, but not the app’s decision about the router', async () => {
  const { trust } = start({ meta: null, code: null })
  expect(shownRouter(await decide(trust, first))).toEqual({
    state: 'new',
    candidate: first,
    pinned: null,
    publishedByConfig: first,
    publishedByMeta: null,
    unread: [],
    hasCode: null,
    rpcHost: 'base.rpc.example',
  })
  expect(shownRouter(null)).toBeNull()
})
