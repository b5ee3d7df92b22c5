import type { ContractConcern, ContractKind } from '../ipc/intents/comparison-lines.ts'
import type { PinnedFormat } from './message/signing-format.ts'

/** What a profile remembers of a message layout that was accepted once, for one kind of message. */
export interface TrustedFormat {
  /** `TypedData.formatHash` */
  readonly hash: string
  /** Decimals at which amounts in USDC, prices and the leverage were read; null: none was seen yet. */
  readonly usdcScale: number | null
  readonly priceScale: number | null
  readonly leverageScale: number | null
  /** Of sizes in base units. */
  readonly sizeScale: number | null
  /** What each of its fields means; null: it was accepted before meanings were kept, and gets them with the next message that says what was asked for. */
  readonly format: PinnedFormat | null
}

/** At which scales numbers of a message were read. */
export type PinnedScales = Omit<TrustedFormat, 'hash' | 'format'>

export interface RouterEvidence {
  /** From the typed data's domain. */
  readonly candidate: string | null
  /** What the user confirmed for this profile; null: nothing yet. */
  readonly pinned: string | null
  /** What `GET /api/dex/config` and `GET /meta` publish; null where they do not say. */
  readonly publishedByConfig: string | null
  readonly publishedByMeta: string | null
  /** Which of the two was not read. */
  readonly unread: readonly ('config' | 'meta')[]
  /** `eth_getCode` on an RPC that is not the service's; null: could not be asked. */
  readonly hasCode: boolean | null
  /** The RPC that was asked; null: none was. */
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
  /** What speaks against the candidate. */
  readonly concerns: readonly ContractConcern[]
  /** A candidate without code, or other than what is published, cannot be confirmed at all. */
  readonly confirmable: boolean
  /** Not the router, but another contract that the service publishes beside it. */
  readonly isOther?: boolean
}

/** The router that a message is held against, and who vouches for it. */
export type ExpectedRouter =
  | { readonly by: 'pin'; readonly address: string }
  /** Published and not pinned. `instead`: the pinned one that it would replace; null while none is pinned. */
  | { readonly by: 'service'; readonly address: string; readonly instead: string | null }

export const sameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

const zeroAddress = `0x${'0'.repeat(40)}`

/** Whether a router, or a token beside it, may be signed for, must be confirmed first, or cannot be (FLOW-01). Null where there is no candidate. */
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
 * Whether the user's word is enough: nothing for a pinned router, `yes` for a new one, its full address for a changed one.
 * A pinned router stays usable when what the service publishes now differs: what was pinned is what is trusted.
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
