import { constants } from 'node:fs'
import { lstat, open, readlink, realpath } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join, resolve } from 'node:path'
import { versionedPath } from '../../../shared/api/host-url.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { EnvOutcome, EnvQuestion } from '../../../shared/ipc/keys/secrets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import { errnoOf, fileFailure } from '../../kernel/failures.ts'
import { envDialogWords } from '../../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../../kernel/files/dialogs.ts'
import { foldsCase, writePrivate } from '../../kernel/files/write-private.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { NoteSecretUse, SecretKind } from '../../store/secrets/secret-store.ts'
import type { HoldKey } from '../../store/secrets/stored-secrets.ts'
import { type GitView, gitViewJob } from '../leaks/scan-job.ts'
import { mergeEnv } from './env-file-text.ts'
import { createHandover, type HandoverDeps } from './outlets/handover.ts'

/** The ways in which a secret on this computer may leave the keychain. */
export interface SecretOutlets {
  /** Shows a secret in its own window; returns the milliseconds until it closes. */
  readonly reveal: (label: string, secret: Secret) => { readonly closesInMs: number }
  readonly confirm: HandoverDeps['confirm']
  readonly unlocked: () => boolean
  readonly env: NodeJS.ProcessEnv
  readonly home: string
}

export interface SecretHandlersDeps {
  readonly profile: ProfileFacts
  readonly holds: Readonly<Record<SecretKind, HoldKey>>
  readonly outlets: SecretOutlets
  readonly files: Pick<FileDialogs, 'chooseToSave'>
  readonly parsing: Parsing
  readonly note: NoteSecretUse
  readonly clock: Clock
  readonly newId: () => string
}

/** Handlers for everything that moves a secret out of the keychain at the page's request. The page never receives the secret itself. */
export function createSecretHandlers({
  profile,
  holds,
  outlets,
  files,
  parsing,
  note,
  clock,
  newId,
}: SecretHandlersDeps): Handlers<
  'secrets.reveal' | 'webhooks.reveal' | 'secrets.saveEnv' | 'webhooks.saveEnv' | 'secrets.answerEnv' | 'handover.preview' | 'handover.run'
> {
  const { reveal, confirm, env, home } = outlets
  const common = { profileId: profile.id, baseUrl: `${profile.hostUrl}${versionedPath}`, note, folder: home, clock }
  const show = async (of: SecretKind, keyId: string): Promise<Result<{ closesAtMs: number }, Failure>> => {
    const held = await holds[of](keyId)
    if (!held.ok) return held
    const { label, secret } = held.value
    const taken = secret.take()
    if (!taken.ok) return taken
    const { closesInMs } = reveal(label, taken.value)
    note({ use: 'revealed', ...(of === 'webhook' && { of }), profileId: profile.id, keyId, label, to: null, by: 'app', outcome: 'done' })
    return ok({ closesAtMs: clock.now() + closesInMs })
  }
  return {
    'secrets.reveal': ({ keyId }) => show('key', keyId),
    'webhooks.reveal': ({ webhookId }) => show('webhook', webhookId),
    ...createEnvSave({ ...common, holds, chooseToSave: files.chooseToSave, askGit: createAskGit(parsing, env), newId }),
    ...createHandover({ ...common, holdKey: holds.key, confirm, env }),
  }
}

interface EnvSaveDeps {
  readonly profileId: string
  /** The profile's `{base_url}`. */
  readonly baseUrl: string
  readonly holds: Readonly<Record<SecretKind, HoldKey>>
  /** Opens the system's dialog for saving a file; null if the user chose no file. */
  readonly chooseToSave: FileDialogs['chooseToSave']
  readonly askGit: AskGit
  readonly note: NoteSecretUse
  readonly folder: string
  readonly clock: Clock
  readonly newId: () => string
}

const patienceMs = 5 * minute

interface Owner {
  readonly of: SecretKind
  readonly id: string
}

interface Pending extends Owner {
  readonly path: string
  readonly atMs: number
  /** The warnings about this .env file that the user has already accepted. */
  readonly agreed: ReadonlySet<EnvQuestion['about']>
}

/**
 * Saves a key as `SVC_API_KEY` and `SVC_BASE_URL`, or a signing secret as `SVC_WEBHOOK_SECRET`, in a `.env` file. The path comes from the system's
 * dialog, never from the page.
 */
export function createEnvSave(deps: EnvSaveDeps): Handlers<'secrets.saveEnv' | 'webhooks.saveEnv' | 'secrets.answerEnv'> {
  const { profileId, baseUrl, holds, chooseToSave, askGit, note, folder, clock, newId } = deps
  const waiting = new Map<string, Pending>()

  const variables = (of: SecretKind, secret: Secret): Record<string, string> =>
    of === 'key' ? { SVC_API_KEY: secret.reveal(), SVC_BASE_URL: baseUrl } : { SVC_WEBHOOK_SECRET: secret.reveal() }

  const save = async ({ of, id: keyId }: Owner, path: string, agreed: Pending['agreed']): Promise<Result<EnvOutcome, Failure>> => {
    const found = await findFile(path)
    if (!found.ok) return found
    const questions = await questionsOf(found.value.path, found.value.link, askGit)
    if (questions.some(({ about }) => !agreed.has(about))) {
      const id = newId()
      waiting.set(id, { of, id: keyId, path, atMs: clock.now(), agreed: new Set(questions.map(({ about }) => about)) })
      return ok({ state: 'asks', id, path: found.value.path, questions })
    }
    const key = await holds[of](keyId)
    if (!key.ok) return key
    const { label, secret } = key.value
    const taken = secret.take()
    if (!taken.ok) return taken
    const merged = mergeEnv(found.value.text, variables(of, taken.value))
    const written = await replaceFile(found.value, merged.text, () => secret.take())
    note({ use: 'saved', ...(of === 'webhook' && { of }), profileId, keyId, label, to: found.value.path, by: 'app', outcome: written.ok ? 'done' : 'failed' })
    return written.ok ? ok({ state: 'saved', path: found.value.path, kept: merged.kept, replaced: [...merged.replaced] }) : written
  }

  const begin = async (owner: Owner): Promise<Result<EnvOutcome, Failure>> => {
    // Read the secret before opening the dialog. If the app cannot read it, the user need not choose a file.
    const key = await holds[owner.of](owner.id)
    if (!key.ok) return key
    const path = await chooseToSave({ ...envDialogWords(key.value.label), kinds: [], suggested: join(folder, '.env') })
    return path === null ? ok({ state: 'cancelled' }) : save(owner, path, new Set())
  }

  return {
    'secrets.saveEnv': ({ keyId }) => begin({ of: 'key', id: keyId }),
    'webhooks.saveEnv': ({ webhookId }) => begin({ of: 'webhook', id: webhookId }),
    async 'secrets.answerEnv'({ id, answer }) {
      const asked = waiting.get(id)
      if (asked === undefined) return fail({ kind: 'not_found', what: 'request' })
      waiting.delete(id)
      if (answer === 'cancel') return ok({ state: 'cancelled' })
      const { path, atMs, agreed } = asked
      if (clock.now() - atMs > patienceMs) return fail({ kind: 'expired', what: 'request', atMs: atMs + patienceMs })
      if (answer === 'write') return save(asked, path, agreed)
      const found = await findFile(path)
      if (!found.ok) return found
      try {
        await ignoreInGit(found.value.path)
      } catch (error) {
        return fail(fileFailure(error, join(found.value.path, '../.gitignore')))
      }
      // The app has changed `.gitignore`, so ask git again. The new rule has no effect on a file that git already tracks.
      return save(asked, path, new Set([...agreed].filter((about) => about === 'link')))
    },
  }
}

async function questionsOf(path: string, link: string | null, askGit: AskGit): Promise<EnvQuestion[]> {
  const git = await askGit(path)
  return [
    ...(link === null ? [] : [{ about: 'link', target: link } as const]),
    ...(git.state === 'not_ignored' ? [{ about: 'not_ignored', workTree: git.workTree } as const] : []),
    ...(git.state === 'unknown' ? [{ about: 'git_unknown', workTree: git.workTree } as const] : []),
  ]
}

interface FoundFile {
  /** The path of the file, with all links in its parent folders resolved. The file itself may still be a link. */
  readonly path: string
  /** The file’s text; empty if the file does not exist yet. */
  readonly text: string
  /** The target of the link, if the path is a link; otherwise null. */
  readonly link: string | null
  /** A value that changes whenever the file changes. */
  readonly stamp: string
}

/** The size in bytes of the largest `.env` file that the app reads. It is far larger than any real file, and still quick to read. */
export const largestEnvBytes = 256 * 1_024

/** Reads the file at a path that the user chose, following a link. Fails with `file`. */
export async function findFile(chosen: string): Promise<Result<FoundFile, Failure>> {
  try {
    const path = join(await realpath(dirname(resolve(chosen))), basename(resolve(chosen)))
    const named = await nameAt(path)
    if (named === null) return ok({ path, text: '', link: null, stamp: 'none' })
    const link = named.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : null
    if (link === null && !named.isFile()) return refuse('not_a_file', path)
    const content = await readText(path)
    if (!content.ok) return content
    return ok({ path, text: content.value, link, stamp: `${named.ino} ${named.size} ${named.mtimeNs}` })
  } catch (error) {
    return fail(fileFailure(error, chosen))
  }
}

/**
 * Replaces the found file with `text`, as safely as `writePrivate` does. Fails with `file`, and with the issue `changed` if the file has changed
 * since it was found. Just before the replacement, calls `allowed`, and fails if `allowed` returns a failure.
 */
export function replaceFile(found: FoundFile, text: string, allowed: () => Result<unknown, Failure> = () => ok(undefined)): Promise<Result<void, Failure>> {
  const { path } = found
  return writePrivate(path, text, async () => {
    const now = await findFile(path)
    if (!now.ok) return now
    return now.value.stamp !== found.stamp || now.value.text !== found.text ? refuse('changed', path) : allowed()
  })
}

const nameAt = (path: string) =>
  lstat(path, { bigint: true }).catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  })

async function readText(path: string): Promise<Result<string, Failure>> {
  let file: Awaited<ReturnType<typeof open>>
  try {
    // `O_NONBLOCK` prevents that opening a named pipe blocks the app.
    file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0))
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return ok('')
    throw error
  }
  try {
    const about = await file.stat()
    if (!about.isFile()) return refuse('not_a_file', path)
    if (about.size > largestEnvBytes) return refuse('too_large', path)
    const bytes = await file.readFile()
    const text = bytes.toString('utf8')
    return bytes.includes(0) || !Buffer.from(text).equals(bytes) ? refuse('not_text', path) : ok(text)
  } finally {
    await file.close()
  }
}

type Issue = Extract<Failure, { kind: 'file' }>['issue']

const refuse = (issue: Issue, path: string): { readonly ok: false; readonly failure: Failure } => fail({ kind: 'file', issue, path, detail: null })

type AskGit = (path: string) => Promise<GitView>

/**
 * Finds out how git treats `path`, whose parent folders must have resolved links. A separate process reads git's files; if that process fails, the
 * answer is unknown. The process does not read `core.excludesFile`. If only that file ignores `path`, the app asks the user for a confirmation that
 * is not needed.
 */
export function createAskGit(parsing: Parsing, env: NodeJS.ProcessEnv): AskGit {
  const globalRules = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'ignore')
  return async (path) => {
    const view = await parsing.run(gitViewJob, { path, globalRules, fold: foldsCase(process.platform) })
    return view.ok ? view.value : { state: 'unknown', workTree: dirname(path) }
  }
}

/** Adds the file's name to the `.gitignore` in the same folder, which must not be a link. Throws file system errors. */
async function ignoreInGit(path: string): Promise<void> {
  const file = await open(join(dirname(path), '.gitignore'), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o644)
  try {
    const before = await file.readFile('utf8')
    const pattern = `/${basename(path).replace(/[\\*?[\]!# ]/g, '\\$&')}`
    await file.appendFile(`${before === '' || before.endsWith('\n') ? '' : '\n'}${pattern}\n`)
  } finally {
    await file.close()
  }
}
