import { expect, test } from 'vitest'
import type { RouterCheck } from '../../../shared/ipc/intents/signing.ts'
import { routerFindings, speaksAgainst } from './router-evidence.tsx'

const router = '0x4B1cA72f0C1c8d5B3aE0f9D1b2C3d4E5f60782Fb'
const other = '0x1111111111111111111111111111111111111111'

const check = (change: Partial<RouterCheck> = {}): RouterCheck => ({
  state: 'new',
  candidate: router,
  pinned: null,
  publishedByConfig: router,
  publishedByMeta: router,
  unread: [],
  hasCode: true,
  rpcHost: 'base.rpc.example',
  ...change,
})

const said = (change: Partial<RouterCheck> = {}) => routerFindings(check(change)).map(({ verdict, words }) => `${verdict}: ${words}`)

test('the signing sheet does not call a router trusted only because the service publishes it [FLOW-01]', () => {
  expect(said()).toEqual([
    'open: No router is trusted in this profile yet',
    'for: The service publishes this contract in its configuration',
    'for: The service publishes this contract in /meta',
    'for: base.rpc.example finds a contract at this address',
  ])
})

test('the signing sheet marks a fact about a router as “open” if the app could not check that fact [FLOW-01]', () => {
  expect(said({ publishedByConfig: null, publishedByMeta: null, hasCode: null, rpcHost: null })).toEqual([
    'open: No router is trusted in this profile yet',
    'open: The service names no router in its configuration',
    'open: The service names no router in /meta',
    'open: The RPC could not say whether a contract exists at this address',
  ])
  expect(said({ publishedByConfig: null, publishedByMeta: null, unread: ['config', 'meta'] }).slice(1, 3)).toEqual([
    'open: The app could not read the service’s configuration',
    'open: The app could not read /meta',
  ])
})

test('the signing sheet lists every finding against a contract, with the addresses in full [FLOW-01]', () => {
  const against = { state: 'changed', pinned: other, publishedByConfig: other, publishedByMeta: router.toLowerCase(), hasCode: false } as const
  expect(said(against)).toEqual([
    'against: Trusted until now',
    'against: The service publishes another contract in its configuration',
    'for: The service publishes this contract in /meta',
    'against: base.rpc.example finds no contract at this address',
  ])
  expect([...[against, {}, { ...against, state: 'pinned' as const }].map((change) => speaksAgainst({ what: 'router', check: check(change) }))]).toEqual([
    true,
    false,
    false,
  ])
  expect(routerFindings(check(against)).map(({ address }) => address)).toEqual([other, other, null, null])
})
