import type { ContractConcern, ContractKind } from '../ipc/intents/comparison-lines.ts'
import type { PinnedFormat } from './message/signing-format.ts'

/** What a profile stores about a signing format for one kind of message, after the user has accepted the format. */
export interface TrustedFormat {
  /** The hash of the signing format: `TypedData.formatHash`. */
  readonly hash: string
  /**
   * Number of decimals of USDC amounts in this format; null if no message has contained one yet. The next fields are the same for prices, leverage
   * and sizes.
   */
  readonly usdcScale: number | null
  readonly priceScale: number | null
  readonly leverageScale: number | null
  /** Number of decimals of sizes in base units; null if no message has contained a size yet. */
  readonly sizeScale: number | null
  /**
   * What each field of the format means. null: the user accepted the format before the app stored meanings. The app adds the meanings with the next
   * message that matches its request.
   */
  readonly format: PinnedFormat | null
}

/** The scales (numbers of decimals) at which the app read a message's numbers. */
export type PinnedScales = Omit<TrustedFormat, 'hash' | 'format'>

export interface RouterEvidence {
  /** The router in the domain of the message's typed data; null if there is none. */
  readonly candidate: string | null
  /** The router that the user has confirmed for this profile; null if none. */
  readonly pinned: string | null
  /** The router that `GET /api/dex/config` publishes; null if not stated or not read. The next field is the same for `GET /meta`. */
  readonly publishedByConfig: string | null
  readonly publishedByMeta: string | null
  /** Names of the responses, `/api/dex/config` or `/meta`, from which the app could not read a router address. */
  readonly unread: readonly ('config' | 'meta')[]
  /** Whether `eth_getCode` found code at the address, on an RPC server that does not belong to the service; null if there was no answer. */
  readonly hasCode: boolean | null
  /** Host of the RPC server that was asked for the contract's code; null if none was asked. */
  readonly rpcHost: string | null
}

export interface RouterDecision {
  readonly state: 'pinned' | 'new' | 'changed'
  readonly candidate: string
  readonly pinned: string | null
  readonly publishedByConfig: string | null
  readonly publishedByMeta: string | null
  readonly unread: ('config' | 'meta')[]
  readonly hasCode: boolean | null
  readonly rpcHost: string | null
  readonly concerns: readonly ContractConcern[]
  /** Whether the user may confirm the candidate. false: the reasons in `concerns` prevent it. */
  readonly confirmable: boolean
  /** true: the contract in the message is not the router, but the service publishes it in another role. */
  readonly isOther?: boolean
}

/** The router that a message should contain. `by`: whether the user trusts it (`pin`), or only the service publishes it. */
export type ExpectedRouter =
  | { readonly by: 'pin'; readonly address: string }
  /** The service publishes this router, but the user does not trust it. `instead`: the router that the user trusts; null: none. */
  | { readonly by: 'service'; readonly address: string; readonly instead: string | null }

export const sameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

const zeroAddress = `0x${'0'.repeat(40)}`

/**
 * Decides about a router or token: the user already trusts it, may confirm it, or may not confirm it (FLOW-01). null if there is no valid address.
 */
export function decideRouter(evidence: RouterEvidence, what: ContractKind = 'router'): RouterDecision | null {
  const { candidate, pinned, publishedByConfig, publishedByMeta, unread, hasCode, rpcHost } = evidence
  if (candidate === null || !/^0x[0-9a-fA-F]{40}$/.test(candidate)) return null
  const concerns: ContractConcern[] = []
  if (candidate === zeroAddress) concerns.push({ code: 'zero_address' })
  if (hasCode === false) concerns.push({ code: 'no_contract', address: candidate })
  if (publishedByConfig !== null && !sameAddress(publishedByConfig, candidate))
    concerns.push({ code: 'publishes_another', what, address: publishedByConfig, at: 'config' })
  if (publishedByMeta !== null && !sameAddress(publishedByMeta, candidate))
    concerns.push({ code: 'publishes_another', what, address: publishedByMeta, at: 'meta' })
  const state = pinned === null ? 'new' : sameAddress(pinned, candidate) ? 'pinned' : 'changed'
  if (state === 'changed' && publishedByConfig === null && publishedByMeta === null) concerns.push({ code: 'publishes_none', what })
  return { state, candidate, pinned, publishedByConfig, publishedByMeta, unread: [...unread], hasCode, rpcHost, concerns, confirmable: concerns.length === 0 }
}

/**
 * Whether the user has sufficiently confirmed a router. A trusted router needs no confirmation, a new router needs `yes`, and a changed router needs
 * its full address. A trusted router remains usable if the service now publishes another router. The app refuses it if its contract no longer exists.
 */
export function acceptsRouter(decision: RouterDecision, typed: string | null): boolean {
  switch (decision.state) {
    case 'pinned':
      return decision.hasCode !== false
    case 'new':
      return decision.confirmable && typed !== null && (typed.trim().toLowerCase() === 'yes' || sameAddress(typed.trim(), decision.candidate))
    case 'changed':
      return decision.confirmable && typed !== null && sameAddress(typed.trim(), decision.candidate)
  }
}
