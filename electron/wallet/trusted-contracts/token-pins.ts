import type { TokenRole } from '../../../shared/collateral-token.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { type ContractPin, type ContractPinDeps, createContractPin } from './contract-pin.ts'
import type { createPublishedContract } from './published-contract.ts'

/** The tokens that the exchange takes as collateral, each pinned like the router. */
export type TokenPins = Readonly<Record<TokenRole, ContractPin>>

interface Deps extends Pick<ContractPinDeps, 'values' | 'hasCode' | 'rpcHost'> {
  readonly profile: ProfileFacts
  readonly published: ReturnType<typeof createPublishedContract>
}

export const createTokenPins = ({ profile, published, ...deps }: Deps): TokenPins => ({
  USDC: createContractPin({ ...deps, what: 'collateral token', name: `pin/${profile.id}/token`, published: published('usdc') }),
  own: createContractPin({ ...deps, what: 'protocol token', name: `pin/${profile.id}/token/svc`, published: published('svc') }),
})
