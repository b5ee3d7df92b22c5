import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { GrantEnd } from '../../store/records/key-records.ts'
import type { Records } from '../../store/records/registry.ts'

export type { GrantEnd }

export interface GrantEnds {
  remember(end: GrantEnd): void
  of(keyId: string): GrantEnd | null
}

export const createGrantEnds = ({ profile, records }: { readonly profile: ProfileFacts; readonly records: Pick<Records, 'grantEnds'> }): GrantEnds => ({
  remember: (end) => records.grantEnds.write({ profile: profile.id, keyId: end.keyId }, end),
  of: (keyId) => records.grantEnds.read({ profile: profile.id, keyId }),
})
