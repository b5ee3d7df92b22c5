import type { ContractConcern, ContractKind } from '../ipc/intents/comparison-lines.ts'
import type { PinnedFormat } from './message/signing-format.ts'

/** What a profile stores about a signing format that the user accepted once, for one kind of message. */
export interface TrustedFormat {
  /** The hash of the signing format: `TypedData.formatHash`. */
  readonly hash: string
  /** Decimals of USDC amounts in this format; the next fields are the same for prices, leverage and sizes. null: no such value was seen yet. */
  readonly usdcScale: number | null
  readonly priceScale: number | null
  readonly leverageScale: number | null
  /** Decimals of sizes in base units; null: no size was seen yet. */
  readonly sizeScale: number | null
  /**
   * What each field of the format means; null: the user accepted the format before the app stored meanings. The app adds them with the next message
   * that matches its request.
   */
  readonly format: PinnedFormat | null
}

/** The scales (numbers of decimals) at which the app read the numbers of a message. */
export type PinnedScales = Omit<TrustedFormat, 'hash' | 'format'>

export interface RouterEvidence {
  /** The router that the message's typed-data domain names; null: it names none. */
  readonly candidate: string | null
  /** The router that the user confirmed for this profile; null: none yet. */
  readonly pinned: string | null
  /** The router that `GET /api/dex/config` publishes; the next field has the one from `GET /meta`. null: not stated or not read. */
  readonly publishedByConfig: string | null
  readonly publishedByMeta: string | null
  /** Which of the two published addresses (`publishedByConfig`, `publishedByMeta`) the app could not read. */
  readonly unread: readonly ('config' | 'meta')[]
  /** The result of `eth_getCode` on an RPC that does not belong to the service; null: no answer. */
  readonly hasCode: boolean | null
  /** The host of the RPC that the app asked for the contract code; null: it asked none. */
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
  /** Evidence against trusting the candidate. */
  readonly concerns: readonly ContractConcern[]
  /** false: the app does not let the user confirm the candidate, because of `concerns`. */
  readonly confirmable: boolean
  /** true: the contract in the message is not the router, but the service publishes it in another role. */
  readonly isOther?: boolean
}

/** The router that a message should name, and who vouches for it: the user (`pin`) or only the service. */
export type ExpectedRouter =
  | { readonly by: 'pin'; readonly address: string }
  /** The service publishes this router, but the user does not trust it. `instead`: the router that the user trusts; null: none. */
  | { readonly by: 'service'; readonly address: string; readonly instead: string | null }

export const sameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

const zeroAddress = `0x${'0'.repeat(40)}`

/** Decides whether the user already trusts a router or token, may confirm it, or may not confirm it (FLOW-01). null: there is no valid address. */
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
 * Whether the user has confirmed a router sufficiently: no text for a trusted one, `yes` for a new one, the full address for a changed one. A trusted
 * router stays usable even if the service now publishes another one. But it is refused if its contract no longer exists.
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
