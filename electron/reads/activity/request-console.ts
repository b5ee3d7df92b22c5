import { fail, ok } from '../../../shared/result.ts'
import type { HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

export interface RequestConsoleDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'requests'>
  readonly wallet: Pick<WalletReport, 'shown'>
}

/** Every request and answer that concerns the wallet that is shown, as they were kept: without secrets (Authentication 3, Service 9). */
export function createRequestConsole({ profile, journal: { requests }, wallet }: RequestConsoleDeps): {
  readonly handlers: HandlersOf<'requests'>
} {
  return {
    handlers: {
      'requests.list': async ({ upTo, offset, limit, ...filter }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        return ok({ ...requests.page(profile.id, { ...filter, text: filter.text.trim() }, { upTo, offset, limit }, { wallet: whose.value }), offset })
      },
      'requests.get': async ({ id }) => {
        const whose = wallet.shown()
        if (!whose.ok) return whose
        const found = requests.find(profile.id, id, { wallet: whose.value })
        return found === null ? fail({ kind: 'not_found', what: 'request' }) : ok({ ...found, hostUrl: profile.hostUrl })
      },
    },
  }
}
