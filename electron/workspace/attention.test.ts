import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../e2e/support/main/elsewhere.ts'
import { startWorkspace, value, type Workspace } from '../../e2e/support/main/workspace.ts'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { ok } from '../../shared/result.ts'
import { day, hour, minute } from '../../shared/time.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import { createCredentials } from '../service/credentials/credentials.ts'
import { type AttentionDeps, createAttention } from './attention.ts'
import { createSnoozes } from './snoozes.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
})
afterEach(() => workspace.stop())

const attention = async () => value(await workspace.handlers()['app.attention']({}))
const kinds = async () => (await attention()).map(({ kind }) => kind)

test('the attention list of a fresh profile contains only the missing sign-in and the missing key', async () => {
  expect(await kinds()).toEqual(['sign_in_required', 'no_key'])
  await workspace.signIn()
  expect(await kinds()).toEqual(['no_key'])
  await workspace.createKey()
  expect(await kinds()).toEqual([])
})

test('the attention list warns with a countdown when the sign-in expires soon [AUTH-08]', async () => {
  await workspace.signIn()
  await workspace.createKey()
  workspace.clock.advance(3.6 * hour)
  const [row] = await attention()
  expect(row).toMatchObject({ kind: 'sign_in_ending', severity: 'warn' })
  expect(row?.untilMs).toBeGreaterThan(workspace.clock.now())
  workspace.clock.advance(hour)
  expect(await kinds()).toEqual(['sign_in_required'])
})

test('the attention list shows an unfinished key wizard as a draft [KEY-10]', async () => {
  await workspace.signIn()
  const draft = value(await workspace.handlers()['keys.prepare']({ label: 'grid-eth', expiresInDays: 30, ipAllowlist: [] }))
  expect(await attention()).toMatchObject([{ kind: 'keep_draft', untilMs: draft.expiresAtMs, label: 'grid-eth', unknown: false }])
})

test('the attention list contains a key that expires within two weeks, and one that has expired', async () => {
  await workspace.signIn()
  const id = await workspace.createKey('grid-eth')
  value(await workspace.handlers()['keys.list']({}))
  workspace.clock.advance(80 * day)
  expect(await attention()).toContainEqual(expect.objectContaining({ kind: 'key_expiring', label: 'grid-eth', over: false, to: `/keys/${id}` }))
  workspace.clock.advance(11 * day)
  expect(await attention()).toContainEqual(expect.objectContaining({ kind: 'key_expiring', label: 'grid-eth', over: true }))
  expect(await kinds()).toContain('no_key')
})

test('the attention list has every active key that expires within two weeks, soonest first, even if its secret is on another computer', async () => {
  await workspace.signIn()
  const here = await workspace.createKey('here')
  const { keyId: theirs } = await elsewhere(workspace).create({ label: 'theirs', expires_in_days: 90 })
  value(await workspace.handlers()['keys.list']({}))
  workspace.clock.advance(80 * day)
  const ending = (await attention()).filter(({ kind }) => kind === 'key_expiring')
  expect(ending.map(({ to }) => to).sort()).toEqual([`/keys/${here}`, `/keys/${theirs}`].sort())
  expect(ending.map(({ untilMs }) => untilMs)).toEqual(ending.map(({ untilMs }) => untilMs).sort())
  workspace.clock.advance(9.5 * day)
  expect((await attention()).slice(0, 2)).toMatchObject([
    { kind: 'key_expiring', severity: 'danger' },
    { kind: 'key_expiring', severity: 'danger' },
  ])
})

test('the app notices within about half a minute that a keychain that failed works again', async () => {
  workspace.secrets.failWrites('locked')
  expect(value(await workspace.handlers()['app.health']({})).keychain).toBe('locked')
  expect(await kinds()).toContain('keychain')
  workspace.secrets.failWrites(null)
  workspace.clock.advance(31_000)
  value(await workspace.handlers()['app.health']({}))
  await expect.poll(async () => value(await workspace.handlers()['app.health']({})).keychain).toBe('ready')
})

test('the app reports at once that the keychain refused a secret, even after an earlier test write to the keychain succeeded', async () => {
  await workspace.signIn()
  expect(value(await workspace.handlers()['app.health']({})).keychain).toBe('ready')
  workspace.secrets.failWritesAfterProbe('locked')
  await workspace.createKey('unstored')
  expect(value(await workspace.handlers()['app.health']({})).keychain).toBe('locked')
  expect(await kinds()).toEqual(expect.arrayContaining(['keychain', 'unstored_key']))
})

/** Creates an attention list for this test only. `over` replaces some of the list's parts. */
function attentionWith(over: Partial<AttentionDeps>) {
  const { journal, clock, hostUrl, secrets } = { ...workspace, journal: workspace.journal() }
  const profile = { id: 'practice', kind: 'live', hostUrl, practiceWallet: null } as const
  return createAttention({
    profile,
    journal,
    credentials: createCredentials({ profile, journal, secrets, clock }),
    api: { clockOffsetMs: () => null },
    session: { status: () => Promise.reject(new ExpectedFailure({ kind: 'keychain', code: 'locked', detail: null })) },
    health: {
      read: async () => ({ service: 'up', serviceAgeMs: 0, outage: null, hosts: [], stream: null, keychain: 'locked', journal: 'ready' }),
      outage: () => null,
    },
    wallet: { shown: () => ok(workspace.account.address) },
    draftOf: () => null,
    more: () => [],
    failing: () => [],
    changes: () => ({ drifts: [], agreed: false }),
    snoozes: createSnoozes({ profile, records: journal.records, clock }),
    emit: () => {},
    clock,
    ...over,
  })
}

test('while the keychain is locked and the app cannot read the sign-in, the attention list still shows all other items', async () => {
  const { handlers } = attentionWith({})
  expect(value(await handlers['app.attention']({})).map(({ kind }) => kind)).toEqual(['keychain', 'no_key'])
})

test('when a webhook begins to fail, the app notifies the user once, by a system notification and not in the window', () => {
  const events: AppEvent[] = []
  let failing: Attention[] = []
  const { watch } = attentionWith({ failing: () => failing, emit: (event) => events.push(event) })
  const item = { id: 'failing:wh_1', to: '/webhooks/wh_1', atMs: 0, untilMs: null, label: 'https://bot.example', count: 1 } as const
  failing = [{ ...item, kind: 'webhook_failing', severity: 'warn', why: 'disabled' }]
  watch()
  watch()
  const notice = { code: 'webhook_failing', label: 'https://bot.example', why: 'disabled' }
  expect(events.filter(({ type }) => type === 'notice')).toEqual([
    { type: 'notice', severity: 'warn', notice, to: '/webhooks/wh_1', quiet: true, system: 'away' },
  ])
})

test('the attention list puts an outage first after five seconds, and drops it when the service responds again', async () => {
  await workspace.signIn()
  const refresh = () => workspace.handlers()['markets.list']({})
  workspace.faults.hostDown = [{ host: 'first', how: 503 }]
  expect((await refresh()).ok).toBe(false)
  workspace.clock.advance(4_900)
  expect(await kinds()).not.toContain('service_down')
  workspace.clock.advance(100)
  expect((await attention())[0]).toMatchObject({ kind: 'service_down', severity: 'danger', how: 'errors', to: '/settings/service' })
  workspace.faults.hostDown = []
  workspace.clock.advance(60_000)
  expect((await refresh()).ok).toBe(true)
  expect(await kinds()).not.toContain('service_down')
})

test('the app’s health report says whether the service responds, whether the journal is ready, and how far this computer’s clock is off', async () => {
  expect(value(await workspace.handlers()['app.health']({}))).toMatchObject({ service: 'unknown', serviceAgeMs: null, journal: 'ready' })
  expect(value(await workspace.handlers()['app.clock']({}))).toEqual({ offsetMs: null })
  value(await workspace.handlers()['markets.list']({}))
  expect(value(await workspace.handlers()['app.health']({}))).toMatchObject({ service: 'up', journal: 'ready' })
  expect(Math.abs(value(await workspace.handlers()['app.clock']({})).offsetMs ?? 99_999)).toBeLessThan(2_000)
})

test('the activity lists operations on secrets, such as creating a key, without the journal’s internal marker and key ids', async () => {
  await workspace.signIn()
  await workspace.createKey('grid-eth')
  const [operation] = value(await workspace.handlers()['activity.secrets']({ limit: 10 }))
  expect(operation).toMatchObject({ kind: 'create', label: 'grid-eth', state: 'VERIFIED' })
  expect(operation).not.toHaveProperty('marker')
  expect(operation).not.toHaveProperty('keyIdsBefore')
})

test('the attention list contains every key that may work and expires within two weeks, even if the user snoozed it', async () => {
  const { address: wallet } = workspace.account
  const { records } = workspace.journal()
  const facts = { wallet, scopes: null, askedScopes: null, createdAtMs: null, allowlist: null, agent: null, executor: null, removed: false }
  const key = fc.record({
    keyId: fc.string({ minLength: 1, maxLength: 8 }).filter((id) => id.trim() !== ''),
    label: fc.string(),
    status: fc.constantFrom('active', 'expired', 'revoked', 'unknown'),
    leftMs: fc.option(fc.oneof(fc.integer({ min: -40 * day, max: 40 * day }), fc.constantFrom(1, day, 14 * day, 14 * day + minute))),
  })
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(key, { selector: ({ keyId }) => keyId, maxLength: 12 }), async (keys) => {
      for (const { key: stored } of records.keyFacts.list({ profile: 'practice' })) records.keyFacts.delete(stored)
      const now = workspace.clock.now()
      for (const { leftMs, ...one } of keys)
        records.keyFacts.write({ profile: 'practice', keyId: one.keyId }, { ...facts, ...one, expiresAtMs: leftMs === null ? null : now + leftMs })
      const listed = (await attention()).filter(({ kind }) => kind === 'key_expiring')
      const ending = keys.filter(
        ({ status, leftMs }) => (status === 'active' || status === 'unknown') && leftMs !== null && leftMs > day / 2 && leftMs <= 14 * day,
      )
      expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(ending.map(({ keyId }) => `expiring:${keyId}`)))
      expect(listed.length).toBeLessThanOrEqual(keys.filter(({ status, leftMs }) => status !== 'revoked' && leftMs !== null && leftMs <= 14 * day).length)
      for (const { id } of listed) value(await workspace.handlers()['app.snooze']({ id, length: 'day' }))
      const snoozed = (await attention()).filter(({ kind }) => kind === 'key_expiring')
      expect(snoozed.map(({ id }) => id)).toEqual(expect.arrayContaining(ending.map(({ keyId }) => `expiring:${keyId}`)))
      expect(snoozed.every((item) => item.snoozed !== null)).toBe(true)
    }),
    { numRuns: 60 },
  )
})

test('when an outage starts or ends, the app makes its windows reread the service’s state and the attention list in one step', async () => {
  await workspace.signIn()
  const together = () =>
    workspace.events.filter((event) => event.type === 'invalidate' && event.queries.includes('app.health') && event.queries.includes('app.attention')).length
  workspace.faults.hostDown = [{ host: 'first', how: 503 }]
  await workspace.handlers()['markets.list']({})
  value(await workspace.handlers()['app.health']({}))
  const before = together()
  workspace.clock.advance(5_000)
  value(await workspace.handlers()['app.health']({}))
  expect(together()).toBe(before + 1)
  value(await workspace.handlers()['app.health']({}))
  expect(together()).toBe(before + 1)
  expect(await kinds()).toContain('service_down')
  expect(value(await workspace.handlers()['notices.list']({})).map(({ notice }) => notice.code)).toContain('service_down')
  expect(workspace.events.filter(({ type }) => type === 'notice')).toEqual([])
})
