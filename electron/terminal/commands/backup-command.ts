import { randomBytes } from 'node:crypto'
import { existsSync, readSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Writable } from 'node:stream'
import { shortestPassphrase } from '../../../shared/input-limits.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import { createFolders, type Folders } from '../../host/app/folders.ts'
import { type BackupParts, createBackups, type OpenProfile } from '../../host/support/backup.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { noteOfUse, noteRow } from '../../keys/audit/log-rows.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createProfileStore, practiceId } from '../../store/records/profile-store.ts'
import { eraseProfile, vaultAccount } from '../../store/secrets/erase-profile.ts'
import type { SecretStore } from '../../store/secrets/secret-store.ts'
import { openVault } from '../../store/secrets/vault.ts'
import { chooseProfile, type Typed } from '../channel/choose.ts'
import { plain, type Refusal, refusal, refusalOf } from '../channel/refusal.ts'
import type { BackupLine } from './command-line.ts'

export interface BackupCommandParts {
  readonly version: string
  readonly folder: string
  /** The app's data folder. The command uses it if its arguments name no other folder. */
  readonly data: string
  readonly folders: (data: string) => Folders
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly ask: (question: string) => Promise<Typed>
  readonly stdout: Writable
  readonly say: (sentence: string) => void
  /** Asks for the app's passphrase if the app has a lock. */
  readonly unlock: () => Promise<Result<void, Refusal>>
  /** Tests whether restored keys work on their exchange. */
  readonly tryKeys: BackupParts['tryKeys']
}

/** The longest passphrase that the app accepts, in characters. */
const longest = 1_024

const isOpen = refusal('later', 'Svc Desk is open. Close it, or use Settings → Backup and support there.')

/** Saves or restores a backup while the app is closed, with the app's own code. Returns null if it succeeds, else the reason for the refusal. */
export async function backupCommand(line: BackupLine, parts: BackupCommandParts): Promise<Refusal | null> {
  const { clock, say } = parts
  const data = line.data ?? parts.data
  const folders = line.action === 'restore' ? createFolders(data) : parts.folders(data)
  if (line.action === 'backup' && !existsSync(folders.appJournal)) return refusal('missing', 'There is no profile on this computer yet. Start Svc Desk first.')
  let app: SqliteJournal
  try {
    app = openJournal({ file: folders.appJournal, clock })
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    return error.failure.kind === 'journal' && error.failure.issue === 'taken' ? isOpen : refusalOf(error.failure)
  }
  try {
    const unlocked = await parts.unlock()
    if (!unlocked.ok) return unlocked.failure
    const file = resolve(parts.folder, line.file)
    return await (line.action === 'backup' ? save({ ...line, file }, app, folders, parts) : restore({ ...line, file }, app, folders, { ...parts, say }))
  } finally {
    app.close()
  }
}

async function save(
  { file, profile, secrets: includes, passphraseFd }: Extract<BackupLine, { action: 'backup' }>,
  app: SqliteJournal,
  folders: Folders,
  parts: BackupCommandParts,
): Promise<Refusal | null> {
  const store = createProfileStore(app.records)
  const known = [{ id: practiceId, name: 'Practice', kind: 'practice' as const }, ...store.list().map(({ id, name }) => ({ id, name, kind: 'live' as const }))]
  const chosen = chooseProfile(known, profile, store.activeId())
  if (!chosen.ok) return chosen.failure
  const { id, name, kind } = chosen.value
  if (kind === 'practice') return refusal('usage', 'Practice stays on its computer. Name an exchange with --profile.')
  if (existsSync(file)) return refusal('usage', `${file} exists. Name a new file.`)
  const passphrase = await readPassphrase('new', passphraseFd, parts)
  if (!passphrase.ok) return passphrase.failure
  const journal = openJournal({ file: folders.profileJournal(id), clock: parts.clock })
  const vault = openVault({ journal, secrets: parts.secrets, account: vaultAccount(id) })
  try {
    const walletOf = (keyId: string) => [...journal.secretIndex.list(id), ...journal.webhookIndex.list(id)].find((one) => one.keyId === keyId)?.wallet
    const open: OpenProfile = {
      ...{ profileId: id, kind, journal, vault: vault.records },
      noteSecretUse(use) {
        const wallet = walletOf(use.keyId)
        if (wallet === undefined) return
        const row = noteRow(noteOfUse({ ...use, by: 'terminal' }, wallet), `note:${randomBytes(16).toString('hex')}`, parts.clock.now())
        journal.audit.put({ profileId: id, wallet }, [row])
      },
    }
    const { handlers } = backupsOf(app, folders, parts, file, open)
    const begun = await handlers['backup.begin']({})
    if (!begun.ok) return refusalOf(begun.failure)
    const items = includes ? begun.value.items : []
    const of = (wanted: 'key' | 'webhook') => items.filter((item) => item.kind === wanted).map((item) => item.id)
    const saved = await handlers['backup.save']({ passphrase: passphrase.value, keys: of('key'), webhooks: of('webhook') })
    if (!saved.ok) return fileRefusal(saved.failure, file)
    const { missing } = saved.value
    const missed = missing.map(({ label }) => `The system keychain no longer has the secret of ${plain(label)}.\n`)
    parts.stdout.write(`${plain(name)} is saved in ${file}, with ${counted(items.length - missing.length)}.\n${missed.join('')}`)
    return null
  } finally {
    await vault.rest()
    journal.close()
  }
}

async function restore(
  { file, passphraseFd }: Extract<BackupLine, { action: 'restore' }>,
  app: SqliteJournal,
  folders: Folders,
  parts: BackupCommandParts,
): Promise<Refusal | null> {
  const { handlers } = backupsOf(app, folders, parts, file, null)
  const read = await handlers['backup.choose']({})
  if (!read.ok) return fileRefusal(read.failure, file)
  const passphrase = await readPassphrase('known', passphraseFd, parts)
  if (!passphrase.ok) return passphrase.failure
  const opened = await handlers['backup.open']({ passphrase: passphrase.value })
  if (!opened.ok) return refusalOf(opened.failure)
  if (opened.value.outcome === 'refused') return refusal('denied', 'The passphrase is wrong, or the file is damaged or not a backup. Nothing was restored.')
  const { name, hostUrl, madeAtMs, items } = opened.value.about
  parts.say(
    `The backup of ${plain(name)} (${plain(hostUrl)}) was made on ${new Date(madeAtMs).toISOString().slice(0, 10)} and contains ${counted(items.length)}.`,
  )
  const made = await handlers['backup.restore']({})
  if (!made.ok) return refusalOf(made.failure)
  const lines = made.value.items.map(({ kind, label, answer }) => `${kind} ${plain(label)}: ${answer === null ? 'stored' : answers[answer]}\n`)
  parts.stdout.write(`Restored as ${plain(made.value.name)}.\n${lines.join('')}Open it in Svc Desk and sign in with your wallet. Trade on one computer only.\n`)
  return null
}

const answers = { works: 'stored, and the service accepts it', revoked: 'the service refuses it, so it is marked as revoked', unknown: 'stored, not tested' }

const counted = (secrets: number): string => (secrets === 0 ? 'no secrets' : secrets === 1 ? '1 secret' : `${secrets} secrets`)

/** Creates the app's backup functions. They use the file from the command line instead of a file dialog. */
function backupsOf(app: SqliteJournal, folders: Folders, { version, clock, secrets, tryKeys }: BackupCommandParts, file: string, open: OpenProfile | null) {
  const choose = async () => file
  return createBackups({
    ...{ version, clock, secrets, folders, tryKeys, home: folders.appJournal },
    files: { chooseToOpen: choose, chooseToSave: choose },
    unlocked: () => true,
    workspace: async () => open,
    store: createProfileStore(app.records),
    settings: app.records.settings,
    settingsRestored: () => undefined,
    appVault: openVault({ journal: app, secrets, account: vaultAccount('desk') }).records,
    eraseData: (id) => eraseProfile({ folder: folders.profile(id), journal: folders.profileJournal(id), profileId: id, secrets, clock }),
  })
}

/**
 * Reads the passphrase from a file descriptor, or from the terminal without showing it. Never takes it from an argument. On the terminal, asks for a
 * new passphrase twice.
 */
async function readPassphrase(kind: 'new' | 'known', fd: number | null, { ask }: BackupCommandParts): Promise<Result<string, Refusal>> {
  const typed = fd === null ? await typePassphrase(kind, ask) : readLine(fd)
  if (!typed.ok) return typed
  const { length } = typed.value
  if (kind === 'new' && length < shortestPassphrase)
    return fail(refusal('usage', `The passphrase is too short. Use at least ${shortestPassphrase} characters.`))
  if (length === 0 || length > longest) return fail(refusal('usage', 'The passphrase is empty or too long.'))
  return typed
}

async function typePassphrase(kind: 'new' | 'known', ask: BackupCommandParts['ask']): Promise<Result<string, Refusal>> {
  const questions = kind === 'new' ? ['New passphrase of the backup: ', 'The same passphrase again: '] : ['Passphrase of the backup: ']
  const given: string[] = []
  for (const question of questions) {
    const typed = await ask(question)
    if (typed === 'no_terminal') return fail(refusal('later', 'There is no terminal to ask for the passphrase. Use --passphrase-fd.'))
    if (typed === 'stopped') return fail(refusal('denied', 'You gave no passphrase. Nothing was done.'))
    given.push(typed.typed)
  }
  const [first = '', again = first] = given
  return first === again ? ok(first) : fail(refusal('denied', 'The two passphrases differ. Nothing was done.'))
}

/** Reads the first line of a file descriptor, without the line's end. Reads byte by byte, so that the bytes after the line remain for other readers. */
function readLine(fd: number): Result<string, Refusal> {
  const bytes: number[] = []
  const one = Buffer.alloc(1)
  try {
    while (bytes.length <= longest * 4 && readSync(fd, one) === 1 && one[0] !== 0x0a) bytes.push(one[0] ?? 0)
  } catch (error) {
    return fail(refusal('usage', `File descriptor ${fd} cannot be read (${error instanceof Error && 'code' in error ? String(error.code) : 'unknown'}).`))
  }
  const line = Buffer.from(bytes)
  const text = line.toString('utf8').replace(/\r$/, '')
  line.fill(0)
  return ok(text)
}

/** Returns the message for a file that cannot be read or written. */
function fileRefusal(failure: Failure, file: string): Refusal {
  if (failure.kind !== 'file') return refusalOf(failure)
  const why = {
    missing: 'it, or its folder, does not exist',
    not_allowed: 'you have no permission',
    disk_full: 'the disk is full',
    not_a_file: 'it is not a file',
    not_text: 'it is not a backup',
    too_large: 'it is too large',
    changed: 'it changed in the meantime',
    failed: 'the system refused it',
  }[failure.issue]
  return refusal(failure.issue === 'missing' ? 'missing' : 'unavailable', `${file} cannot be used: ${why}.`)
}
