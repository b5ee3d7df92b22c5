import { getAddress, isAddress } from 'viem'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { blockedBy, signingRefused } from '../../../shared/ipc/intents/reasons.ts'
import type { TokenRole } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { acceptsRouter, decideRouter, type RouterDecision, sameAddress, type TrustedFormat } from '../../../shared/signing/trust.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import { type ApiClient, beforeExit, inAMoment, type KeyCredential } from '../../service/transport/api-client.ts'
import type { RecordAccess } from '../../store/records/access.ts'
import type { KeyOf } from '../../store/records/record.ts'
import type { Records } from '../../store/records/registry.ts'

export interface TrustDeps extends Pick<ContractPinDeps, 'published' | 'hasCode' | 'rpcHost'> {
  readonly profile: ProfileFacts
  readonly records: Records
}

export interface Trust {
  router(): string | null
  /** Returns the evidence for a router address in typed data, and whether the user may trust that router. null if `candidate` is not an address. */
  decide(candidate: string | null, isExit?: boolean): Promise<RouterDecision | null>
  /** Trusts a router that the user confirmed. Fails with `signing_refused` or `confirmation_required`. */
  confirmRouter(decision: RouterDecision, typed: string | null): Result<void, Failure>
  /** The contracts that a transaction may call and a permit may name: the router and other confirmed contracts. */
  readonly contracts: TrustedContracts
  /** The signing formats confirmed for a kind of message (`open_position`, `agent_grant`), newest last. */
  formats(kind: string): readonly TrustedFormat[]
  /** Adds a signing format, or updates a stored one. */
  addFormat(kind: string, layout: TrustedFormat): void
}

/** The contracts and signing formats that this profile trusts. The user confirms each of them once. */
export function createTrust({ profile, records, ...evidence }: TrustDeps): Trust {
  const key = { profile: profile.id }
  const router = createContractPin({ what: 'router', kept: records.pinnedRouters, made: madeBy(profile, 'router'), key, ...evidence })
  /**
   * Returns the trusted signing formats of one kind of message. If the stored formats are unreadable, none is trusted, and the app asks the user
   * again.
   */
  const layouts = (kind: string): readonly TrustedFormat[] => records.pinnedLayouts.read({ ...key, kind }) ?? []

  return {
    router: router.pinned,
    decide: router.decide,
    confirmRouter: router.confirm,
    contracts: createTrustedContracts({ kept: records.trustedContracts, key, router, ...evidence }),
    formats: layouts,
    addFormat: (kind, layout) => records.pinnedLayouts.write({ ...key, kind }, [...layouts(kind).filter(({ hash }) => hash !== layout.hash), layout]),
  }
}

/** The contracts that a transaction may call or a permit may name: the router, and others that the service publishes and the user confirmed. */
interface TrustedContracts extends Pick<ContractPin, 'decide' | 'confirm'> {
  others(): readonly string[]
}

interface Deps extends Pick<ContractPinDeps, 'key' | 'published' | 'hasCode' | 'rpcHost'> {
  readonly kept: Records['trustedContracts']
  readonly router: ContractPin
}

/**
 * Creates the list of contracts that a transaction may call. It may contain more than the router, because the exchange's documentation calls `to`
 * a contract address (Transaction entry shape). An intent's signing domain may name only the router, so don't use this `decide` for it.
 */
function createTrustedContracts({ kept, key, router, published, hasCode, rpcHost }: Deps): TrustedContracts {
  /** If the stored list is unreadable, the app trusts no contract on it and asks the user again. */
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
      // The user did not confirm the contract. Let `router.confirm` build the failure, so that every contract fails with the same error.
      if (!acceptsRouter(decision, typed)) return router.confirm(decision, null)
      if (decision.state !== 'pinned') kept.write(key, [...others(), decision.candidate])
      return ok(undefined)
    },
  }
}

/** The tokens that the exchange accepts as collateral, each confirmed like the router. */
export type TrustedTokens = Readonly<Record<TokenRole, ContractPin>>

interface TrustedTokensDeps extends Pick<ContractPinDeps, 'hasCode' | 'rpcHost'> {
  readonly records: Records
  readonly profile: ProfileFacts
  readonly published: ReturnType<typeof createPublishedContract>
}

export const createTrustedTokens = ({ profile, records, published, ...deps }: TrustedTokensDeps): TrustedTokens => {
  const pin = (what: 'collateral_token' | 'protocol_token', kept: PinRecords, name: 'usdc' | 'svc') =>
    createContractPin({ ...deps, what, kept, made: madeBy(profile, name), key: { profile: profile.id }, published: published(name) })
  return { USDC: pin('collateral_token', records.pinnedTokens, 'usdc'), own: pin('protocol_token', records.pinnedOwnTokens, 'svc') }
}

/** The contract that practice mode deployed under this name; null for a live profile. */
const madeBy = ({ kind, practiceContracts }: ProfileFacts, name: 'router' | 'usdc' | 'svc'): string | null =>
  kind === 'practice' ? addressIn(practiceContracts?.[name]) : null

type PinRecords = Pick<RecordAccess<'{profile}', string>, 'read' | 'write'>

interface ContractPinDeps {
  readonly what: 'router' | 'collateral_token' | 'protocol_token'
  readonly kept: PinRecords
  /**
   * The contract that practice mode deployed, which is trusted without a confirmation. null for a live profile: the user must confirm the contract.
   */
  readonly made: string | null
  readonly key: KeyOf<'{profile}'>
  /** Reads the contract's address as the service publishes it in `/api/dex/config` and `/meta`. */
  readonly published: (isExit: boolean) => Promise<PublishedContract>
  /** Whether the address has a contract, on an RPC that is not the service's; null if the RPC can't be asked. */
  readonly hasCode: (address: string) => Promise<boolean | null>
  /** The host of the RPC that `hasCode` asks. Without the rest of the URL, which may contain a key. */
  readonly rpcHost: () => Promise<string>
}

/** One trusted contract of a profile. The user confirms it once; a contract that practice mode deployed needs no confirmation. */
export interface ContractPin {
  pinned(): string | null
  /**
   * Returns the evidence for a candidate, and whether the user may confirm it. null if the candidate is not an address. `isExit`: the message is an
   * exit and must not be delayed, so the function waits only a moment for each answer.
   */
  decide(candidate: string | null, isExit?: boolean): Promise<RouterDecision | null>
  /** Trusts the contract that the user confirmed. Fails with `signing_refused` or `confirmation_required`. */
  confirm(decision: RouterDecision, typed: string | null): Result<void, Failure>
}

function createContractPin({ what, kept, made, key, published, hasCode, rpcHost }: ContractPinDeps): ContractPin {
  // A restarted practice mode deploys new contracts, so a stored contract may be outdated. Therefore prefer the deployed one.
  const trusted = (): string | null => made ?? kept.read(key)
  return {
    pinned: trusted,
    decide: async (written, isExit = false) => {
      if (written === null || !isAddress(written, { strict: false })) return null
      const candidate = getAddress(written)
      const pinned = trusted()
      // The user confirmed this contract before, so it is trusted without new evidence.
      if (sameAddress(pinned, candidate))
        return decideRouter(
          { candidate, pinned, publishedByConfig: null, publishedByMeta: null, unread: ['config', 'meta'], hasCode: null, rpcHost: null },
          what,
        )
      const [said, code, host] = await Promise.all([published(isExit), isExit ? inAMoment(hasCode(candidate), null) : hasCode(candidate), rpcHost()])
      const { config, meta, unread } = said
      return decideRouter({ candidate, pinned, publishedByConfig: config, publishedByMeta: meta, unread, hasCode: code, rpcHost: host }, what)
    },
    confirm: (decision, typed) => {
      if (acceptsRouter(decision, typed)) {
        if (decision.state !== 'pinned') kept.write(key, decision.candidate)
        return ok(undefined)
      }
      const [concern] = decision.concerns
      if (!decision.confirmable || decision.state === 'pinned')
        return fail(signingRefused(blockedBy(concern === undefined ? null : { code: 'contract', by: concern })))
      return fail({ kind: 'confirmation_required', what: 'router', expected: decision.state === 'new' ? 'yes' : decision.candidate })
    },
  }
}

/**
 * The addresses that `/api/dex/config` and `/meta` publish. An address is null if its source names no contract, or if the source couldn't be read.
 * `unread` lists the sources that couldn't be read.
 */
interface PublishedContract {
  readonly config: string | null
  readonly meta: string | null
  readonly unread: readonly ('config' | 'meta')[]
  /** Published contracts under names that this app doesn't know. Left out if there are none. */
  readonly others?: { readonly config: readonly string[]; readonly meta: readonly string[] }
}

/** A contract as the service publishes it: in `/api/dex/config` and, with a key, in `/meta`. */
export function createPublishedContract({ api, key }: { readonly api: Pick<ApiClient, 'call'>; readonly key: () => Promise<KeyCredential | null> }) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  return (name: 'router' | 'usdc' | 'svc') =>
    async (isExit: boolean): Promise<PublishedContract> => {
      const { call } = isExit ? beforeExit(api) : api
      const credential = await key()
      const [config, meta] = await Promise.all([
        call(endpoints.getConfig, { ...nothing, credential: null }),
        credential === null ? null : call(endpoints.getMeta, { ...nothing, credential }),
      ])
      return {
        config: addressIn(config.ok ? config.value.value.contracts?.[name] : null),
        meta: addressIn(meta?.ok === true ? meta.value.value.contracts?.[name] : null),
        others: {
          config: config.ok ? othersIn(config.value.value.contracts?.unknownFields) : [],
          meta: meta?.ok === true ? othersIn(meta.value.value.contracts?.unknownFields) : [],
        },
        unread: [...(config.ok ? [] : (['config'] as const)), ...(meta?.ok === true ? [] : (['meta'] as const))],
      }
    }
}

/** Collects the addresses in an unknown field: the field itself may be an address, or a record or list that contains some. */
const addressesIn = (value: unknown, depth = 0): readonly string[] => {
  if (typeof value === 'string') return [addressIn(value)].filter((address) => address !== null)
  return depth < 3 && typeof value === 'object' && value !== null ? Object.values(value).flatMap((inner) => addressesIn(inner, depth + 1)) : []
}

const othersIn = (unknownFields: string | null | undefined): readonly string[] => (unknownFields == null ? [] : addressesIn(JSON.parse(unknownFields)))

const addressIn = (written: string | null | undefined): string | null =>
  typeof written === 'string' && isAddress(written, { strict: false }) ? getAddress(written) : null
