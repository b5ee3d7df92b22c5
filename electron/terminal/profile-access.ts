import { existsSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { GatewayAccess } from '../gateway/gateway.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { Secret } from '../kernel/secret.ts'
import { noteOfUse, noteRow } from '../keys/audit/log-rows.ts'
import { type AccessibleKey, createKeyAccess } from '../keys/keys.ts'
import { createCredentials } from '../service/credentials/credentials.ts'
import type { SecretIndex } from '../store/journal/journal.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { type ProfileStore, practiceId } from '../store/records/profile-store.ts'
import { type FindLeaving, leaving } from '../store/secrets/leaving-secret.ts'
import type { KeychainFailure, NoteSecretUse, SecretStore, SecretUse } from '../store/secrets/secret-store.ts'
import { createStoredSecrets } from '../store/secrets/stored-secrets.ts'
import { type AccessibleWebhook, createWebhookAccess } from '../webhooks/subscriptions/webhook-parts.ts'
import type { RunCheck } from '../workspace/service-check/report.ts'
import type { Workspace } from '../workspace/workspace.ts'
import type { TerminalProfiles } from './answer-command.ts'
import type { KnownProfile } from './channel/choose.ts'
import { refusal } from './channel/refusal.ts'

/** The keys and signing secrets of one profile, whether or not the app has it open. */
export interface ProfileAccess {
  /** The exchange's base URL in this profile, called `{host_url}` in the exchange's documentation. */
  readonly hostUrl: string
  readonly keys: readonly AccessibleKey[]
  readonly secretOf: FindLeaving
  readonly webhooks: readonly AccessibleWebhook[]
  readonly webhookSecretOf: FindLeaving
  readonly note: NoteSecretUse
  /** The actions that need the profile to be open in the app. null if the profile is not open. */
  readonly handlers: Handlers<'keys.list' | 'keys.rotate' | 'keys.revoke' | 'markets.list' | 'fleet.list' | 'fleet.set' | 'fleet.remove'> | null
  readonly runCheck: RunCheck | null
  /** null if the profile is not open. */
  readonly gateway: GatewayAccess | null
}

/** How to read the files of a profile that is not open in the app. */
interface ReadProfileDeps {
  readonly journalFile: string
  readonly profile: ProfileFacts
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly newId: () => string
  readonly unlocked: () => boolean
}

/**
 * Reads a profile that is not open. Closes the journal right after reading, because the app may need it next. Throws `ExpectedFailure` if another
 * process has the journal open.
 */
function readProfileAccess(deps: ReadProfileDeps): Pick<ProfileAccess, 'keys' | 'secretOf' | 'webhooks' | 'webhookSecretOf' | 'note'> {
  const { journalFile, profile, secrets, clock, unlocked } = deps
  if (!existsSync(journalFile)) return { keys: [], secretOf: async () => ok(null), webhooks: [], webhookSecretOf: async () => ok(null), note: () => undefined }
  const journal = openJournal({ file: journalFile, clock })
  try {
    const credentials = createCredentials({ profile, journal, secrets, clock })
    const keys = createKeyAccess(credentials).list()
    const reading = (index: SecretIndex) => {
      const accounts = new Map(index.list(profile.id).map(({ keyId, account }) => [keyId, account]))
      return async (id: string): Promise<Result<Secret | null, KeychainFailure>> => {
        const account = accounts.get(id)
        return account === undefined ? ok(null) : secrets.get(account)
      }
    }
    const held = createStoredSecrets({ kind: 'webhook', profileId: profile.id, index: journal.webhookIndex, records: journal.records, secrets })
    const webhooks = createWebhookAccess(held).list()
    const note: NoteSecretUse = (use) => {
      const owner =
        use.of === 'webhook' ? webhooks.find(({ webhookId }) => webhookId === use.keyId)?.wallet : keys.find(({ keyId }) => keyId === use.keyId)?.wallet
      if (owner !== undefined) noteIn(deps, use, owner)
    }
    return {
      keys,
      secretOf: leaving(reading(journal.secretIndex), unlocked),
      webhooks,
      webhookSecretOf: leaving(reading(journal.webhookIndex), unlocked),
      note,
    }
  } finally {
    journal.close()
  }
}

/**
 * Records in the profile's audit log that a command used a secret. If the app has started meanwhile and opened the journal, writes no record: the
 * command may still use the secret.
 */
function noteIn({ journalFile, profile, clock, newId }: ReadProfileDeps, use: SecretUse, wallet: string): void {
  let journal: SqliteJournal
  try {
    journal = openJournal({ file: journalFile, clock })
  } catch (error) {
    if (error instanceof ExpectedFailure) return
    throw error
  }
  try {
    journal.audit.put({ profileId: profile.id, wallet }, [noteRow(noteOfUse(use, wallet), `note:${newId()}`, clock.now())])
  } finally {
    journal.close()
  }
}

interface TerminalProfilesDeps {
  readonly store: Pick<ProfileStore, 'list' | 'activeId'>
  /** The open profile's services in this process; null if no profile is open. */
  readonly workspace: () => Promise<Pick<
    Workspace,
    'profileId' | 'hostUrl' | 'access' | 'webhookAccess' | 'noteSecretUse' | 'handlers' | 'runCheck' | 'gateway'
  > | null>
  readonly journalFile: (profileId: string) => string
  /** The keychain that stores the secrets of live profiles. */
  readonly secrets: SecretStore
  readonly clock: Clock
  readonly newId: () => string
  /** False while the app is locked. */
  readonly unlocked: () => boolean
}

/** Creates access to the profiles for this process. It reads the open profile through its running services, and any other live profile from its files. */
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
          gateway: open.gateway,
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
      return ok({ hostUrl, ...access, handlers: null, runCheck: null, gateway: null })
    },
  }
}
