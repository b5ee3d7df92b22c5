import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { Settings } from '../../../shared/ipc/host/app.ts'
import type { StoredItem } from '../../../shared/ipc/host/profiles.ts'
import { noteOf } from '../../../shared/ipc/intents/reasons.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { isPayment } from '../../intents/methods/payment/payments.ts'
import { fileFailure } from '../../kernel/failures.ts'
import { dialogWords, fileKind } from '../../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../../kernel/files/dialogs.ts'
import { writePrivate } from '../../kernel/files/write-private.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import { Secret } from '../../kernel/secret.ts'
import type { KeyTrial } from '../../keys/imported/key-import.ts'
import type { Vault } from '../../store/journal/journal.ts'
import { PortableJournal, writePortable } from '../../store/journal/portable.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import type { SealedAccess } from '../../store/records/access.ts'
import type { ProfileStore } from '../../store/records/profile-store.ts'
import { decode, encode, type Family } from '../../store/records/record.ts'
import { type Records, StoredProfile, sealedFamilies, sealedInBackup } from '../../store/records/registry.ts'
import { vaultAccount } from '../../store/secrets/erase-profile.ts'
import { type NoteSecretUse, type SecretKind, type SecretStore, secretAccounts } from '../../store/secrets/secret-store.ts'
import { openVault } from '../../store/secrets/vault.ts'
import type { Folders } from '../app/folders.ts'
import { openBackup, sealBackup } from './backup-file.ts'

/** What a backup needs from the open profile. */
export interface OpenProfile {
  readonly profileId: string
  readonly kind: 'live' | 'practice'
  readonly journal: Pick<SqliteJournal, 'portable' | 'secretIndex' | 'webhookIndex'>
  readonly vault: Vault
  readonly noteSecretUse: NoteSecretUse
}

export interface BackupParts {
  readonly version: string
  readonly clock: Clock
  readonly files: Pick<FileDialogs, 'chooseToOpen' | 'chooseToSave'>
  /** The folder in which the file dialog suggests to save the backup. */
  readonly home: string
  /** Returns false while the app is locked. */
  readonly unlocked: () => boolean
  readonly workspace: () => Promise<OpenProfile | null>
  readonly store: Pick<ProfileStore, 'get' | 'list' | 'newId' | 'save'>
  readonly settings: Records['settings']
  /** Called after the app’s settings were restored from a backup. */
  readonly settingsRestored: () => void
  /** The vault of the app itself, which stores the RPC URLs of all profiles. */
  readonly appVault: Vault
  readonly folders: Pick<Folders, 'profileJournal'>
  /** The keychain of live profiles. */
  readonly secrets: SecretStore
  /** Removes everything that a failed restore has written for this profile. */
  readonly eraseData: (profileId: string) => Promise<Result<void, Failure>>
  /** Creates a function that tests keys with calls to a host. The caller must close it after use. */
  readonly tryKeys: (hostUrl: string) => Promise<KeyTrial & { close(): Promise<void> }>
}

interface Backups {
  readonly handlers: HandlersOf<'backup'>
  /** Forgets the content of an opened backup, because the app is locked. */
  rest(): void
}

const BackedUpSecret = z.object({ kind: z.enum(['key', 'webhook']), id: z.string(), wallet: z.string(), label: z.string(), value: z.string() })

/** The content of a backup (build/docs/moving.md). A new field needs a default, so that older backups stay readable. */
const Content = z.object({
  madeAtMs: z.number(),
  version: z.string(),
  profile: StoredProfile,
  settings: Settings.partial().nullable(),
  journal: PortableJournal,
  /** Records of the vault in plain text. `family`: the name of the record’s family in `sealedFamilies`. */
  sealed: z.array(z.object({ family: z.string(), key: z.record(z.string(), z.string()), version: z.number().int(), value: z.string() })),
  secrets: z.array(BackedUpSecret),
})
type Content = z.infer<typeof Content>

/** Maximum size of a backup file that the app reads, in bytes. */
const largestFile = 512 * 2 ** 20

const restored = { code: 'restored' } as const
const unasked = { code: 'restored_unasked' } as const

export function createBackups(parts: BackupParts): Backups {
  const { clock, store, secrets } = parts
  let chosen: { readonly bytes: Uint8Array; readonly content: Content | null } | null = null

  const openLive = async (): Promise<Result<{ readonly open: OpenProfile; readonly stored: StoredProfile }, Failure>> => {
    const open = await parts.workspace()
    if (open === null) return fail({ kind: 'no_profile' })
    const stored = store.get(open.profileId)
    return stored === null ? fail({ kind: 'wrong_state', state: open.kind, wanted: 'live' }) : ok({ open, stored })
  }

  return {
    rest: () => {
      chosen = null
    },
    handlers: {
      async 'backup.begin'() {
        const live = await openLive()
        return live.ok ? ok({ name: live.value.stored.name, items: storedItems(live.value.open) }) : live
      },
      async 'backup.save'({ passphrase, keys, webhooks }) {
        const live = await openLive()
        if (!live.ok) return live
        const { open, stored } = live.value
        const path = await parts.files.chooseToSave({
          ...dialogWords('saveBackup'),
          kinds: [fileKind('svcbackup')],
          suggested: join(parts.home, `${stored.name.replace(/[^\p{L}\p{N} _-]/gu, '_')}-${new Date(clock.now()).toISOString().slice(0, 10)}.svcbackup`),
        })
        if (path === null) return ok({ path: null, missing: [] })
        const wanted = storedItems(open).filter(({ kind, id }) => (kind === 'key' ? keys : webhooks).includes(id))
        const read = await readSecrets(wanted, open, secrets)
        if (!read.ok) return read
        const content: Content = {
          madeAtMs: clock.now(),
          version: parts.version,
          profile: stored,
          settings: parts.settings.read({}),
          journal: open.journal.portable(),
          sealed: [...(await readSealed(open.vault, stored.id)), ...(await readSealed(parts.appVault, stored.id))],
          secrets: read.value,
        }
        const bytes = await sealBackup(content, passphrase)
        // Check the lock again, because the app may have been locked while it read the keychain.
        const written = await writePrivate(path, bytes, async () => (parts.unlocked() ? ok(undefined) : fail({ kind: 'locked' })))
        for (const { kind, id, label } of read.value)
          open.noteSecretUse({
            ...{ use: 'saved', profileId: stored.id, keyId: id, label, to: path, by: 'app', outcome: written.ok ? 'done' : 'failed' },
            ...(kind === 'webhook' && { of: kind }),
          })
        if (!written.ok) return written
        return ok({ path, missing: wanted.filter(({ kind, id }) => !read.value.some((one) => one.kind === kind && one.id === id)) })
      },
      async 'backup.choose'() {
        const path = await parts.files.chooseToOpen({ ...dialogWords('openBackup'), kinds: [fileKind('svcbackup')] })
        if (path === null) return ok({ file: null })
        const bytes = await readFile(path)
        if (!bytes.ok) return bytes
        chosen = { bytes: bytes.value, content: null }
        return ok({ file: basename(path) })
      },
      async 'backup.open'({ passphrase }) {
        const from = chosen
        if (from === null) return fail({ kind: 'not_found', what: 'file' })
        const read = Content.safeParse(await openBackup(from.bytes, passphrase))
        if (!read.success) return ok({ outcome: 'refused' })
        // During the decryption, the user may have left the form, or the app may have locked.
        if (chosen !== from || !parts.unlocked()) return fail({ kind: 'locked' })
        chosen = { ...from, content: read.data }
        const { profile, madeAtMs, secrets: items, journal } = read.data
        return ok({
          outcome: 'opened',
          about: {
            ...{ name: profile.name, hostUrl: profile.hostUrl, madeAtMs },
            intents: journal.tables.intents?.length ?? 0,
            items: items.map(withoutValue),
            besides: store.list().find(({ hostUrl }) => hostUrl === profile.hostUrl)?.name ?? null,
          },
        })
      },
      async 'backup.restore'() {
        const content = chosen?.content ?? null
        if (content === null) return fail({ kind: 'not_found', what: 'file' })
        const made = await restore(content, parts)
        if (made.ok) chosen = null
        return made
      },
      'backup.leave'() {
        chosen = null
        return ok({})
      },
    },
  }
}

const withoutValue = ({ kind, id, label, wallet }: StoredItem): StoredItem => ({ kind, id, label, wallet })

function storedItems({ profileId, journal }: OpenProfile): StoredItem[] {
  const of = (kind: SecretKind) =>
    (kind === 'key' ? journal.secretIndex : journal.webhookIndex).list(profileId).map(({ keyId, label, wallet }) => ({ kind, id: keyId, label, wallet }))
  return [...of('key'), ...of('webhook')]
}

/** Reads the chosen secrets from the keychain. Leaves out secrets that the keychain no longer has. */
async function readSecrets(
  wanted: readonly StoredItem[],
  { profileId, journal }: OpenProfile,
  secrets: SecretStore,
): Promise<Result<Content['secrets'], Failure>> {
  const read: Content['secrets'] = []
  for (const item of wanted) {
    const index = item.kind === 'key' ? journal.secretIndex : journal.webhookIndex
    const account = index.list(profileId).find(({ keyId }) => keyId === item.id)?.account
    const found = account === undefined ? ok(null) : await secrets.get(account)
    if (!found.ok) return found
    if (found.value !== null) read.push({ ...item, value: found.value.reveal() })
  }
  return ok(read)
}

type AnyFamily = keyof typeof sealedFamilies
const sealedNames = Object.keys(sealedFamilies).filter((name): name is AnyFamily => sealedInBackup[name as AnyFamily]) // the cast is safe: the names are keys of `sealedFamilies`

/** Returns the vault’s access to one family of records. The cast hides the families’ different types, because the record is only copied here. */
const accessOf = (vault: Vault, name: AnyFamily) => vault[name] as unknown as SealedAccess<string, unknown>

/** Reads those vault records of a profile that belong in a backup. */
async function readSealed(vault: Vault, profileId: string): Promise<Content['sealed']> {
  const read: Content['sealed'] = []
  for (const name of sealedNames) {
    const family: Family = sealedFamilies[name]
    for (const { key, record } of await accessOf(vault, name).list({ profile: profileId }))
      read.push({ family: name, key, version: family.version, value: record instanceof Secret ? record.reveal() : encode(family, record) })
  }
  return read
}

/** Restores vault records for a new profile. Leaves out records that this version of the app cannot read. */
async function writeSealed(records: Content['sealed'], profileId: string, vaultOf: (name: AnyFamily) => Vault): Promise<void> {
  for (const { family: named, key, version, value } of records) {
    const name = sealedNames.find((one) => one === named)
    if (name === undefined) continue
    const family: Family = sealedFamilies[name]
    const record = decode(family, value, version)
    if (record !== null) await accessOf(vaultOf(name), name).write({ ...key, profile: profileId }, family.form === 'text' ? new Secret(value) : record)
  }
}

/** Creates a new profile from a backup. If a step fails, removes everything that was written so far. */
async function restore(content: Content, parts: BackupParts): Promise<Result<Output<'backup.restore'>, Failure>> {
  const { store, secrets, clock } = parts
  // Test the keychain first. If the keychain is locked, the restore must stop before it writes anything.
  const ready = await secrets.probe()
  if (!ready.ok) return ready
  const id = store.newId()
  const file = parts.folders.profileJournal(id)
  try {
    writePortable(file, content.journal, { from: content.profile.id, to: id })
  } catch {
    await parts.eraseData(id)
    return fail({ kind: 'journal', issue: 'corrupt' })
  }
  const journal = openJournal({ file, clock })
  let filled: Awaited<ReturnType<typeof fill>> | null = null
  try {
    filled = await fill(journal, id, content, parts)
  } finally {
    journal.close()
    if (filled?.ok !== true) await parts.eraseData(id)
  }
  if (!filled.ok) return filled
  const name = freeName(
    content.profile.name,
    store.list().map((profile) => profile.name),
  )
  // Restore the app’s settings only if this computer has none.
  if (content.settings !== null && parts.settings.read({}) === null) {
    parts.settings.write({}, content.settings)
    parts.settingsRestored()
  }
  store.save({ ...content.profile, id, name })
  return ok({ profileId: id, name, items: filled.value })
}

async function fill(
  journal: SqliteJournal,
  id: string,
  content: Content,
  { secrets, appVault, tryKeys, clock }: BackupParts,
): Promise<Result<Output<'backup.restore'>['items'], Failure>> {
  markRestored(journal, id)
  for (const { kind, id: keyId, wallet, label, value } of content.secrets) {
    const [account] = secretAccounts(kind, id, keyId)
    // Write the index before the secrets. If the keychain fails, the index then names the entries to remove.
    const index = kind === 'key' ? journal.secretIndex : journal.webhookIndex
    index.remember({ profileId: id, wallet, keyId, account, label })
    const secret = new Secret(value)
    const written = await secrets.set(account, secret)
    if (!written.ok) return written
    const back = await secrets.get(account)
    if (!back.ok) return back
    if (back.value?.equals(secret) !== true) return fail({ kind: 'keychain', code: 'failed', detail: 'not_read_back' })
  }
  const vault = openVault({ journal, secrets, account: vaultAccount(id) })
  await writeSealed(content.sealed, id, (name) => (name === 'rpcUrls' ? appVault : vault.records))
  await vault.rest()

  const trial = await tryKeys(content.profile.hostUrl)
  try {
    const items = content.secrets.map(async (item) => {
      if (item.kind === 'webhook') return { ...withoutValue(item), answer: null }
      const { verdict } = await trial.run(new Secret(item.value), item.wallet)
      if (verdict === 'dead') markRevoked(journal, id, item, clock.now())
      return { ...withoutValue(item), answer: verdict === 'dead' ? ('revoked' as const) : verdict === 'works' ? ('works' as const) : ('unknown' as const) }
    })
    return ok(await Promise.all(items))
  } finally {
    await trial.close()
  }
}

/**
 * Marks a key as revoked or expired, because the service refused it. The app then does not use the key. If the key works again, the service’s next
 * key list corrects the status.
 */
function markRevoked({ records }: SqliteJournal, profile: string, { id, wallet, label }: StoredItem, nowMs: number): void {
  const facts = records.keyFacts.read({ profile, keyId: id })
  const unsaid = { scopes: null, askedScopes: null, createdAtMs: null, expiresAtMs: null, allowlist: null, agent: null, executor: null, removed: false }
  const isOver = facts?.expiresAtMs != null && facts.expiresAtMs <= nowMs
  records.keyFacts.write({ profile, keyId: id }, { ...unsaid, keyId: id, wallet, label, ...facts, status: isOver ? 'expired' : 'revoked' })
}

/**
 * Changes the states of a restored profile’s open intents. The computer that made the backup may have signed or sent an intent since. The backup
 * contains no signatures. So for these intents, this computer only looks up the outcome: it never asks the wallet and sends nothing.
 */
function markRestored({ intents, transactions }: SqliteJournal, profileId: string): void {
  for (const row of intents.open(profileId)) {
    const { ref, state } = row
    const isNew = state === 'PLANNED' || state === 'PREPARED'
    if (row.way === 'transactions' || isPayment(row)) {
      for (const { position, state: sent } of transactions.of(ref))
        if (sent === 'asked') transactions.change(ref, position, { state: 'unknown', reason: restored })
      if (isNew) intents.move(ref, 'CANCELLED', { reason: unasked }, noteOf(unasked))
      else if (state === 'ASKED') intents.move(ref, 'UNKNOWN', { reason: restored }, noteOf(restored))
    } else if (isNew || state === 'ASKED' || state === 'SIGNED' || state === 'SENT') intents.move(ref, 'UNKNOWN', { reason: restored }, noteOf(restored))
    else if (state === 'UNKNOWN' && row.way === 'executor') intents.update(ref, { reason: restored })
  }
}

/** Returns the name. If a profile on this computer already has that name, appends the next free number. */
function freeName(name: string, taken: readonly string[]): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name} ${number}`
    if (!taken.includes(candidate)) return candidate
  }
}

async function readFile(path: string): Promise<Result<Uint8Array, Failure>> {
  try {
    // `O_NONBLOCK` prevents that opening a pipe blocks the app.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
    try {
      const about = await file.stat()
      if (!about.isFile()) return fail({ kind: 'file', issue: 'not_a_file', path, detail: null })
      if (about.size > largestFile) return fail({ kind: 'file', issue: 'too_large', path, detail: null })
      return ok(await file.readFile())
    } finally {
      await file.close()
    }
  } catch (error) {
    return fail(fileFailure(error, path))
  }
}
