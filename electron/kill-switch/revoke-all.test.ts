import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { elsewhere } from '../../e2e/support/main/elsewhere.ts'
import { failure, startWorkspace, value, type Workspace } from '../../e2e/support/main/workspace.ts'
import type { RevokeAllState } from '../../shared/ipc/intents/kill-switch.ts'
import { revokeAllPhrase } from '../../shared/phrases.ts'
import { minute, second } from '../../shared/time.ts'
import { raw } from '../store/records/raw.ts'

const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

let workspace: Workspace
beforeEach(async () => {
  workspace = await startWorkspace()
  await workspace.connect()
  await workspace.signIn()
})
afterEach(() => workspace.stop())

async function keys(count: number): Promise<string[]> {
  const other = elsewhere(workspace)
  const ids = [await workspace.createKey('here')]
  for (let made = 1; made < count; made += 1) ids.push((await other.create({ label: `key ${made}` })).keyId)
  value(await workspace.handlers()['keys.list']({}))
  return ids
}
const start = (keyIds: string[], typed = revokeAllPhrase(keyIds.length)) => workspace.handlers()['revokeAll.start']({ keyIds, typed })
const state = async () => value(await workspace.handlers()['revokeAll.state']({}))
const report = async () => value(await workspace.handlers()['revokeAll.report']({}))
const attention = async () => value(await workspace.handlers()['app.attention']({})).map(({ kind }) => kind)
const revoked = () => workspace.exchange.effects().keys.filter(({ status }) => status === 'revoked')
const ended = (wanted: RevokeAllState['state']) => expect.poll(state, { timeout: 10_000 }).toMatchObject({ state: wanted })

test('“revoke all” revokes all keys after one confirmation, reports each key, and removes the secrets of the keys from this computer [KEY-09, LIM-01]', async () => {
  const ids = await keys(8)
  expect(await state()).toEqual({ state: 'idle' })
  workspace.events.splice(0)
  expect(value(await start(ids))).toMatchObject({ state: 'running', total: 8, revoked: 0, left: 8 })
  await ended('done')
  expect(await state()).toMatchObject({ total: 8, revoked: 8, refused: 0, left: 0, waitsFor: null, endedAtMs: expect.any(Number) })
  expect(revoked()).toHaveLength(8)
  const rows = await report()
  expect(rows.map(({ keyId }) => keyId)).toEqual(ids)
  for (const row of rows) expect(row).toMatchObject({ outcome: 'revoked', requestId: expect.any(String), atMs: expect.any(Number), detail: null })
  expect(new Set(rows.map(({ requestId }) => requestId)).size).toBe(8)
  expect(workspace.events.filter((event) => event.type === 'invalidate' && event.queries.includes('revokeAll.state')).length).toBeGreaterThanOrEqual(8)
  await expect.poll(() => workspace.secrets.entries.size).toBe(0)
  await expect.poll(() => workspace.events.filter((event) => event.type === 'invalidate' && event.queries.includes('keys.list')).length).toBe(2)
  expect(
    workspace
      .journal()
      .secretOperations.list('practice', 20)
      .filter(({ kind, state }) => kind === 'revoke' && state === 'SETTLED'),
  ).toHaveLength(8)
})

test('“revoke all” sends fewer than 10 requests per second, so that the service never rate-limits the app [LIM-01]', async () => {
  const ids = await keys(10)
  const before = workspace.journal().requests.list('practice', 500).length
  value(await start(ids))
  await ended('done')
  const requests = workspace.journal().requests.list('practice', 500).slice(0, -before)
  const times = requests
    .filter(({ endpoint }) => endpoint === revokeRoute)
    .map(({ atMs }) => atMs)
    .sort((a, b) => a - b)
  expect(times).toHaveLength(10)
  for (const [index, from] of times.entries()) expect(times.slice(index).filter((at) => at < from + second).length).toBeLessThan(10)
  expect(requests.some(({ status }) => status === 429)).toBe(false)
})

test('the app requires a typed phrase before it revokes all keys, and refuses a second “revoke all” until the first one ends [KEY-09]', async () => {
  const ids = await keys(2)
  expect(failure(await start(ids, 'revoke'))).toEqual({ kind: 'bad_input', field: 'typed', issue: 'type_word revoke 2 keys' })
  expect(await state()).toEqual({ state: 'idle' })
  workspace.faults.delay = [{ route: revokeRoute, ms: null }]
  value(await start(ids))
  expect(failure(await start(ids))).toMatchObject({ kind: 'wrong_state', state: 'running' })
  workspace.faults.delay = []
  await ended('done')
})

test('“revoke all” continues with the other keys if the service does not know one of the keys or refuses to revoke it [KEY-09]', async () => {
  const ids = await keys(3)
  workspace.faults.answer = [{ route: revokeRoute, status: 403, code: 'NOT_THIS_ONE', times: 1 }]
  value(await start(ids))
  await ended('done')
  expect(await state()).toMatchObject({ revoked: 2, refused: 1, left: 0 })
  const refused = (await report()).find(({ outcome }) => outcome === 'refused')
  expect(refused?.detail).toMatchObject({ code: 'refused', status: 403, by: 'NOT_THIS_ONE' })

  value(await start(['key_unknown', refused?.keyId ?? '']))
  await ended('done')
  expect((await report()).map(({ outcome }) => outcome)).toEqual(['refused', 'revoked'])
  expect((await report())[0]).toMatchObject({ label: 'key_unknown', detail: { code: 'refused', status: 404 } })
})

test('“revoke all” sends the first revocation of each key at once, and repeats it only after the time for which the service asks [KEY-09, LIM-02]', async () => {
  const ids = await keys(2)
  workspace.onSleep = () => workspace.clock.advance(3 * second)
  workspace.faults.answer = [{ route: 'GET /api/dex/developer/keys', status: 429, code: 'RATE_LIMITED', times: 1, retryAfterSeconds: 11 }]
  await workspace.handlers()['keys.list']({})
  workspace.faults.answer = [{ route: revokeRoute, status: 429, code: 'RATE_LIMITED', times: 2, retryAfterSeconds: 9 }]
  const pressedAtMs = workspace.clock.now()
  value(await start(ids))
  await ended('done')
  const revokes = workspace
    .journal()
    .requests.list('practice', 500)
    .filter(({ endpoint, atMs }) => endpoint === revokeRoute && atMs >= pressedAtMs)
    .map(({ status, atMs }) => ({ status, afterMs: atMs - pressedAtMs }))
    .sort((a, b) => a.afterMs - b.afterMs)
  expect(revokes.slice(0, 2).map(({ status }) => status)).toEqual([429, 429])
  expect(revokes[1]?.afterMs).toBeLessThan(2 * second)
  for (const { afterMs } of revokes.slice(2)) expect(afterMs).toBeGreaterThanOrEqual(9 * second)
  expect(revoked()).toHaveLength(2)
})

test('“revoke all” counts a key as revoked if the service’s key list says so, even if the revocation request got no response [KEY-09]', async () => {
  const ids = await keys(4)
  // Advance the clock by a minute per pause, because after lost responses the app reads nothing from the host for a minute.
  workspace.onSleep = () => workspace.clock.advance(minute)
  workspace.faults.dropAnswer = [{ route: revokeRoute, times: 1_000 }]
  value(await start(ids))
  await ended('done')
  expect(revoked()).toHaveLength(4)
  expect((await report()).every(({ outcome }) => outcome === 'revoked')).toBe(true)
})

test('if the service does not respond, “revoke all” repeats its requests for a while, and then only on the user’s request [KEY-09]', async () => {
  const ids = await keys(3)
  workspace.faults.answer = [{ route: revokeRoute, status: 503, code: 'MAINTENANCE', times: 1_000 }]
  value(await start(ids))
  await ended('stopped')
  expect(await state()).toMatchObject({ left: 3, waitsFor: 'service' })
  expect(await attention()).toContain('revoke_all_unfinished')
  workspace.faults.answer = []
  expect(value(await workspace.handlers()['revokeAll.resume']({}))).toMatchObject({ state: 'running' })
  await ended('done')
  expect(revoked()).toHaveLength(3)
  expect(await attention()).not.toContain('revoke_all_unfinished')
  expect(failure(await workspace.handlers()['revokeAll.resume']({}))).toEqual({ kind: 'not_found', what: 'revoke all' })
})

test('after a crash, “revoke all” remembers which keys are already revoked, and continues with the other keys [KEY-09]', async () => {
  const ids = await keys(6)
  workspace.faults.delay = [{ route: revokeRoute, ms: null }]
  value(await start(ids))
  await expect.poll(() => revoked().length).toBe(3)
  await workspace.restart()
  workspace.faults.delay = []
  await workspace.connect()
  expect(await state()).toMatchObject({ state: 'stopped', left: 6, waitsFor: 'restart' })
  expect(await attention()).toContain('revoke_all_unfinished')
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('done')
  expect(revoked()).toHaveLength(6)
  expect((await report()).map(({ outcome }) => outcome)).toEqual(ids.map(() => 'revoked'))
  await expect.poll(() => workspace.secrets.entries.size).toBe(0)
})

test('“revoke all” shows revocations stored by an earlier app version in that version’s wording, and continues the unfinished ones [KEY-09]', async () => {
  const [done = '', left = ''] = await keys(2)
  const row = { requestId: null, atMs: 1, leftInKeychain: false }
  const rows = [
    { ...row, keyId: done, label: 'here', outcome: 'revoked', detail: 'The list says that it is revoked.' },
    { ...row, keyId: left, label: 'key 1', outcome: 'unknown', detail: 'No answer: timeout' },
  ]
  const begun = { id: 'p', wallet: workspace.account.address, startedAtMs: 1, endedAtMs: null, rows }
  workspace.journal()[raw].values.set('panic/practice', JSON.stringify(begun), 1)
  await workspace.restart()
  await workspace.connect()
  expect((await report()).map(({ detail }) => detail)).toEqual([
    { code: 'as_written', text: 'The list says that it is revoked.' },
    { code: 'as_written', text: 'No answer: timeout' },
  ])
  expect(await state()).toMatchObject({ state: 'stopped', revoked: 1, left: 1 })
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('done')
  expect(revoked()).toHaveLength(1)
})

test('“revoke all” pauses while the user is signed out, and continues after the next sign-in [AUTH-08]', async () => {
  const ids = await keys(3)
  value(await workspace.handlers()['session.end']({}))
  value(await start(ids))
  await ended('stopped')
  expect(await state()).toMatchObject({ left: 3, waitsFor: 'sign_in' })
  await workspace.signIn()
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('done')
  expect(revoked()).toHaveLength(3)
})

test('if the sign-in ends during “revoke all”, the app pauses, asks for a new sign-in, and does not count the remaining keys as refused [AUTH-08]', async () => {
  const ids = await keys(4)
  workspace.faults.answer = [{ route: revokeRoute, status: 401, code: 'DEVELOPER_SESSION_REQUIRED', times: 1 }]
  value(await start(ids))
  await ended('stopped')
  expect(await state()).toMatchObject({ waitsFor: 'sign_in', refused: 0 })
  await workspace.signIn()
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('done')
  expect(revoked()).toHaveLength(4)
})

test('“revoke all” never uses the sign-in of another wallet [AUTH-03]', async () => {
  const ids = await keys(2)
  workspace.faults.answer = [{ route: revokeRoute, status: 503, code: 'MAINTENANCE', times: 1_000 }]
  value(await start(ids))
  await ended('stopped')
  workspace.faults.answer = []
  const stranger = privateKeyToAccount(generatePrivateKey())
  await workspace.connect(stranger)
  const challenge = value(await workspace.handlers()['session.challenge']({}))
  const request = value(await workspace.handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
  value(await workspace.handlers()['session.complete']({ id: challenge.id, signature: await workspace.sign(request, stranger) }))
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('stopped')
  expect(await state()).toMatchObject({ left: 2, refused: 0, waitsFor: 'wallet' })
  await workspace.connect()
  value(await workspace.handlers()['revokeAll.resume']({}))
  await ended('done')
  expect(revoked()).toHaveLength(2)
})

test('“revoke all” does not wait for a keychain that does not respond, and reports which secrets are still in the keychain [KEY-09]', async () => {
  const ids = await keys(5)
  const hanging = Promise.withResolvers<void>()
  const remove = workspace.secrets.delete.bind(workspace.secrets)
  Object.assign(workspace.secrets, {
    delete: async () => {
      await hanging.promise
      return { ok: false, failure: { kind: 'keychain', code: 'timeout', detail: null } }
    },
  })
  value(await start(ids))
  await ended('done')
  expect(revoked()).toHaveLength(5)
  hanging.resolve()
  await expect.poll(async () => (await report()).find(({ keyId }) => keyId === ids[0])?.leftInKeychain).toBe(true)
  expect(workspace.secrets.entries.size).toBe(1)
  Object.assign(workspace.secrets, { delete: remove })
  await workspace.restart()
  await expect.poll(() => workspace.secrets.entries.size).toBe(0)
})

test('“revoke all” neither stops nor waits if the journal cannot be written [KEY-09]', async () => {
  const ids = await keys(4)
  const { secretOperations, secretIndex, ...journal } = workspace.journal()
  const broken = () => {
    throw new Error('disk I/O error')
  }
  Object.assign(journal[raw].values, { get: broken, row: broken, set: broken, withPrefix: broken })
  Object.assign(secretOperations, { plan: broken, move: broken, get: broken, list: broken, unsettled: broken })
  Object.assign(secretIndex, { list: broken, forget: broken, remember: broken })
  value(await start(ids))
  await ended('done')
  expect(revoked()).toHaveLength(4)
  expect((await report()).map(({ outcome }) => outcome)).toEqual(['revoked', 'revoked', 'revoked', 'revoked'])
})

test('the saved report on revoked keys contains no spreadsheet formulas; the app reports an error if it cannot save the report', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-revoke-all-'))
  try {
    expect(failure(await workspace.handlers()['revokeAll.saveReport']({}))).toEqual({ kind: 'not_found', what: 'revoke all' })
    const { keyId } = await elsewhere(workspace).create({ label: '=HYPERLINK("x"), "a"' })
    value(await workspace.handlers()['keys.list']({}))
    value(await start([keyId]))
    await ended('done')
    expect(value(await workspace.handlers()['revokeAll.saveReport']({}))).toEqual({ path: null })
    const path = join(folder, 'report.csv')
    workspace.chosenFiles.push(path)
    expect(value(await workspace.handlers()['revokeAll.saveReport']({}))).toEqual({ path })
    const [header, line, ...rest] = (await readFile(path, 'utf8')).split('\r\n')
    expect(header).toBe('\ufefflabel,key id,outcome,request id,time,detail')
    expect(line).toMatch(new RegExp(`^"'=HYPERLINK\\(""x""\\), ""a""",${keyId},revoked,[^,]{8,},20[^,]+Z,$`))
    expect(rest).toEqual([''])
    await chmod(path, 0o400)
    workspace.chosenFiles.push(join(folder, 'none', 'report.csv'))
    expect(failure(await workspace.handlers()['revokeAll.saveReport']({}))).toMatchObject({ kind: 'file', issue: 'missing' })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
