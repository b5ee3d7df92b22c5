import { afterEach, beforeEach, expect, test } from 'vitest'
import { preparePath, startTrader, type Trader } from '../../e2e/support/main/trader.ts'
import { failure, value } from '../../e2e/support/main/workspace.ts'
import { day } from '../../shared/time.ts'

let workspace: Trader
beforeEach(async () => {
  workspace = await startTrader()
})
afterEach(() => workspace.stop())

const console = async () => value(await workspace.handlers()['keys.console']({}))
const keyOf = (path: string) => workspace.sentTo(path).at(-1)?.headers['x-svc-api-key']

test('the user can create a read-only key for the app’s own reads, valid for 90 days and stored like any other key [AUTH-04]', async () => {
  expect(await console()).toMatchObject({ state: 'borrowed', key: { label: 'bot' } })
  const made = value(await workspace.handlers()['keys.createConsole']({}))
  expect(made).toMatchObject({ label: 'Svc Desk console', secret: 'keychain' })
  const listed = value(await workspace.handlers()['keys.list']({})).keys.find(({ id }) => id === made.id)
  expect([...(listed?.scopes ?? [])].sort()).toEqual(['account:read', 'market:read'])
  expect(Math.round(((listed?.expiresAtMs ?? 0) - workspace.clock.now()) / day)).toBe(90)
  expect(await console()).toMatchObject({ state: 'own', key: { id: made.id } })
})

test('the app reads with its own read-only key, but prepares orders with the current trading key, which has the needed scope [GEN-10] [AUTH-04]', async () => {
  await workspace.prepare()
  const trading = keyOf(preparePath)
  const made = value(await workspace.handlers()['keys.createConsole']({}))
  value(await workspace.handlers()['account.positions']({ watch: null }))
  value(await workspace.handlers()['markets.summaries']({}))
  const [ofAccount, ofMarkets] = [keyOf('/api/dex/v1/positions'), keyOf('/api/dex/v1/summaries')]
  expect(ofAccount).toBe(ofMarkets)
  expect(ofAccount).not.toBe(trading)
  await workspace.prepare()
  expect(keyOf(preparePath)).toBe(trading)
  const { keys } = value(await workspace.handlers()['keys.list']({}))
  expect(keys.filter(({ inUse }) => inUse).map(({ label }) => label)).toEqual(['bot'])

  const bot = keys.find(({ label }) => label === 'bot')?.id ?? ''
  value(await workspace.handlers()['keys.useForConsole']({ keyId: bot }))
  value(await workspace.handlers()['account.positions']({ watch: null }))
  expect(keyOf('/api/dex/v1/positions')).toBe(trading)
  value(await workspace.handlers()['keys.useForConsole']({ keyId: made.id }))
  value(await workspace.handlers()['account.positions']({ watch: null }))
  expect(keyOf('/api/dex/v1/positions')).toBe(ofAccount)
  value(await workspace.handlers()['keys.useForConsole']({ keyId: null }))
  expect((await console()).state).toBe('borrowed')
  expect(failure(await workspace.handlers()['keys.useForConsole']({ keyId: 'nobodys' }))).toMatchObject({ kind: 'not_found' })
})

test('after the app’s own read-only key is revoked, the app reads with another key, or without a key from the public routes [GEN-10]', async () => {
  const made = value(await workspace.handlers()['keys.createConsole']({}))
  const { id: bot } = value(await workspace.handlers()['keys.list']({})).keys.find(({ label }) => label === 'bot') ?? { id: '' }
  value(await workspace.handlers()['keys.revoke']({ keyId: made.id, confirmLabel: 'Svc Desk console' }))
  expect(await console()).toMatchObject({ state: 'borrowed', key: { label: 'bot' } })
  expect(value(await workspace.handlers()['markets.summaries']({})).source).toBe('versioned')
  value(await workspace.handlers()['keys.revoke']({ keyId: bot, confirmLabel: 'bot' }))
  expect(await console()).toEqual({ state: 'none', key: null, choices: [] })
  expect(value(await workspace.handlers()['markets.summaries']({})).source).toBe('public')
})
