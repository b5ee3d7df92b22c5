import { fail, ok } from '../../shared/result.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal } from '../journal/journal.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { WalletReport } from '../session/wallet.ts'

export interface RequestConsoleDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'requests'>
  readonly wallet: Pick<WalletReport, 'shown'>
}

/** Every request and answer that concerns the wallet that is shown, as they were kept: without secrets (Authentication 3, Service 9). */
export function createRequestConsole({ profile, journal: { requests }, wallet }: RequestConsoleDeps): {
  readonly handlers: Handlers<'requests.list' | 'requests.get'>
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
