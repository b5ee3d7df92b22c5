import { afterEach, expect, test } from 'vitest'
import { elsewhere } from '../../../e2e/support/main/elsewhere.ts'
import { startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { Scope } from '../../../shared/api/scopes.ts'
import { chooseKey } from '../../intents/methods/executor/execution.ts'

let workspace: Workspace
afterEach(() => workspace.stop())

async function open(): Promise<void> {
  const silent = (key: unknown) => {
    const { scopes: _, ...rest } = Object(key) as Record<string, unknown>
    return rest
  }
  workspace = await startWorkspace({
    speaks: (route, body) => {
      if (!route.includes('/api/dex/developer/keys')) return body
      const { keys, key, ...rest } = Object(body) as Record<string, unknown>
      return { ...rest, ...(Array.isArray(keys) && { keys: keys.map(silent) }), ...(key !== undefined && { key: silent(key) }) }
    },
  })
  await workspace.connect()
  await workspace.signIn()
}
const custom = async (scopes: Scope[]) =>
  value(await workspace.handlers()['keys.createCustom']({ label: 'bot', scopes, expiresInDays: 30, ipAllowlist: [], quotas: [] }))
const versioned = () => workspace.sent.filter(({ path }) => path.startsWith('/api/dex/v1/'))

test('if the service never names a key’s scopes, the app assumes the scopes that it requested for the key, also after a restart [AUTH-04]', async () => {
  await open()
  await custom(['account:read'])
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['keys.list']({})).keys).toMatchObject([{ scopes: ['account:read'], scopesFrom: 'asked' }])
  value(await workspace.handlers()['account.summary']({ watch: null }))
  value(await workspace.handlers()['markets.status']({}))
  const asked = versioned().map(({ path }) => path)
  expect(asked).toContain('/api/dex/v1/account')
  expect(asked.filter((path) => path.startsWith('/api/dex/v1/status'))).toEqual([])
})

test('if the service names no scopes for a bot-ready key, the app assumes the default scopes, and names the scope that a deposit would need [AUTH-04, KEY-01]', async () => {
  await open()
  await workspace.createKey()
  expect(value(await workspace.handlers()['keys.list']({})).keys).toMatchObject([
    { scopes: ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage'], scopesFrom: 'asked' },
  ])
})

test('if the service names no scopes, the app shows those of a key created elsewhere as unknown, and still makes calls with the key [AUTH-04]', async () => {
  await open()
  const { keyId, secret } = await elsewhere(workspace).create({ scopes: ['account:read', 'orders:manage'] })
  expect(value(await workspace.handlers()['keys.list']({})).keys).toMatchObject([{ id: keyId, scopes: null, scopesFrom: null }])
  workspace.copiedElsewhere = secret.reveal()
  const read = value(await workspace.handlers()['keys.importRead']({ source: 'clipboard' }))
  if (read.state !== 'read') throw new Error(read.state)
  value(await workspace.handlers()['keys.importStore']({ importId: read.importId, keyId }))
  value(await workspace.handlers()['account.summary']({ watch: null }))
  expect(versioned().map(({ path }) => path)).toContain('/api/dex/v1/account')
})

test('for each call, the app prefers a key that has the needed scope, and otherwise takes a key with unknown scopes [AUTH-04]', async () => {
  const key = (keyId: string, scopes: string[] | null) => ({
    keyId,
    wallet: '0x1',
    label: keyId,
    scopes,
    scopesFrom: null,
    status: 'active' as const,
    createdAtMs: null,
    expiresAtMs: null,
    allowlist: null,
    agent: null,
    executor: '0x2',
    removed: false,
  })
  const forKey = async (_wallet: string, keyId: string) => ({ ok: false as const, failure: { kind: 'internal' as const, reference: keyId } })
  const chosen = async (...keys: ReturnType<typeof key>[]) => chooseKey({ usable: () => keys, forKey }, '0x1', ['trade:execute'], null)
  expect(await chosen(key('unsaid', null), key('able', ['trade:execute']))).toMatchObject({ failure: { reference: 'able' } })
  expect(await chosen(key('lacking', ['market:read']), key('unsaid', null))).toMatchObject({ failure: { reference: 'unsaid' } })
  expect(await chosen(key('lacking', ['market:read']))).toMatchObject({ failure: { kind: 'scope_missing' } })
  await open()
})
