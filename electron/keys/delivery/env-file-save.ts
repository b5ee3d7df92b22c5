import { join } from 'node:path'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { EnvOutcome, EnvQuestion } from '../../../shared/ipc/keys/secrets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import { fileFailure } from '../../kernel/file-failure.ts'
import type { FileDialogs } from '../../kernel/files/file-dialogs.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { HoldKey } from '../../store/secrets/held-key.ts'
import type { SecretKind } from '../../store/secrets/secret-accounts.ts'
import type { NoteSecretUse } from '../../store/secrets/secret-use.ts'
import { findFile, replaceFile } from './env-file.ts'
import { type AskGit, ignoreInGit } from './env-file-git.ts'
import { mergeEnv } from './env-file-text.ts'

export interface EnvSaveDeps {
  readonly profileId: string
  /** `{base_url}` of the profile. */
  readonly baseUrl: string
  readonly holds: Readonly<Record<SecretKind, HoldKey>>
  /** The system's own dialog; null: the user chose nothing. */
  readonly chooseToSave: FileDialogs['chooseToSave']
  readonly askGit: AskGit
  readonly note: NoteSecretUse
  /** Where the dialog begins. */
  readonly folder: string
  readonly clock: Clock
  readonly newId: () => string
}

const patienceMs = 5 * minute

/** A key, or a webhook. */
interface Owner {
  readonly of: SecretKind
  readonly id: string
}

interface Pending extends Owner {
  readonly path: string
  readonly atMs: number
  /** What the user has said yes to already. */
  readonly agreed: ReadonlySet<EnvQuestion['about']>
}

/** Saves a key as `SVC_API_KEY` and `SVC_BASE_URL`, a signing secret as `SVC_WEBHOOK_SECRET`, in a `.env` file. The path comes from the system's dialog, never from the page. */
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
    // Before the dialog: nobody chooses a file in vain.
    const key = await holds[owner.of](owner.id)
    if (!key.ok) return key
    const path = await chooseToSave({ title: `Save “${key.value.label}” as .env`, button: 'Save', kinds: [], suggested: join(folder, '.env') })
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
      // Git is asked again: a file that it follows already stays followed.
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
