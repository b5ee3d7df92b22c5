import { SecretOperation } from '../../shared/ipc/activity.ts'
import { ok } from '../../shared/result.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { WalletReport } from '../session/wallet.ts'

export interface ActivityDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly wallet: Pick<WalletReport, 'shown'>
}

/** What the journal holds beside intents, of the wallet that is shown: requests, and the calls that make or take away secrets. */
export function createActivity({ profile, journal, wallet }: ActivityDeps): {
  readonly handlers: Handlers<'activity.requests' | 'activity.secrets'>
} {
  return {
    handlers: {
      'activity.requests': async ({ limit }) => {
        const whose = wallet.shown()
        return whose.ok ? ok(journal.requests.list(profile.id, limit, { wallet: whose.value })) : whose
      },
      'activity.secrets': async ({ limit }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        if (whose.value === null) return ok([])
        // Parsed to what the window may see: ids and markers stay here.
        return ok(journal.secretOperations.list(profile.id, limit, { wallet: whose.value }).map((row) => SecretOperation.parse(row)))
      },
    },
  }
}
