import { expect, test } from 'vitest'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import { authorityOf } from './authority.ts'

const defaultScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage']
const key = (change: Partial<KeySummary> = {}): KeySummary => ({
  id: 'key_1',
  label: 'bot',
  scopes: defaultScopes,
  scopesFrom: 'service',
  status: 'active',
  createdAtMs: 0,
  expiresAtMs: null,
  lastUsedAtMs: null,
  allowlist: [],
  agent: { address: '0x91bE00000000000000000000000000000000047a', granted: true },
  executor: 'exec-fra-2',
  quotas: null,
  note: null,
  secret: 'keychain',
  masked: null,
  inUse: false,
  unknownFields: null,
  ...change,
})

test('the summary of a key with trading scope, grant and executor says that it trades without the wallet, and lists a thief’s worst options first', () => {
  const { tradesAlone, thief, agent, executor, not } = authorityOf(key())
  expect(tradesAlone).toBe(true)
  expect(thief[0]).toEqual({ text: 'Trade in your name with all of your margin, cancel and move your orders, and so lose your margin.', worst: true })
  expect([agent, executor]).toEqual(['open', 'open'])
  expect(not).toEqual(['Withdraw without your wallet', 'Create, change or revoke keys'])
})

test.each([
  ['no executor', { executor: null }, 'Trade without your wallet: no executor is bound'],
  ['no grant', { agent: { address: null, granted: false } }, 'Trade without your wallet: the key’s agent has no grant'],
  ['no scope to execute', { scopes: ['market:read', 'account:read', 'trade:prepare'] }, 'Trade without your wallet'],
] as const)('the page of a key with %s explains why the key cannot trade without the wallet', (_name, change, sentence) => {
  const { tradesAlone, not, thief } = authorityOf(key(change as Partial<KeySummary>))
  expect(tradesAlone).toBe(false)
  expect(not).toContain(sentence)
  expect(thief.map(({ text }) => text)).toContain('Prepare orders. They do nothing until your wallet signs.')
})

test('the summary of a key’s permissions names the right to move collateral in its title, and says that each transfer still needs the wallet', () => {
  const { title, thief } = authorityOf(key({ scopes: [...defaultScopes, 'collateral:manage'] }))
  expect(title).toBe('Trade and move collateral')
  expect(thief.at(-1)?.text).toBe('Prepare deposits and withdrawals. Each transfer still needs your wallet.')
})

test('the summary of a key that only reads markets says that a thief gets only public market data', () => {
  const { title, thief, powers } = authorityOf(key({ scopes: ['market:read'], scopesFrom: 'service', agent: null, executor: null }))
  expect(title).toBe('Read only')
  expect(thief).toEqual([{ text: 'Read market data, which is public.', worst: false }])
  expect(powers.filter((power) => power.held).map(({ text }) => text)).toEqual(['Read markets'])
})

test('the summary of a key’s permissions assumes that the key lacks every permission that the service does not report', () => {
  const { title, thief, tradesAlone } = authorityOf(key({ scopes: null, agent: null, executor: null, allowlist: null }))
  expect(title).toBe('Not given')
  expect(thief).toEqual([{ text: 'The service did not say what this key may do.', worst: true }])
  expect(tradesAlone).toBe(false)
})

test('the summary of a key’s permissions says that an allowlist limits the IP addresses from which a thief can use the key', () => {
  expect(authorityOf(key({ allowlist: ['203.0.113.0/28'] })).not).toContain('Do anything from outside the one address or range on its allowlist')
  expect(authorityOf(key({ allowlist: ['203.0.113.0/28', '2001:db8::/64'] })).not).toContain(
    'Do anything from outside the 2 addresses and ranges on its allowlist',
  )
})
