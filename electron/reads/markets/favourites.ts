import { z } from 'zod'
import { ok } from '../../../shared/result.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/journal/kept-record.ts'

export interface Favourites {
  readonly handlers: Handlers<'markets.favourites' | 'markets.setFavourite'>
}

const Kept = z.array(z.number().int())

/** No catalogue is as long; a file that was tampered with may be. */
const most = 512

/** Markets that the user keeps at hand: per profile, on this computer only. */
export function createFavourites({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): Favourites {
  const name = `markets/${profile.id}/favourites`

  const read = (): number[] => {
    return (readRecord(Kept, values.get(name)) ?? []).slice(0, most)
  }

  return {
    handlers: {
      'markets.favourites': () => ok({ pairIds: read() }),
      'markets.setFavourite': ({ pairId, favourite }) => {
        const others = read().filter((one) => one !== pairId)
        const pairIds = favourite ? [...others, pairId] : others
        values.set(name, JSON.stringify(pairIds))
        return ok({ pairIds })
      },
    },
  }
}
