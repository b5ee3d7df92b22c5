import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import type { KeySummary } from '../../../shared/ipc/keys/keys.ts'
import { ok } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { Secret } from '../../kernel/secret.ts'
import { createCredentials } from '../../service/credentials/credentials.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import type { KeyListing, KeyParts } from '../calls/key-list.ts'
import { unlisted } from './custom-key.ts'
import { createIssuance } from './issuance.ts'
import { createStoreSecret } from './issue-secret.ts'

const profile = { id: 'p', kind: 'live', hostUrl: 'https://svc.example', practiceWallet: null } as const
const session = { kind: 'session', bearer: new Secret('svcds1.x') } as const
const wallet = '0x1'

let folder: string
let journal: SqliteJournal
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-issuance-'))
  journal = openJournal({ file: join(folder, 'journal.sqlite'), clock: systemClock })
})
afterEach(async () => {
  journal.close()
  await rm(folder, { recursive: true, force: true })
})

const key = (id: string): KeySummary => ({ ...unlisted(id, { label: id, ipAllowlist: [] }, null), secret: 'elsewhere', inUse: false })
const listing = (labels: Readonly<Record<string, string | null>>): KeyListing => ({
  keys: Object.keys(labels).map(key),
  active: 0,
  limit: 10,
  missing: { unreadable: 0, more: false },
  whole: true,
  readAtMs: 0,
  sentLabels: new Map(Object.entries(labels)),
})

async function issue(after: Readonly<Record<string, string | null>>) {
  const secrets = createMemorySecretStore()
  const lists = [listing({ old: 'old' }), listing(after), listing(after)]
  const credentials = createCredentials({ profile, journal, secrets, clock: systemClock })
  const parts: KeyParts = {
    profile,
    journal,
    secrets,
    credentials,
    list: { read: async () => ok(lists.shift() ?? listing(after)), summary: () => key('none'), bound: () => {}, known: () => null, allKnown: () => [] },
    calls: {} as KeyParts['calls'],
    wallet: {} as KeyParts['wallet'],
    signIn: async () => ok({ session, wallet }),
    clock: systemClock,
    emit: () => undefined,
    newId: () => 'op',
  }
  const issuance = createIssuance(parts, createStoreSecret({ kind: 'key', profileId: profile.id, journal, stored: credentials, emit: () => undefined }))
  const result = await issuance.issue({
    operationId: null,
    session,
    wallet,
    label: 'bot',
    marker: 'm4rk',
    asked: { scopes: ['account:read'], allowlist: [], agent: null },
    draft: null,
    send: async () => ok({ secret: new Secret('SVCsecret0123456789'), record: null }),
  })
  return { result, state: journal.secretOperations.get('op')?.state, kept: secrets.entries.size }
}

test.each([
  ['the one that bears the marker', { old: 'old', theirs: 'x', ours: 'bot #m4rk' }],
  ['the only new one, where it is listed without a label', { old: 'old', ours: null }],
])('if the response to a key creation has no key id, the app stores the secret under %s [KEY-05, KEY-16]', async (_which, after) => {
  const { result, state, kept } = await issue(after)
  expect(result).toMatchObject({ ok: true, value: { keyId: 'ours', where: 'keychain' } })
  expect([state, kept]).toEqual(['VERIFIED', 1])
})

test.each([
  ['another label', { old: 'old', theirs: 'of another tool' }],
  ['two without labels', { old: 'old', a: null, b: null }],
  ['two that bear the marker', { old: 'old', a: 'bot #m4rk', b: 'bot #m4rk' }],
  ['no new key', { old: 'old' }],
])(
  'if a key creation’s response has no key id and the key list shows %s, the app stores no secret and marks the creation as unknown [KEY-16]',
  async (_what, after) => {
    const { result, state, kept } = await issue(after)
    expect(result).toMatchObject({ ok: false, failure: { kind: 'outcome_unknown' } })
    expect([state, kept]).toEqual(['UNKNOWN', 0])
  },
)
