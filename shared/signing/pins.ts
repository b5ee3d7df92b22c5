/** What a profile remembers of a message layout that was accepted once, for one kind of message. */
export interface LayoutPin {
  /** `TypedData.layoutHash` */
  readonly hash: string
  /** Decimals at which amounts in USDC, prices and the leverage were read; null: none was seen yet. */
  readonly usdcScale: number | null
  readonly priceScale: number | null
  readonly leverageScale: number | null
}

export interface RouterEvidence {
  /** From the typed data's domain. */
  readonly candidate: string | null
  /** What the user confirmed for this profile; null: nothing yet. */
  readonly pinned: string | null
  /** What `GET /api/dex/config` and `GET /meta` publish; null where they do not say. */
  readonly publishedByConfig: string | null
  readonly publishedByMeta: string | null
  /** `eth_getCode` on an RPC that is not the service's; null: could not be asked. */
  readonly hasCode: boolean | null
}

export interface RouterDecision {
  readonly state: 'pinned' | 'new' | 'changed'
  readonly candidate: string
  readonly pinned: string | null
  readonly published: string | null
  readonly hasCode: boolean | null
  /** Sentences that speak against the candidate. */
  readonly concerns: readonly string[]
  /** A candidate without code, or other than what is published, cannot be confirmed at all. */
  readonly confirmable: boolean
}

export const sameAddress = (a: string | null | undefined, b: string | null | undefined): boolean =>
  typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase()

const zeroAddress = `0x${'0'.repeat(40)}`

/** Whether a router may be signed for, must be confirmed first, or cannot be (FLOW-01). Null where there is no candidate. */
export function decideRouter(evidence: RouterEvidence): RouterDecision | null {
  const { candidate, pinned, publishedByConfig, publishedByMeta, hasCode } = evidence
  if (candidate === null || !/^0x[0-9a-fA-F]{40}$/.test(candidate)) return null
  const concerns: string[] = []
  if (candidate === zeroAddress) concerns.push('The message names the zero address as its contract.')
  if (hasCode === false) concerns.push(`There is no contract at ${candidate} on Base.`)
  if (publishedByConfig !== null && !sameAddress(publishedByConfig, candidate))
    concerns.push(`The service publishes ${publishedByConfig} as its router in its configuration.`)
  if (publishedByMeta !== null && !sameAddress(publishedByMeta, candidate)) concerns.push(`The service publishes ${publishedByMeta} as its router in /meta.`)
  const state = pinned === null ? 'new' : sameAddress(pinned, candidate) ? 'pinned' : 'changed'
  return { state, candidate, pinned, published: publishedByConfig ?? publishedByMeta, hasCode, concerns, confirmable: concerns.length === 0 }
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
