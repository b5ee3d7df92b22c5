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
import { createShelves } from './app-shelves.ts'
import type { Answered, Asked } from './channel/messages.ts'
import { type Refusal, refusal, refusalOf } from './channel/refusal.ts'

export interface WithoutAppDeps {
  readonly folders: Pick<Folders, 'appJournal' | 'profileJournal'>
  /** The keychain's entries of live profiles. */
  readonly secrets: SecretStore
  readonly clock: Clock
  /** Asks for the passphrase where the app has a lock. */
  readonly unlock: () => Promise<Result<void, Refusal>>
}

/** Nobody can be asked: whoever may run commands as this user may read the keychain, too. What changes keys is not done. */
const allow: Allow = async (kind) =>
  kind === 'run' || kind === 'listen' ? ok(undefined) : fail(refusal('wallet', 'You must be signed in with your wallet. Open Svc Desk, then try again.'))

/**
 * Answers from the journals and the keychain while the app is closed. null: the app has the journals after all; it started
 * meanwhile.
 */
export async function answerWithoutApp(asked: Asked, { folders, secrets, clock, unlock }: WithoutAppDeps): Promise<Answered | null> {
  if (!existsSync(folders.appJournal)) return refused(refusal('missing', 'There is no profile on this computer yet. Start Svc Desk first.'))
  try {
    // Before the question: an app that is starting has the journal, and is asked instead.
    const profiles = readProfiles(folders.appJournal, clock)
    const opened = await unlock()
    if (!opened.ok) return refused(opened.failure)
    const shelves = createShelves({
      store: profiles,
      workspace: async () => null,
      journalFile: folders.profileJournal,
      secrets,
      clock,
      newId: () => randomBytes(16).toString('hex'),
      // The passphrase was given for this very command.
      unlocked: () => true,
    })
    return await answerCommand(asked, { shelves, allow, clock, tell: { said: () => undefined, gone: new AbortController().signal } })
  } catch (error) {
    if (!(error instanceof ExpectedFailure)) throw error
    const { failure } = error
    return failure.kind === 'journal' && failure.issue === 'taken' ? null : refused(refusalOf(failure))
  }
}

/** As they are now: the journal is closed again at once, since the app may want it next. */
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
