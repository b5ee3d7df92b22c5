import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { Clock } from '../../shared/time.ts'
import type { Folders } from '../host/app/folders.ts'
import { ExpectedFailure } from '../kernel/failures.ts'
import { openJournal } from '../store/journal/tables/sqlite-journal.ts'
import { createProfileStore } from '../store/records/profile-store.ts'
import type { SecretStore } from '../store/secrets/secret-store.ts'
import { type Allow, answerCommand, refused } from './answer-command.ts'
import type { Answered, Asked } from './channel/messages.ts'
import { type Refusal, refusal, refusalOf, signInRefusal } from './channel/refusal.ts'
import { createTerminalProfiles } from './profile-access.ts'

export interface WithoutAppDeps {
  readonly folders: Pick<Folders, 'appJournal' | 'profileJournal'>
  /** The keychain with the secrets of all live profiles. */
  readonly secrets: SecretStore
  readonly clock: Clock
  /** Asks for the passphrase if the user has set up the app's lock. */
  readonly unlock: () => Promise<Result<void, Refusal>>
}

/**
 * While the app is closed, commands get secrets without the user's consent: a program that can run commands as this user can read the keychain
 * anyway. Commands that change keys are refused.
 */
const allow: Allow = async (kind) =>
  kind === 'run' || kind === 'listen' ? ok(undefined) : fail(signInRefusal('You must be signed in with your wallet. Open Svc Desk, then try again.'))

/** Answers from the journals and the keychain while the app is closed. null if the app has started in the meantime and uses the journals. */
export async function answerWithoutApp(asked: Asked, { folders, secrets, clock, unlock }: WithoutAppDeps): Promise<Answered | null> {
  if (!existsSync(folders.appJournal)) return refused(refusal('missing', 'There is no profile on this computer yet. Start Svc Desk first.'))
  try {
    // Read the journal before asking for the passphrase. If the app has started, the journal is in use, and the command asks the app instead.
    const stored = readProfiles(folders.appJournal, clock)
    const opened = await unlock()
    if (!opened.ok) return refused(opened.failure)
    const profiles = createTerminalProfiles({
      store: stored,
      workspace: async () => null,
      journalFile: folders.profileJournal,
      secrets,
      clock,
      newId: () => randomBytes(16).toString('hex'),
      // `unlock` has just succeeded for this command: the user entered the passphrase, or has set up no lock.
      unlocked: () => true,
    })
    return await answerCommand(asked, { profiles, allow, clock, tell: { said: () => undefined, gone: new AbortController().signal } })
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    const { failure } = error
    return failure.kind === 'journal' && failure.issue === 'taken' ? null : refused(refusalOf(failure))
  }
}

/** Reads the current profiles and closes the journal at once, because the app may need it next. */
function readProfiles(file: string, clock: Clock) {
  const journal = openJournal({ file, clock })
  try {
    const store = createProfileStore(journal.records)
    const [list, activeId] = [store.list(), store.activeId()]
    return { list: () => list, activeId: () => activeId }
  } finally {
    journal.close()
  }
}
