/** What the domain services need to know of the profile that they were made for. One set of services per profile. */
export interface ProfileFacts {
  readonly id: string
  readonly kind: 'practice' | 'live'
  /** `{host_url}`, without a trailing slash. */
  readonly hostUrl: string
  /** The only wallet that practice pairs; null on a live profile. */
  readonly practiceWallet: string | null
}

/** Base mainnet (What the service does 1). */
export const baseChainId = 8453
