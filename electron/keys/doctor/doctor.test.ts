import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { DoctorCheckId, DoctorReport } from '../../../shared/ipc/keys/doctor.ts'
import { day } from '../../../shared/time.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Workspace
let keyId: string
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
  keyId = await workspace.createKey('grid')
})
afterEach(() => workspace.stop())

const run = async (id = keyId) => value(await workspace.handlers()['doctor.run']({ keyId: id }))
const custom = async (
  scopes: ('market:read' | 'account:read' | 'trade:prepare' | 'trade:execute' | 'orders:manage' | 'collateral:manage')[],
  ipAllowlist: string[] = [],
) => value(await workspace.handlers()['keys.createCustom']({ label: 'custom', scopes, expiresInDays: 90, ipAllowlist, quotas: [] })).id
const verdicts = ({ checks }: DoctorReport) => Object.fromEntries(checks.map(({ id, verdict }) => [id, verdict])) as Record<DoctorCheckId, string>
const found = ({ checks }: DoctorReport, id: DoctorCheckId) => checks.find((one) => one.id === id)?.found ?? expect.fail(`no ${id}`)
const bind = async (executor: string) => value(await workspace.handlers()['agents.bindExecutor']({ keyId, executor, before: null, confirmLabel: 'grid' }))

test('a good key passes every check, each with its own call’s id', async () => {
  await bind('exec-1')
  const report = await run()
  expect(verdicts(report)).toMatchObject({
    secret: 'pass',
    status: 'pass',
    expiry: 'pass',
    service: 'pass',
    clock: 'pass',
    accepted: 'pass',
    address: 'pass',
    wallet: 'pass',
    'scope:market:read': 'pass',
    'scope:account:read': 'pass',
    'scope:trade:prepare': 'pass',
    'scope:orders:manage': 'pass',
    'scope:collateral:manage': 'skipped',
    'scope:trade:execute': 'pass',
    executor: 'pass',
    agent: 'pass',
    payment: 'skipped',
  })
  expect(report).toMatchObject({ keyId, label: 'grid', cause: 'healthy' })
  const made = report.checks.filter(({ ms }) => ms !== null)
  expect(made.length).toBeGreaterThan(8)
  for (const { requestId } of made) expect(requestId).toMatch(/^[A-Za-z0-9._:-]{8,80}$/)
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))).toEqual(report)
})

test('nothing of it executes, signs or changes anything', async () => {
  await bind('exec-1')
  // When a key was last used is all that a call may change.
  const done = () => {
    const { keys, positions, relayed } = workspace.exchange.effects()
    return { positions, relayed, keys: keys.map((key) => ({ ...key, last_used_at: null, last_used_ip: null })) }
  }
  const before = done()
  const from = workspace.sent.length
  const report = await run()
  expect(report.cause).toBe('healthy')
  expect(done()).toEqual(before)
  const calls = workspace.sent.slice(from)
  const executes = calls.filter(({ path }) => path.endsWith('/orders/execute'))
  expect(executes).toHaveLength(1)
  for (const { body } of executes) expect(JSON.parse(body ?? '{}')).toMatchObject({ prepare_only: true, payload: { order_value_usdc: '0' } })
  expect(calls.filter(({ path }) => path.includes('/actions/'))).toEqual([])
  expect(calls.filter(({ path, method }) => path.startsWith('/api/dex/developer') && method !== 'GET')).toEqual([])
  expect(value(await workspace.handlers()['intents.list']({ beforeMs: null, limit: 10 })).intents).toEqual([])
})

test('a key without executor works, but for delegated execution [AUTH-04]', async () => {
  const report = await run()
  expect(report).toMatchObject({ cause: 'executor_not_bound' })
  expect(verdicts(report)).toMatchObject({ 'scope:trade:execute': 'pass', executor: 'warn' })
})

test('a key of few scopes is healthy within them, and each of the others is refused as it should be [AUTH-04]', async () => {
  const reader = await custom(['market:read'])
  const report = await run(reader)
  expect(report.cause).toBe('healthy')
  expect(verdicts(report)).toMatchObject({
    accepted: 'pass',
    'scope:market:read': 'pass',
    'scope:account:read': 'skipped',
    'scope:trade:prepare': 'skipped',
    'scope:orders:manage': 'skipped',
    'scope:collateral:manage': 'skipped',
    'scope:trade:execute': 'skipped',
    executor: 'skipped',
    wallet: 'skipped',
  })
})

test('a key without market:read is let in all the same', async () => {
  const trader = await custom(['account:read', 'collateral:manage'])
  const report = await run(trader)
  expect(report.cause).toBe('healthy')
  expect(verdicts(report)).toMatchObject({
    accepted: 'pass',
    address: 'pass',
    'scope:market:read': 'skipped',
    'scope:collateral:manage': 'pass',
    wallet: 'pass',
  })
})

test('a scope that the list names and the service refuses is found [AUTH-04]', async () => {
  const reader = await custom(['market:read', 'account:read'])
  workspace.faults.keyRecord = 'more_scopes'
  const report = await run(reader)
  expect(report.cause).toBe('scope_missing')
  expect(Object.values(verdicts(report))).toContain('fail')
  expect(found(report, 'scope:collateral:manage').code).toBe('scope_listed_refused')
})

test('a secret that was rotated away elsewhere is told from a key that was revoked, and from one that expired', async () => {
  workspace.faults.credential = 'invalid'
  const rotated = await run()
  expect(rotated.cause).toBe('missing_or_revoked')
  expect(found(rotated, 'accepted').code).toBe('secret_replaced_elsewhere')
  expect(verdicts(rotated)['scope:market:read']).toBe('skipped')
  workspace.faults.credential = 'revoked'
  expect((await run()).cause).toBe('revoked')
  workspace.faults.credential = 'expired'
  expect((await run()).cause).toBe('expired')
})

test('an expired key is known to be so before it is tried', async () => {
  workspace.clock.advance(91 * day)
  await workspace.signIn()
  const report = await run()
  expect(report.cause).toBe('expired')
  expect(verdicts(report)).toMatchObject({ expiry: 'fail', accepted: 'fail' })
})

test('an address that is not allowed is told with the key’s list, and with the address where it is known [AUTH-05]', async () => {
  const guarded = await custom(['market:read', 'account:read'], ['203.0.113.0/28', '2001:db8::1'])
  workspace.faults.callerIp = '198.51.100.7'
  const report = await run(guarded)
  expect(report).toMatchObject({ cause: 'ip_not_allowed' })
  expect(verdicts(report)).toMatchObject({ accepted: 'pass', address: 'fail', 'scope:account:read': 'skipped' })
  const allowlist = ['203.0.113.0/28', '2001:db8::1']
  expect(found(report, 'address')).toEqual({ code: 'address_refused', seenAs: null, allowlist })
  workspace.faults.ipInRefusal = true
  expect(found(await run(guarded), 'address')).toEqual({ code: 'address_refused', seenAs: '198.51.100.7', allowlist })
  workspace.faults.callerIp = '203.0.113.5'
  expect(verdicts(await run(guarded)).address).toBe('pass')
})

test('a service that is down says nothing about the key', async () => {
  workspace.faults.html = true
  const report = await run()
  expect(report.cause).toBe('service_down')
  expect(verdicts(report)).toMatchObject({ secret: 'pass', service: 'fail', clock: 'skipped', accepted: 'skipped' })
})

test('clocks that are apart are found, and do not hide what is worse', async () => {
  await bind('exec-1')
  workspace.faults.clockSkewMs = 10 * 60_000
  await workspace.signIn()
  const report = await run()
  expect(report.cause).toBe('clock_skew')
  const clock = found(report, 'clock')
  expect(clock.code === 'clocks_apart' ? Math.round(clock.offsetMs / 1_000) : clock).toBe(600)
  workspace.faults.credential = 'revoked'
  expect((await run()).cause).toBe('revoked')
})

test('a rate limit that is used up is not taken for a bad key', async () => {
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/status', status: 429, code: 'RATE_LIMITED', times: 10, retryAfterSeconds: 1 }]
  const report = await run()
  expect(report.cause).toBe('rate_limited')
  expect(verdicts(report)).toMatchObject({ accepted: 'pass', address: 'pass' })
})

test('a secret that is not here, and a keychain that gives nothing out, are told apart', async () => {
  const [account = ''] = [...workspace.secrets.entries.keys()]
  await workspace.secrets.delete(account)
  await workspace.restart()
  await workspace.connect()
  expect((await run()).cause).toBe('secret_missing')
  workspace.secrets.failWrites('locked')
  expect((await run()).cause).toBe('keychain')
})

test('a revoked key is told as such, whatever else', async () => {
  value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'grid' }))
  expect((await run()).cause).toBe('revoked')
})

test('works without a sign-in by what was listed last, and says so', async () => {
  value(await workspace.handlers()['session.end']({}))
  const report = await run()
  expect(verdicts(report)).toMatchObject({ status: 'warn', accepted: 'pass', 'scope:trade:prepare': 'pass', agent: 'skipped' })
  expect(found(report, 'status')).toEqual({ code: 'listed_as', status: 'active', now: false })
})

test('another wallet’s key is neither examined nor shown', async () => {
  await run()
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(failure(await workspace.handlers()['doctor.run']({ keyId }))).toEqual({ kind: 'not_found', what: 'key' })
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))).toBeNull()
})

test('the last report outlives a restart and holds no secret', async () => {
  const report = await run()
  const secret = [...workspace.secrets.entries.values()][0]?.reveal() ?? 'none'
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))).toEqual(report)
  expect(JSON.stringify(workspace.journal()[raw].values.withPrefix(''))).not.toContain(secret)
})

test('shows the sentences of a report that an earlier version stored', async () => {
  await run()
  const name = `doctor/practice/${keyId}`
  const stored = JSON.parse(workspace.journal()[raw].values.get(name) ?? '')
  const [{ found: _, ...first }] = stored.report.checks
  const report = { ...stored.report, checks: [{ ...first, title: 'Secret on this computer', words: 'In the keychain.' }], sentence: 'It works.', action: null }
  workspace.journal()[raw].values.set(name, JSON.stringify({ ...stored, report }))
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))?.checks).toEqual([{ ...first, found: { code: 'as_stored', text: 'In the keychain.' } }])
})
