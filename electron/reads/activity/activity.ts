import { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { ok } from '../../../shared/result.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

export interface ActivityDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly wallet: Pick<WalletReport, 'shown'>
}

/** The calls that make or take away secrets, of the wallet that is shown. */
export function createActivity({ profile, journal, wallet }: ActivityDeps): { readonly handlers: HandlersOf<'activity'> } {
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
