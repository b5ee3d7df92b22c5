import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { AuditFilter, AuditRow } from '../../../shared/ipc/reads/audit.ts'
import { auditEvents } from '../../../shared/text/audit-text.ts'
import { inUserLanguage, speakToUser } from '../../kernel/user-language.ts'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

const all: AuditFilter = { keyId: null, source: 'both', kinds: [], ownCalls: true, text: '' }
const refresh = async () => value(await workspace.handlers()['audit.refresh']({}))
const list = async (filter: Partial<AuditFilter> = {}, limit = 200, offset = 0) =>
  value(await workspace.handlers()['audit.list']({ ...all, ...filter, offset, limit }))
const rows = async (filter: Partial<AuditFilter> = {}) => (await list(filter)).rows
const find = (found: readonly AuditRow[], event: string) => found.find((row) => row.event === event) ?? expect.fail(`no ${event}`)
const outsider = (path: string, headers: Record<string, string>, method = 'GET') => fetch(`${workspace.hostUrl}${path}`, { method, headers })

test('the audit log combines the service’s log with the app’s journal, and matches their entries by request id [KEY-14]', async () => {
  const keyId = await workspace.createKey('grid')
  await refresh()
  const found = await rows()
  const theirs = find(found, 'key.created')
  const ours = find(found, 'app.create')
  expect(theirs).toMatchObject({ source: 'service', kind: 'key_created', keyId, origin: 'here', outcome: 'done', matches: ours.id })
  expect(ours).toMatchObject({ source: 'app', kind: 'key_created', keyId, origin: null, outcome: 'done', matches: theirs.id, requestId: theirs.requestId })
  expect(theirs.requestId).toMatch(/^[A-Za-z0-9._:-]{8,80}$/)
  const times = found.map((row) => row.atMs ?? 0)
  expect(times).toEqual([...times].sort((a, b) => b - a))
})

test('the audit log shows whether a call with a key came from this app or from another program [KEY-14]', async () => {
  await workspace.createKey('grid')
  const [[, secret] = []] = [...workspace.secrets.entries]
  workspace.clock.advance(10 * 60_000)
  await outsider('/api/dex/v1/account', { 'X-Svc-API-Key': secret?.reveal() ?? '', 'X-Request-ID': 'bot-request-1' })
  value(await workspace.handlers()['account.summary']({ watch: null }))
  await refresh()
  const calls = (await rows({ kinds: ['call'] })).filter(({ title }) => title === 'GET /api/dex/v1/account')
  expect(calls.map(({ requestId, origin }) => [requestId === 'bot-request-1', origin])).toEqual([
    [false, 'here'],
    [true, 'elsewhere'],
  ])
})

test('the audit log and its export always contain calls of other programs, and calls of this app only if the user wants them [KEY-14]', async () => {
  await workspace.createKey('grid')
  const [[, secret] = []] = [...workspace.secrets.entries]
  workspace.clock.advance(10 * 60_000)
  await outsider('/api/dex/v1/account', { 'X-Svc-API-Key': secret?.reveal() ?? '', 'X-Request-ID': 'bot-request-1' })
  value(await workspace.handlers()['account.summary']({ watch: null }))
  await refresh()
  const shown = await list({ ownCalls: false })
  expect(shown.rows.filter(({ kind, origin }) => kind === 'call' && origin === 'here')).toEqual([])
  expect(shown.rows).toContainEqual(expect.objectContaining({ kind: 'call', requestId: 'bot-request-1' }))
  expect(shown.rows).toContainEqual(expect.objectContaining({ event: 'key.created', origin: 'here' }))
  expect(shown.total).toBe(shown.rows.length)
  expect((await list()).total).toBeGreaterThan(shown.total)

  const path = join(tmpdir(), `svc-desk-audit-own-${process.pid}.json`)
  onTestFinished(() => rm(path, { force: true }))
  workspace.chosenFiles.push(path)
  const saved = value(await workspace.handlers()['audit.export']({ ...all, ownCalls: false, format: 'json' }))
  expect(saved).toMatchObject({ state: 'saved', rows: shown.total })
  expect(JSON.parse(await readFile(path, 'utf8'))).toHaveLength(shown.total)
})

test('the audit log shows a key’s label as the user entered it, without the suffix that the app added to it for the service [KEY-14]', async () => {
  const keyId = await workspace.createKey('grid')
  await refresh()
  const [sent] = workspace.exchange.effects().keys.filter((key) => key.key_id === keyId)
  expect(sent?.label).toMatch(/^grid #[0-9a-f]{6}$/)
  const found = await rows({ source: 'service', keyId })
  expect(found.length).toBeGreaterThan(0)
  expect(new Set(found.map(({ label }) => label))).toEqual(new Set(['grid']))
})

test('if an entry of the service’s log does not name its key’s label, the audit log shows the label that the app has for the key [KEY-14]', async () => {
  const keyId = await workspace.createKey('grid')
  await workspace.rewriteAnswers((route, answer) =>
    route.endsWith('/developer/audit') ? JSON.parse(JSON.stringify(answer).replaceAll('"label"', '"of"')) : answer,
  )
  await refresh()
  const found = await rows({ source: 'service', keyId })
  expect(found.length).toBeGreaterThan(0)
  expect(new Set(found.map(({ label }) => label))).toEqual(new Set(['grid']))
})

test('the audit log can be filtered by key, source, kind and text; no row is lost or repeated between pages [KEY-14]', async () => {
  const first = await workspace.createKey('grid')
  const second = await workspace.createKey('market maker')
  value(await workspace.handlers()['keys.setExpiry']({ keyId: second, days: 30 }))
  await refresh()
  const whole = await list()
  expect(whole.total).toBe(whole.rows.length)
  expect((await rows({ keyId: first })).every((row) => row.keyId === first)).toBe(true)
  expect((await rows({ source: 'app' })).map(({ event }) => event)).toEqual(['app.expiry', 'app.create', 'app.create'])
  expect((await rows({ kinds: ['expiry_changed'] })).map(({ source }) => source).sort()).toEqual(['app', 'service'])
  expect(await rows({ text: 'MARKET m' })).toEqual(whole.rows.filter(({ label }) => label?.startsWith('market maker')))
  expect(await rows({ text: '%' })).toEqual([])
  expect((await list({ text: 'no such thing' })).total).toBe(0)

  const paged: AuditRow[] = []
  for (let offset = 0; offset < whole.total; offset += 3) {
    const answer = await list({}, 3, offset)
    expect(answer).toMatchObject({ offset, total: whole.total })
    expect(answer.rows.length).toBe(Math.min(3, whole.total - offset))
    paged.push(...answer.rows)
  }
  expect(paged).toEqual(whole.rows)
  expect((await list({}, 3, whole.total)).rows).toEqual([])
})

test('the app reads all pages of the service’s log the first time, and later only new entries [KEY-14]', async () => {
  await workspace.createKey('grid')
  for (let count = 0; count < 120; count += 1) value(await workspace.handlers()['account.summary']({ watch: null }))
  workspace.faults.audit = 'paged'
  const before = workspace.sent.length
  const first = await refresh()
  expect(first.read).toBeGreaterThan(120)
  expect(first.fresh).toBe(first.read)
  const pages = workspace.sent.slice(before).filter(({ path }) => path.startsWith('/api/dex/developer/audit'))
  expect(pages.length).toBeGreaterThan(2)
  const again = await refresh()
  expect(again.fresh).toBeGreaterThan(0)
  expect(again.read).toBeLessThanOrEqual(100)
})

test('the audit log keeps entries that the service no longer lists, and reads entries with extra or missing fields [ERR-02]', async () => {
  await workspace.createKey('grid')
  await refresh()
  const before = (await rows({ source: 'service' })).length
  workspace.faults.audit = 'empty'
  expect((await refresh()).fresh).toBe(0)
  expect(await rows({ source: 'service' })).toHaveLength(before)
  workspace.faults.audit = null
  workspace.faults.extraFields = true
  workspace.faults.omitOptional = true
  await refresh()
  expect((await rows({ source: 'service' })).length).toBeGreaterThan(before)
})

test('when the user resolves a key rotation of unknown outcome, the audit log updates the rotation’s row and adds no other row', async () => {
  const keyId = await workspace.createKey('grid')
  workspace.faults.dropAnswer = [{ route: 'POST /api/dex/developer/keys/{key_id}/rotate', times: 1 }]
  expect(failure(await workspace.handlers()['keys.rotate']({ keyId, confirmLabel: 'grid' })).kind).toBe('outcome_unknown')
  expect(find(await rows(), 'app.rotate')).toMatchObject({ outcome: 'unknown' })
  const [lost] = value(await workspace.handlers()['keys.unmatched']({}))
  value(await workspace.handlers()['keys.resolveUnmatched']({ operationId: lost?.operationId ?? '', keyId: null, action: 'dismiss' }))
  const renewed = (await rows()).filter(({ event }) => event === 'app.rotate')
  expect(renewed).toMatchObject([{ outcome: 'done', detail: 'dismissed' }])
})

test('the audit log records that a secret was copied, and the entry survives a restart', async () => {
  const keyId = await workspace.createKey('grid')
  value(await workspace.handlers()['keys.copySecret']({ keyId }))
  // Advance the clock, because two rows with the same time would have no defined order.
  workspace.clock.advance(1)
  workspace.noteUse({ use: 'run', profileId: 'practice', keyId, label: 'grid', to: 'node bot.js', by: 'terminal', outcome: 'denied' })
  await workspace.restart()
  await workspace.connect()
  expect(await rows({ kinds: ['secret_used'] })).toMatchObject([
    { event: 'secret.run', outcome: 'failed', detail: 'node bot.js · by_terminal · denied' },
    { event: 'secret.copied', outcome: 'done', keyId, label: 'grid' },
  ])
})

test('while another wallet is connected, the audit log does not show the entries of the first wallet [AUTH-03]', async () => {
  await workspace.createKey('grid')
  await refresh()
  const { privateKeyToAccount, generatePrivateKey } = await import('viem/accounts')
  await workspace.connect(privateKeyToAccount(generatePrivateKey()))
  expect(await list()).toEqual({ rows: [], offset: 0, total: 0, readAtMs: null })
})

test.each(['csv', 'json'] as const)('the filtered rows of the audit log can be exported as %s, without any secret [KEY-14, AUTH-09]', async (format) => {
  const keyId = await workspace.createKey('=cmd|calc')
  const [[, secret] = []] = [...workspace.secrets.entries]
  const canary = secret?.reveal() ?? 'none'
  workspace.noteUse({
    use: 'saved',
    profileId: 'practice',
    keyId,
    label: `label ${canary}`,
    to: `/home/${canary}/.env, "x"`,
    by: 'app',
    outcome: 'done',
  })
  await refresh()
  const path = join(tmpdir(), `svc-desk-audit-${process.pid}.${format}`)
  onTestFinished(() => rm(path, { force: true }))
  workspace.chosenFiles.push(path)
  const answer = value(await workspace.handlers()['audit.export']({ ...all, source: 'app', format }))
  expect(answer).toMatchObject({ state: 'saved', path, rows: 2 })
  const text = await readFile(path, 'utf8')
  expectMode(path, 0o600)
  expect(canary).toMatch(/^SVC.{8}/)
  for (const part of [canary, canary.slice(3, 20), Buffer.from(canary).toString('base64').slice(0, 20)]) expect(text).not.toContain(part)
  expect(text).toContain('[redacted]')
  expect(text).not.toContain('key.created')
  if (format === 'csv') expect(text.split('\r\n')).toHaveLength(4)
  else expect(JSON.parse(text)).toHaveLength(2)
  if (format === 'csv') expect(text).toContain(",'=cmd|calc,")
  expect(JSON.stringify(await list())).not.toContain(canary)
})

test.each(['csv', 'json'] as const)('the %s export of the audit log has the same content in every language of the app', async (format) => {
  await workspace.createKey('grid')
  await refresh()
  const path = join(tmpdir(), `svc-desk-audit-language-${process.pid}.${format}`)
  onTestFinished(() => rm(path, { force: true }))
  const exported = async () => {
    workspace.chosenFiles.push(path)
    expect(value(await workspace.handlers()['audit.export']({ ...all, format }))).toMatchObject({ state: 'saved' })
    return readFile(path, 'utf8')
  }
  const english = await exported()
  expect(english).toContain('Key created here')
  onTestFinished(() => speakToUser(undefined))
  await speakToUser('de')
  expect(inUserLanguage(() => auditEvents['app.create'])).toBe('Schlüssel hier erstellt')
  expect(await exported()).toBe(english)
})

test('exporting the audit log reports an error if the file cannot be written, but none if the user cancels the dialog', async () => {
  expect(value(await workspace.handlers()['audit.export']({ ...all, format: 'csv' }))).toEqual({ state: 'cancelled', path: null, rows: 0 })
  workspace.chosenFiles.push('/no/such/folder/audit.csv')
  expect(failure(await workspace.handlers()['audit.export']({ ...all, format: 'csv' }))).toMatchObject({ kind: 'file', issue: 'missing' })
})

test('after sign-out, the audit log still shows the entries it has stored, but needs a sign-in to read new ones', async () => {
  await refresh()
  value(await workspace.handlers()['session.end']({}))
  expect(failure(await workspace.handlers()['audit.refresh']({}))).toEqual({ kind: 'sign_in_required' })
  expect((await rows({ source: 'service' })).length).toBeGreaterThan(0)
})

test.each([
  ['with ids', ['ip']],
  ['without ids', ['ip', 'id', 'key_id']],
])('the app reads a stored audit log %s again after the user mapped its field names [KEY-14]', async (_, hidden) => {
  const keyId = await workspace.createKey('grid')
  await workspace.rewriteAnswers((route, answer) =>
    route !== 'GET /api/dex/developer/audit'
      ? answer
      : JSON.parse(JSON.stringify(answer), (_name, inner) =>
          typeof inner === 'object' && inner !== null && 'ip' in inner
            ? Object.fromEntries(Object.entries(inner).map(([name, held]) => [hidden.includes(name) ? `xq${name.length}` : name, held]))
            : inner,
        ),
  )
  await refresh()
  const before = await rows({ source: 'service' })
  expect(find(before, 'key.created')).toMatchObject({ ip: null })
  const place = (field: string, name: string) => ({ part: 'answers', of: 'audit_entry', field, at: `xq${name.length}`, unit: null }) as const
  const set = hidden.includes('id') ? [place('ip', 'ip'), place('keyId', 'key_id')] : [place('ip', 'ip')]
  value(await workspace.handlers()['fieldMap.change']({ set, remove: [], from: 'you' }))
  await refresh()
  const after = await rows({ source: 'service' })
  expect(find(after, 'key.created')).toMatchObject({ ip: '127.0.0.1', keyId, origin: 'here' })
  expect(after.map(({ event, atMs }) => [event, atMs])).toEqual(expect.arrayContaining(before.map(({ event, atMs }) => [event, atMs])))
  expect(after.filter(({ event }) => event === 'key.created')).toHaveLength(1)
  expect(find(await rows({ source: 'app' }), 'app.create')).toMatchObject({ keyId })
})
