import { SecretOperation } from '../../shared/ipc/activity.ts'
import { ok } from '../../shared/result.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'

/** What the journal holds beside intents: requests, and the calls that make or take away secrets. */
export function createActivity({ profile, journal }: { readonly profile: ProfileFacts; readonly journal: Journal }): {
  readonly handlers: Handlers<'activity.requests' | 'activity.secrets'>
} {
  return {
    handlers: {
      'activity.requests': async ({ limit }) => ok([...journal.requests.list(profile.id, limit)]),
      // Parsed to what the window may see: ids and markers stay here.
      'activity.secrets': async ({ limit }) => ok(journal.secretOperations.list(profile.id, limit).map((row) => SecretOperation.parse(row))),
    },
  }
}
