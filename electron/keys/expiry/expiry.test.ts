import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { agreed, failure, startWorkspace, value, type Workspace } from '../../../e2e/support/main/workspace.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { ExpiryItem } from '../../../shared/ipc/keys/expiry.ts'
import { noticeText } from '../../../shared/text/notice-text.ts'
import { day, hour } from '../../../shared/time.ts'
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

const list = async () => value(await workspace.handlers()['expiry.list']({}))
const find = async (id: string): Promise<ExpiryItem> => (await list()).items.find((item) => item.id === id) ?? expect.fail(`no ${id}`)
const isNotice = (event: AppEvent): event is Extract<AppEvent, { type: 'notice' }> => event.type === 'notice'
const isEnd = (event: Extract<AppEvent, { type: 'notice' }>) => event.notice.code === 'end' || event.notice.code === 'ends'
const ends = () =>
  workspace.events
    .filter(isNotice)
    .filter(isEnd)
    .map(({ notice, ...rest }) => ({ ...rest, ...noticeText(notice) }))
const attention = async () => value(await workspace.handlers()['app.attention']({}))
const pass = async (ms: number) => {
  workspace.clock.advance(ms)
  await workspace.tick()
}

test('the expiry page lists sign-in, key and grant in the order of their expiry, each with the consequence and one action', async () => {
  const { items, listedAtMs, nowMs, noticeDays } = await list()
  expect(items.map(({ kind }) => kind)).toEqual(['sign_in', 'key', 'grant'].toSorted((a, b) => order(items, a) - order(items, b)))
  expect(listedAtMs).not.toBeNull()
  expect(noticeDays).toEqual([30, 7, 1, 0])
  expect(await find('sign_in')).toMatchObject({ sure: 'exact', level: 'day', action: { kind: 'sign_in', to: '/sign-in' } })
  const key = await find(`key:${keyId}`)
  expect(key).toMatchObject({ label: 'grid', sure: 'exact', level: 'later', action: { kind: 'extend', to: `/keys/${keyId}/extend` } })
  expect(key.endsAtMs).toBeGreaterThan(nowMs + 89 * day)
  expect(await find(`grant:${keyId}`)).toMatchObject({ kind: 'grant', sure: 'exact', level: 'later', action: { kind: 'renew_grant' } })
})
const order = (items: readonly ExpiryItem[], kind: string) => items.findIndex((item) => item.kind === kind)

test('extending a key does not change the expiry of the key’s grant; only renewing the grant does', async () => {
  value(await workspace.handlers()['keys.setExpiry']({ keyId, days: 360 }))
  const [key, grant] = [await find(`key:${keyId}`), await find(`grant:${keyId}`)]
  expect((key.endsAtMs ?? 0) - (grant.endsAtMs ?? 0)).toBeGreaterThan(200 * day)
  workspace.clock.advance(91 * day)
  await workspace.signIn()
  value(await workspace.handlers()['keys.list']({}))
  expect((await find(`grant:${keyId}`)).level).toBe('ended')
  value(await workspace.handlers()['agents.open']({ keyId }))
  const request = value(await workspace.handlers()['agents.ask']({ keyId, ...agreed }))
  value(await workspace.handlers()['agents.store']({ keyId, signature: await workspace.sign(request) }))
  const [renewed, extended] = [await find(`grant:${keyId}`), await find(`key:${keyId}`)]
  expect(Math.abs((renewed.endsAtMs ?? 0) - (extended.endsAtMs ?? 0))).toBeLessThan(1_000)
})

test('for a grant signed elsewhere, the expiry page shows the key’s expiry as the latest possible expiry of the grant', async () => {
  workspace.journal()[raw].values.set(`grant-end/practice/${keyId}`, null)
  value(await workspace.handlers()['keys.list']({}))
  expect(await find(`grant:${keyId}`)).toMatchObject({
    sure: 'at_latest',
    endsAtMs: (await find(`key:${keyId}`)).endsAtMs,
    source: 'signed_elsewhere',
  })
})

test('the app notifies the user 30, 7 and 1 days before an expiry and when it happens, once each', async () => {
  await workspace.tick()
  expect(ends()).toEqual([])
  await pass(60 * day + hour)
  await workspace.tick()
  expect(ends()).toHaveLength(1)
  await pass(23 * day)
  await pass(6 * day)
  await pass(day)
  await pass(hour)
  const told = ends()
  expect(told).toHaveLength(4)
  // Key and grant end together, so each notice covers both. Once the key has expired, its grant no longer matters. So the last notice names only
  // the key.
  expect(told.map(({ title }) => title)).toEqual([...Array(3).fill('2 keys and grants expire soon'), 'grid has expired'])
  expect(told.map(({ severity }) => severity)).toEqual(['warn', 'warn', 'danger', 'danger'])
  expect(told.map(({ to }) => to)).toEqual([...Array(3).fill('/keys/expiry'), `/keys/${keyId}`])
})

test('for a 30-day key, the app shows the first expiry notice seven days before the expiry, not when the key is created [T8]', async () => {
  value(await workspace.handlers()['keys.createCustom']({ label: 'short', scopes: ['market:read'], expiresInDays: 30, ipAllowlist: [], quotas: [] }))
  value(await workspace.handlers()['keys.list']({}))
  await pass(hour)
  await pass(22 * day)
  expect(ends()).toEqual([])
  await pass(day)
  expect(ends()).toMatchObject([{ title: expect.stringMatching(/^short expires in/) }])
})

test('the app combines several expiry notices that are due at the same time, for example after the computer slept, into one', async () => {
  workspace.journal()[raw].values.set(`grant-end/practice/${keyId}`, null)
  value(await workspace.handlers()['keys.list']({}))
  await pass(89 * day + 12 * hour)
  await workspace.tick()
  expect(ends()).toMatchObject([{ title: expect.stringMatching(/^grid expires in \d+ h/), severity: 'danger', to: `/keys/${keyId}/extend` }])
})

test('the app does not repeat an expiry notice after a restart, but notifies the user again if the expiry date changes', async () => {
  await pass(84 * day)
  expect(ends()).toHaveLength(1)
  await workspace.restart()
  await workspace.connect()
  value(await workspace.handlers()['account.summary']({ watch: null }))
  await workspace.tick()
  expect(ends()).toHaveLength(1)
  await workspace.signIn()
  value(await workspace.handlers()['keys.setExpiry']({ keyId, days: 30 }))
  await pass(hour)
  expect(ends().at(-1)?.title).toMatch(/^grid expires in/)
})

test('the app shows no expiry notice until the service has sent its time, because the computer’s clock may be wrong', async () => {
  const early = await startWorkspace({ computerAheadMs: 85 * day })
  try {
    await early.connect()
    await early.signIn()
    await early.createKey('grid')
    await early.restart()
    await early.connect()
    await early.tick()
    expect(early.events.filter(isNotice).filter(isEnd)).toEqual([])
  } finally {
    await early.stop()
  }
})

test('the overview lists a grant as needing attention if it is about to expire or if its expiry is unknown', async () => {
  expect((await attention()).map(({ kind }) => kind)).not.toContain('grant_expiring')
  value(await workspace.handlers()['keys.setExpiry']({ keyId, days: 360 }))
  workspace.clock.advance(80 * day)
  expect((await attention()).filter(({ kind }) => kind === 'grant_expiring')).toMatchObject([{ label: 'grid', over: false, to: `/keys/${keyId}/grant` }])

  await workspace.signIn()
  const other = value(
    await workspace.handlers()['keys.createCustom']({ label: 'x', scopes: ['market:read'], expiresInDays: 90, ipAllowlist: [], quotas: [] }),
  ).id
  value(await workspace.handlers()['agents.open']({ keyId: other }))
  const signature = await workspace.sign(value(await workspace.handlers()['agents.ask']({ keyId: other, ...agreed })))
  workspace.faults.dropAnswer = [{ route: 'POST /api/dex/developer/keys/{key_id}/agent/grant', times: 1 }]
  expect(failure(await workspace.handlers()['agents.store']({ keyId: other, signature })).kind).toBe('outcome_unknown')
  const kinds = (await attention()).map(({ kind }) => kind)
  expect(kinds).toContain('grant_unknown')
  expect(kinds).not.toContain('orphan_key')
})

test('the app exports only exactly known expiry dates as a calendar file, without any secret [AUTH-09]', async () => {
  const secret = [...workspace.secrets.entries.values()][0]?.reveal() ?? 'none'
  const facts = workspace.journal()[raw].values.get(`key/practice/facts/${keyId}`) ?? ''
  workspace.journal()[raw].values.set(`key/practice/facts/${keyId}`, JSON.stringify({ ...JSON.parse(facts), label: `grid ${secret}` }))
  const path = join(tmpdir(), `svc-desk-expiry-${process.pid}.ics`)
  onTestFinished(() => rm(path, { force: true }))
  workspace.chosenFiles.push(path)
  expect(value(await workspace.handlers()['expiry.exportCalendar']({}))).toEqual({ state: 'saved', path, events: 2 })
  const text = await readFile(path, 'utf8')
  expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(2)
  expect(text.match(/TRIGGER:-P(30|7|1)D/g)).toHaveLength(6)
  expect(text.replaceAll('\r\n ', '')).not.toContain(secret)
  expect(secret).toMatch(/^SVC.{8}/)
  expect(value(await workspace.handlers()['expiry.exportCalendar']({}))).toEqual({ state: 'cancelled', path: null, events: 0 })
})

test('a revoked key and its grant no longer appear on the expiry page', async () => {
  value(await workspace.handlers()['keys.revoke']({ keyId, confirmLabel: 'grid' }))
  value(await workspace.handlers()['keys.list']({}))
  expect((await list()).items.map(({ kind }) => kind)).toEqual(['sign_in'])
})
