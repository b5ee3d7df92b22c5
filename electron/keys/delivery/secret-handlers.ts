import { versionedPath } from '../../../shared/api/host-url.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import type { Clock } from '../../../shared/time.ts'
import type { FileDialogs } from '../../kernel/files/file-dialogs.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Secret } from '../../kernel/secret.ts'
import type { HoldKey } from '../../store/secrets/held-key.ts'
import type { SecretKind } from '../../store/secrets/secret-accounts.ts'
import type { NoteSecretUse } from '../../store/secrets/secret-use.ts'
import { createAskGit } from './env-file-git.ts'
import { createEnvSave } from './env-file-save.ts'
import { createHandover, type HandoverDeps } from './outlets/handover.ts'

/** What of this computer secrets go out through. */
export interface SecretOutlets {
  /** Shows a secret in a window of its own; gives the milliseconds until it closes. */
  readonly reveal: (label: string, secret: Secret) => { readonly closesInMs: number }
  readonly confirm: HandoverDeps['confirm']
  /** The app's lock: false while it is locked. */
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

/** Every way of a secret out of the keychain that the page can ask for. None of them answers with it. */
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
