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

test('for a good key, all checks of the key doctor pass, and each check shows the id of the request that it made', async () => {
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

test('the key doctor never executes, signs or changes anything', async () => {
  await bind('exec-1')
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

test('the key doctor lets a key without an executor pass all checks, but warns that the key cannot send orders to an executor [AUTH-04]', async () => {
  const report = await run()
  expect(report).toMatchObject({ cause: 'executor_not_bound' })
  expect(verdicts(report)).toMatchObject({ 'scope:trade:execute': 'pass', executor: 'warn' })
})

test('the key doctor reports a key with few scopes as healthy, and skips the checks of the scopes that the key does not have [AUTH-04]', async () => {
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

test('the key doctor reports a key without the scope market:read as healthy', async () => {
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

test('the key doctor reports a scope that the key has according to the key list, but that the service refuses [AUTH-04]', async () => {
  const reader = await custom(['market:read', 'account:read'])
  workspace.faults.keyRecord = 'more_scopes'
  const report = await run(reader)
  expect(report.cause).toBe('scope_missing')
  expect(Object.values(verdicts(report))).toContain('fail')
  expect(found(report, 'scope:collateral:manage').code).toBe('scope_listed_refused')
})

test('the key doctor reports separately that a key was rotated elsewhere, was revoked or has expired', async () => {
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

test('the key doctor reports a key as expired when its expiry date has passed', async () => {
  workspace.clock.advance(91 * day)
  await workspace.signIn()
  const report = await run()
  expect(report.cause).toBe('expired')
  expect(verdicts(report)).toMatchObject({ expiry: 'fail', accepted: 'fail' })
})

test('if a key does not allow this IP address, the key doctor shows the key’s allowlist, and this computer’s address if known [AUTH-05]', async () => {
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

test('while the service is down, the key doctor reports this and skips the checks of the key', async () => {
  workspace.faults.html = true
  const report = await run()
  expect(report.cause).toBe('service_down')
  expect(verdicts(report)).toMatchObject({ secret: 'pass', service: 'fail', clock: 'skipped', accepted: 'skipped' })
})

test('the key doctor reports a computer clock that differs from the service’s clock, but reports a revoked key first', async () => {
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

test('if the service limits requests, the key doctor reports the used-up limit and still accepts the key', async () => {
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/status', status: 429, code: 'RATE_LIMITED', times: 10, retryAfterSeconds: 1 }]
  const report = await run()
  expect(report.cause).toBe('rate_limited')
  expect(verdicts(report)).toMatchObject({ accepted: 'pass', address: 'pass' })
})

test('the key doctor reports separately that a key’s secret is missing and that the keychain is locked', async () => {
  const [account = ''] = [...workspace.secrets.entries.keys()]
  await workspace.secrets.delete(account)
  await workspace.restart()
  await workspace.connect()
  expect((await run()).cause).toBe('secret_missing')
  workspace.secrets.failWrites('locked')
  expect((await run()).cause).toBe('keychain')
})

test('the key doctor reports a key that the user revoked as revoked', async () => {
  value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'grid' }))
  expect((await run()).cause).toBe('revoked')
})

test('while the user is signed out, the key doctor takes a key’s status from the last key list, and marks it as not current', async () => {
  value(await workspace.handlers()['session.end']({}))
  const report = await run()
  expect(verdicts(report)).toMatchObject({ status: 'warn', accepted: 'pass', 'scope:trade:prepare': 'pass', agent: 'skipped' })
  expect(found(report, 'status')).toEqual({ code: 'listed_as', status: 'active', now: false })
})

test('the key doctor does not check the key of another wallet, and does not show that key’s last report', async () => {
  await run()
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(failure(await workspace.handlers()['doctor.run']({ keyId }))).toEqual({ kind: 'not_found', what: 'key' })
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))).toBeNull()
})

test('the key doctor’s last report survives a restart, and contains no secret', async () => {
  const report = await run()
  const secret = [...workspace.secrets.entries.values()][0]?.reveal() ?? 'none'
  await workspace.restart()
  await workspace.connect()
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))).toEqual(report)
  expect(JSON.stringify(workspace.journal()[raw].values.withPrefix(''))).not.toContain(secret)
})

test('the app shows a key doctor’s report that an older app version stored with the words of that version', async () => {
  await run()
  const name = `doctor/practice/${keyId}`
  const stored = JSON.parse(workspace.journal()[raw].values.get(name) ?? '')
  const [{ found: _, ...first }] = stored.report.checks
  const report = { ...stored.report, checks: [{ ...first, title: 'Secret on this computer', words: 'In the keychain.' }], sentence: 'It works.', action: null }
  workspace.journal()[raw].values.set(name, JSON.stringify({ ...stored, report }))
  expect(value(await workspace.handlers()['doctor.last']({ keyId }))?.checks).toEqual([{ ...first, found: { code: 'as_stored', text: 'In the keychain.' } }])
})
