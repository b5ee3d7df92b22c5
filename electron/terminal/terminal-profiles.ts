import { fail, ok } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import { type ProfileStore, practiceId } from '../store/records/profile-store.ts'
import { leaving } from '../store/secrets/leaving-secret.ts'
import type { SecretStore } from '../store/secrets/secret-store.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { TerminalProfiles } from './answer-command.ts'
import type { KnownProfile } from './channel/choose.ts'
import { refusal } from './channel/refusal.ts'
import { readProfileAccess } from './profile-access.ts'

export interface TerminalProfilesDeps {
  readonly store: Pick<ProfileStore, 'list' | 'activeId'>
  /** The open profile's services in this process; null if no profile is open. */
  readonly workspace: () => Promise<Pick<Workspace, 'profileId' | 'hostUrl' | 'access' | 'webhookAccess' | 'noteSecretUse' | 'handlers' | 'runCheck'> | null>
  readonly journalFile: (profileId: string) => string
  /** The keychain with the secrets of all live profiles. */
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly newId: () => string
  /** Returns false while the app is locked. */
  readonly unlocked: () => boolean
}

/** The profiles as this process reads them. The open profile is read through its running services, any other live profile from its files. */
export function createTerminalProfiles({ store, workspace, journalFile, secrets, clock, newId, unlocked }: TerminalProfilesDeps): TerminalProfiles {
  const live = (): KnownProfile[] => store.list().map(({ id, name }) => ({ id, name, kind: 'live' }))
  return {
    profiles: () => [{ id: practiceId, name: 'Practice', kind: 'practice' }, ...live()],
    activeId: () => store.activeId(),
    async open({ id, name, kind }) {
      const open = await workspace()
      if (open?.profileId === id)
        return ok({
          hostUrl: open.hostUrl,
          keys: open.access.list(),
          secretOf: leaving(open.access.secretOf, unlocked),
          webhooks: open.webhookAccess.list(),
          webhookSecretOf: leaving(open.webhookAccess.secretOf, unlocked),
          note: open.noteSecretUse,
          handlers: open.handlers,
          runCheck: open.runCheck,
        })
      const stored = store.list().find((profile) => profile.id === id)
      if (kind === 'practice' || stored === undefined)
        return fail(refusal('unavailable', `${name} runs only while it is open in Svc Desk. Open it there, then try again.`))
      const { hostUrl } = stored
      const access = readProfileAccess({
        journalFile: journalFile(id),
        profile: { id, kind: 'live', hostUrl, practiceWallet: null },
        secrets,
        clock,
        newId,
        unlocked,
      })
      return ok({ hostUrl, ...access, handlers: null, runCheck: null })
    },
  }
}
