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

/** The calls that make or take away secrets, of the wallet that is shown. */
export function createActivity({ profile, journal, wallet }: ActivityDeps): { readonly handlers: Handlers<'activity.secrets'> } {
  return {
    handlers: {
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
