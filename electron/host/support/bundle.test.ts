import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { anIntent } from '../../../e2e/support/journal/an-intent.ts'
import { expectMode } from '../../../e2e/support/main/expect-mode.ts'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import { createSearch } from '../../../e2e/support/search/secret-search.ts'
import type { Health } from '../../../shared/ipc/host/app.ts'
import { ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createSettings } from '../../store/records/profile-store.ts'
import { namedFolders } from '../app/folders.ts'
import { createLog } from '../app/log.ts'
import { createSupportBundle, type SupportParts } from './bundle.ts'

/** Texts of the user that must never be in a support bundle, wherever the app stores them and however the log mentions them. */
const canaries = {
  key: 'SVCcanary.of/a+key0123456789',
  // A secret without the service’s prefix. The app can recognise it only by comparing it with the keychain.
  foreign: 'Zm9yZWlnbi1jYW5hcnktc2VjcmV0',
  session: 'svcds1.canarycanarycanary0123456789',
  wallet: '0xCa11ab1eCa11ab1eCa11ab1eCa11ab1eCa11ab1e',
  agent: '0x00000000000000000000000000000000c0ffee00',
  label: 'Attic hedger canary',
  shortLabel: 'ab9',
  closedLabel: 'Label of a closed exchange',
  profile: 'Main canary exchange',
  host: 'dex.canary-host.example',
  closedHost: 'other.canary-host.example',
  webhook: 'https://bots.canary-hook.example/in?token=canary',
  rpc: 'rpc.canary-node.example',
  ip: '203.0.113.77',
  ip6: '2001:db8:77::beef:1',
  email: 'canary@person.example',
  user: 'canaryuser',
  home: '/home/canaryuser',
  computer: 'canary-laptop',
  note: 'a note about the canary server',
  quoted: 'words that the app does not know',
  unknownHost: 'never-seen.canary-elsewhere.example',
} as const

const health: Health = {
  service: 'slow',
  serviceAgeMs: 10,
  outage: { how: 'errors', sinceMs: 1 },
  hosts: [{ which: 'first', host: canaries.host, state: 'up', lastAnswerAgeMs: 4, answering: true }],
  stream: { state: 'polling', sinceMs: 0, nextTryAtMs: null, lastEventAtMs: null },
  keychain: 'ready',
  journal: 'ready',
}

let folder: string
let journal: SqliteJournal
let app: SqliteJournal
let path: string | null
let parts: SupportParts
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-support-'))
  path = join(folder, 'support.txt')
  const folders = namedFolders(join(folder, 'data'))
  app = openJournal({ file: folders.appJournal, clock: systemClock })
  const secrets = createMemorySecretStore()
  const wallet = canaries.wallet
  journal = openJournal({ file: folders.profileJournal('p1'), clock: systemClock })
  for (const [keyId, label, secret] of [
    ['key_canary_1', canaries.label, canaries.key],
    ['key_canary_2', canaries.shortLabel, canaries.foreign],
  ] as const) {
    journal.secretIndex.remember({ profileId: 'p1', wallet, keyId, account: `key/p1/${keyId}/1`, label })
    await secrets.set(`key/p1/${keyId}/1`, new Secret(secret))
  }
  journal.webhookIndex.remember({ profileId: 'p1', wallet, keyId: 'wh_canary', account: 'webhook/p1/wh_canary/1', label: canaries.webhook })
  journal.records.keyNotes.write({ profile: 'p1', keyId: 'key_canary_1' }, { owner: '', environment: '', group: '', text: canaries.note })
  for (const ref of ['a', 'b', 'c']) journal.intents.plan(anIntent(ref, { profileId: 'p1' }))
  journal.intents.move('a', 'PREPARED')
  journal.intents.move('b', 'CANCELLED')
  const closed = openJournal({ file: folders.profileJournal('p2'), clock: systemClock })
  closed.secretIndex.remember({ profileId: 'p2', wallet, keyId: 'k', account: 'key/p2/k/1', label: canaries.closedLabel })
  closed.close()
  const stored = { rpcHost: canaries.rpc, secondHostUrl: null, createdAtMs: 1 }
  const list = [
    { ...stored, id: 'p1', name: canaries.profile, hostUrl: `https://${canaries.host}` },
    { ...stored, id: 'p2', name: 'Second', hostUrl: `https://${canaries.closedHost}` },
  ]
  const settings = createSettings(app.records)
  settings.save({ projectId: '0123456789abcdef0123456789abcdef' })
  parts = {
    info: () => ({ version: '1.2.3', host: 'electron', platform: 'linux', packaged: true }),
    clock: systemClock,
    settings: settings.read,
    isLockSet: () => true,
    health: async () => ok(health),
    store: { list: () => list, activeId: () => 'p1' },
    workspace: async () => ({ profileId: 'p1', journal }),
    folders,
    keychains: { live: secrets, practice: createMemorySecretStore() },
    files: { chooseToSave: async () => path },
    home: canaries.home,
    ownNames: [canaries.computer, canaries.user],
  }
})
afterEach(() => {
  journal.close()
  app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** Writes a log as the app does. Every text in `canaries` appears in messages, stack traces, details and names of details. */
function writeLog(): void {
  const log = createLog({ file: parts.folders.log, clock: systemClock })
  log.note('start', { version: '1.2.3', platform: 'linux' })
  // The app can recognise `quoted` as private only by its quotation marks, so the test logs it separately.
  const { quoted, ...others } = canaries
  for (const canary of Object.values(others)) {
    log.error('e-00000001', 'keys.list', new Error(`failed for ${canary}, then (${canary}) and ${canary.toUpperCase()}`))
    log.error('e-00000002', 'watch', new Error('outer', { cause: new Error(`getaddrinfo ENOTFOUND ${canary}`) }))
    log.note('drift', { [canary]: canary, list: [{ text: `said "${canary}"` }], json: JSON.stringify({ inside: canary }) })
  }
  log.error('e-00000003', 'watch', new Error(`he said “${quoted}”, then "${quoted}"`))
}

test('the support bundle contains versions, health, settings, counts and the log without private data', async () => {
  writeLog()
  const { text } = value(await createSupportBundle(parts)['supportBundle.make']({}))
  for (const line of [
    'version: 1.2.3',
    'runs in: electron',
    'service: slow, outage: errors',
    'first host: up, answering',
    'stream: polling',
    'theme: system',
    'projectId: own',
    'lock: on',
  ])
    expect(text).toContain(line)
  expect(text).toContain('exchange 1, selected, open: journal ready')
  expect(text).toContain('orders: CANCELLED 1, PLANNED 1, PREPARED 1')
  expect(text).toContain('exchange 2: journal ready')
  expect(text).toContain('practice: no journal')
  // Codes, names of calls and the app’s own words must remain readable.
  for (const kept of ['e-00000001', 'keys.list', 'getaddrinfo ENOTFOUND', 'failed for', 'bundle.test.ts']) expect(text).toContain(kept)
})

test('the support bundle contains no secret, address, host, label or name, in any encoding [AUTH-09]', async () => {
  writeLog()
  const { text } = value(await createSupportBundle(parts)['supportBundle.make']({}))
  // The search for encoded texts works only for long texts, so leave out the short ones.
  const wanted = Object.entries(canaries).flatMap(([name, canary]) => (canary.length < 16 ? [] : [{ name, value: canary }]))
  expect(createSearch(wanted).inText('support bundle', text)).toEqual([])
  // Search for names in upper and lower case. Search for secrets only in their own case, because in another case they are useless.
  const { key, foreign, session, ...names } = canaries
  for (const [name, canary] of Object.entries(names)) expect(text.toLowerCase().includes(canary.toLowerCase()), name).toBe(false)
  for (const piece of [
    key,
    foreign,
    session,
    'canary-host',
    'canary-hook',
    'canary-node',
    'canary-elsewhere',
    '203.0.113',
    '2001:db8',
    'person.example',
    '0123456789abcdef0123456789abcdef',
  ])
    expect(text).not.toContain(piece)
  // Check that the log contained these texts. Otherwise their absence from the bundle would prove nothing.
  const log = readFileSync(parts.folders.log, 'utf8')
  for (const plain of [canaries.label, canaries.host, canaries.wallet, canaries.foreign, canaries.closedLabel]) expect(log).toContain(plain)
})

test('the app saves exactly the support bundle that the user saw, as a file that only the user can read, and saves none before showing it', async () => {
  const handlers = createSupportBundle(parts)
  expect(failure(await handlers['supportBundle.save']({}))).toEqual({ kind: 'not_found', what: 'report' })
  const { text } = value(await handlers['supportBundle.make']({}))
  writeLog()
  expect(value(await handlers['supportBundle.save']({}))).toEqual({ path: 'support.txt' })
  expect(readFileSync(path ?? '', 'utf8')).toBe(text)
  expectMode(path ?? '', 0o600)
  path = null
  expect(value(await handlers['supportBundle.save']({}))).toEqual({ path: null })
})

test('the app makes a support bundle even if the keychain is locked, no log exists, or the log’s last line is cut off', async () => {
  const secrets = createMemorySecretStore()
  const locked = { ...secrets, get: async () => ({ ok: false as const, failure: { kind: 'keychain' as const, code: 'locked' as const, detail: null } }) }
  const handlers = createSupportBundle({ ...parts, keychains: { live: locked, practice: locked } })
  expect(value(await handlers['supportBundle.make']({})).text).toContain('Log\n  empty')
  mkdirSync(dirname(parts.folders.log), { recursive: true })
  writeLog()
  const whole = readFileSync(parts.folders.log, 'utf8')
  writeFileSync(parts.folders.log, whole.slice(0, -30))
  const { text } = value(await handlers['supportBundle.make']({}))
  expect(text).toContain('[a line that is not JSON]')
  expect(text).not.toContain(canaries.key)
})
