import { getAddress, isAddress } from 'viem'
import type { WatchedWallet, watchedWallets } from '../../../shared/ipc/reads/account.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Records } from '../../store/records/registry.ts'

export interface WatchList {
  /** Returns the watched wallet with this address; `null` if this profile does not watch the address. */
  find(address: string): WatchedWallet | null
  list(): WatchedWallet[]
  readonly handlers: Handlers<keyof typeof watchedWallets>
}

const mostWatched = 20
const longestName = 60

/** The wallets that the user watches, for which the app needs no key. Each profile has its own list, stored only on this computer. */
export function createWatchList({ profile, records }: { readonly profile: ProfileFacts; readonly records: Records }): WatchList {
  const { watchedWallets: watched } = records
  const list = (): WatchedWallet[] =>
    watched
      .list({ profile: profile.id })
      .map(({ record }) => record)
      .sort((a, b) => a.name.localeCompare(b.name, 'en') || a.address.localeCompare(b.address, 'en'))
  const find = (address: string) => list().find((one) => one.address.toLowerCase() === address.toLowerCase()) ?? null

  return {
    find,
    list,
    handlers: {
      'account.watched': () => ok({ wallets: list() }),
      'account.watch': ({ address: typed, name: called }) => {
        const written = typed.trim()
        const name = called.trim()
        if (!isAddress(written, { strict: false })) return fail({ kind: 'bad_input', field: 'address', issue: 'address_form' })
        // An address in mixed case contains a checksum. If the checksum does not match the address, the user mistyped the address.
        if (/[a-f]/.test(written) && /[A-F]/.test(written) && !isAddress(written))
          return fail({ kind: 'bad_input', field: 'address', issue: 'address_checksum' })
        if (name === '' || name.length > longestName) return fail({ kind: 'bad_input', field: 'name', issue: `name_length ${longestName}` })
        const address = getAddress(written)
        const kept = list()
        if (kept.some((one) => one.name === name && one.address !== address)) return fail({ kind: 'bad_input', field: 'name', issue: 'name_taken' })
        if (find(address) === null && kept.length >= mostWatched) return fail({ kind: 'bad_input', field: 'address', issue: `watched_full ${mostWatched}` })
        watched.write({ profile: profile.id, address }, { address, name })
        return ok({ address, name })
      },
      'account.unwatch': ({ address }) => {
        const found = find(address)
        if (found === null) return fail({ kind: 'not_found', what: 'watched wallet' })
        watched.delete({ profile: profile.id, address: found.address })
        return ok({})
      },
    },
  }
}
