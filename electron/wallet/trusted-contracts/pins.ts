import { getAddress, isAddress } from 'viem'
import type { TokenRole } from '../../../shared/collateral-token.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { acceptsRouter, decideRouter, type LayoutPin, type RouterDecision, sameAddress } from '../../../shared/signing/pins.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { inAMoment } from '../../service/transport/api-client.ts'
import type { Records } from '../../store/records/registry.ts'
import { type ContractPin, type ContractPinDeps, createContractPin } from './contract-pin.ts'
import type { createPublishedContract } from './published-contract.ts'

export interface PinsDeps extends Pick<ContractPinDeps, 'published' | 'hasCode' | 'rpcHost'> {
  readonly profile: ProfileFacts
  readonly records: Records
}

export interface Pins {
  router(): string | null
  /** What speaks for a router that typed data names, and whether the user may confirm it. null where the candidate is no address. */
  decide(candidate: string | null, isExit?: boolean): Promise<RouterDecision | null>
  /** Pins a router by the user's word. Fails with `signing_refused` or `confirmation_required`. */
  confirmRouter(decision: RouterDecision, typed: string | null): Result<void, Failure>
  /** What a transaction may call, and a permit may name: the router or another contract that was confirmed. */
  readonly trusted: TrustedContracts
  /** The layouts confirmed for a kind of message (`open_position`, `agent_grant`), newest last. */
  layouts(kind: string): readonly LayoutPin[]
  /** Adds a layout, or renews what is known of it. */
  addLayout(kind: string, layout: LayoutPin): void
}

/** What this profile trusts: the router and the layouts of messages, each confirmed once by the user. */
export function createPins({ profile, records, ...evidence }: PinsDeps): Pins {
  const key = { profile: profile.id }
  const router = createContractPin({ what: 'router', kept: records.pinnedRouters, key, ...evidence })
  /** What cannot be read is not trusted: the user is asked again. */
  const layouts = (kind: string): readonly LayoutPin[] => records.pinnedLayouts.read({ ...key, kind }) ?? []

  return {
    router: router.pinned,
    decide: router.decide,
    confirmRouter: router.confirm,
    trusted: createTrustedContracts({ kept: records.trustedContracts, key, router, ...evidence }),
    layouts,
    addLayout: (kind, layout) => records.pinnedLayouts.write({ ...key, kind }, [...layouts(kind).filter(({ hash }) => hash !== layout.hash), layout]),
  }
}

/** The contracts that a transaction may call or a permit may name: the router, and others that the service publishes and the user confirmed. */
interface TrustedContracts extends Pick<ContractPin, 'decide' | 'confirm'> {
  /** Without the router. */
  others(): readonly string[]
}

interface Deps extends Pick<ContractPinDeps, 'key' | 'published' | 'hasCode' | 'rpcHost'> {
  /** Where the list is kept. */
  readonly kept: Records['trustedContracts']
  readonly router: ContractPin
}

/**
 * The document says that `to` is a contract address and not that it is the router (Transaction entry shape). An intent's domain names the router alone;
 * that one is never decided here.
 */
function createTrustedContracts({ kept, key, router, published, hasCode, rpcHost }: Deps): TrustedContracts {
  /** What cannot be read is not trusted: the user is asked again. */
  const others = (): string[] => kept.read(key) ?? []
  return {
    others,
    decide: async (written, isExit = false) => {
      if (written === null || !isAddress(written, { strict: false })) return null
      const candidate = getAddress(written)
      if (others().some((address) => sameAddress(address, candidate)))
        return decideRouter({
          candidate,
          pinned: candidate,
          publishedByConfig: null,
          publishedByMeta: null,
          unread: ['config', 'meta'],
          hasCode: null,
          rpcHost: null,
        })
      const asRouter = await router.decide(candidate, isExit)
      if (asRouter === null || asRouter.state === 'pinned') return asRouter
      const said = await published(isExit)
      const isAmong = (list: readonly string[] | undefined): boolean => list?.some((address) => sameAddress(address, candidate)) === true
      const [byConfig, byMeta] = [isAmong(said.others?.config), isAmong(said.others?.meta)]
      if (!byConfig && !byMeta) return asRouter
      const [code, host] = await Promise.all([isExit ? inAMoment(hasCode(candidate), null) : hasCode(candidate), rpcHost()])
      const evidence = {
        publishedByConfig: byConfig ? candidate : null,
        publishedByMeta: byMeta ? candidate : null,
        unread: said.unread,
        hasCode: code,
        rpcHost: host,
      }
      const decision = decideRouter({ candidate, pinned: null, ...evidence })
      return decision === null ? null : { ...decision, isOther: true }
    },
    confirm: (decision, typed) => {
      if (decision.isOther !== true && !others().some((address) => sameAddress(address, decision.candidate))) return router.confirm(decision, typed)
      // Fails as the router's own pin does.
      if (!acceptsRouter(decision, typed)) return router.confirm(decision, null)
      if (decision.state !== 'pinned') kept.write(key, [...others(), decision.candidate])
      return ok(undefined)
    },
  }
}

/** The tokens that the exchange takes as collateral, each pinned like the router. */
export type TokenPins = Readonly<Record<TokenRole, ContractPin>>

interface TokenPinsDeps extends Pick<ContractPinDeps, 'hasCode' | 'rpcHost'> {
  readonly records: Records
  readonly profile: ProfileFacts
  readonly published: ReturnType<typeof createPublishedContract>
}

export const createTokenPins = ({ profile, records, published, ...deps }: TokenPinsDeps): TokenPins => ({
  USDC: createContractPin({ ...deps, what: 'collateral token', kept: records.pinnedTokens, key: { profile: profile.id }, published: published('usdc') }),
  own: createContractPin({ ...deps, what: 'protocol token', kept: records.pinnedOwnTokens, key: { profile: profile.id }, published: published('svc') }),
})
