/** The facts about a profile that its services need. Each profile has its own set of services. */
export interface ProfileFacts {
  readonly id: string
  readonly kind: 'practice' | 'live'
  /** The profile's `{host_url}` without a trailing slash. */
  readonly hostUrl: string
  /** The only wallet that can be paired in practice mode; null for a live profile. */
  readonly practiceWallet: string | null
  /** The contracts that practice mode itself deployed, so the user need not confirm them. Missing for a live profile. */
  readonly practiceContracts?: { readonly router: string; readonly usdc: string; readonly svc: string }
}

/** The chain id of Base mainnet (API document: “What the service does”, 1). */
export const baseChainId = 8453
