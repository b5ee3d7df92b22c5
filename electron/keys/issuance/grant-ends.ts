import { z } from 'zod'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { Values } from '../../store/journal/journal.ts'
import { readRecord } from '../../store/journal/kept-record.ts'

/** When the stored grant of a key's agent ends, as it was read before it was signed. Keys do not say it themselves. */
const GrantEnd = z.object({ keyId: z.string(), wallet: z.string(), agent: z.string().nullable(), endsAtMs: z.number(), storedAtMs: z.number() })
export type GrantEnd = z.infer<typeof GrantEnd>

export interface GrantEnds {
  remember(end: GrantEnd): void
  of(keyId: string): GrantEnd | null
}

export function createGrantEnds({ profile, values }: { readonly profile: ProfileFacts; readonly values: Values }): GrantEnds {
  const name = (keyId: string) => `grant-end/${profile.id}/${keyId}`
  return {
    remember: (end) => values.set(name(end.keyId), JSON.stringify(end)),
    of: (keyId) => readRecord(GrantEnd, values.get(name(keyId))),
  }
}
