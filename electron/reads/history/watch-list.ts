import { getAddress, isAddress } from 'viem'
import type { watchedWallets } from '../../../shared/ipc/reads/watched-wallets.ts'
import { WatchedWallet } from '../../../shared/ipc/reads/watched-wallets.ts'
import { fail, ok } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readValues } from '../../store/journal/kept-record.ts'

export interface WatchList {
  /** As the user added it; null: this profile does not watch that address. */
  find(address: string): WatchedWallet | null
  list(): WatchedWallet[]
  readonly handlers: Handlers<keyof typeof watchedWallets>
}

const mostWatched = 20
const longestName = 60

/** Wallets that are looked at without a key: per profile, on this computer only. */
export function createWatchList({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): WatchList {
  const prefix = `watch/${profile.id}/`
  const list = (): WatchedWallet[] =>
    readValues(values, prefix, WatchedWallet).sort((a, b) => a.name.localeCompare(b.name, 'en') || a.address.localeCompare(b.address, 'en'))
  const find = (address: string) => list().find((one) => one.address.toLowerCase() === address.toLowerCase()) ?? null

  return {
    find,
    list,
    handlers: {
      'account.watched': () => ok({ wallets: list() }),
      'account.watch': ({ address: typed, name: called }) => {
        const written = typed.trim()
        const name = called.trim()
        if (!isAddress(written, { strict: false })) return fail({ kind: 'bad_input', field: 'address', issue: 'An address is 0x and 40 hexadecimal digits.' })
        // Mixed case carries a checksum: one that does not fit is a typing error.
        if (/[a-f]/.test(written) && /[A-F]/.test(written) && !isAddress(written))
          return fail({ kind: 'bad_input', field: 'address', issue: 'The checksum of this address does not fit: a letter or digit is wrong.' })
        if (name === '' || name.length > longestName) return fail({ kind: 'bad_input', field: 'name', issue: `A name has 1 to ${longestName} characters.` })
        const address = getAddress(written)
        const kept = list()
        if (kept.some((one) => one.name === name && one.address !== address))
          return fail({ kind: 'bad_input', field: 'name', issue: 'Another wallet has this name already.' })
        if (find(address) === null && kept.length >= mostWatched)
          return fail({ kind: 'bad_input', field: 'address', issue: `${mostWatched} wallets are watched already. Remove one first.` })
        values.set(`${prefix}${address}`, JSON.stringify({ address, name }))
        return ok({ address, name })
      },
      'account.unwatch': ({ address }) => {
        const found = find(address)
        if (found === null) return fail({ kind: 'not_found', what: 'watched wallet' })
        values.set(`${prefix}${found.address}`, null)
        return ok({})
      },
    },
  }
}
