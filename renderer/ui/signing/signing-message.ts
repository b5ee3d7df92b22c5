import type { PreparedOrder } from '../../../shared/ipc/orders.ts'
import type { Comparison } from '../../../shared/ipc/signing.ts'

/** What speaks for a router. `looked` is false where nobody asked the service or the chain about it, so that nothing may be claimed. */
export type RouterQuestion = NonNullable<PreparedOrder['router']> & { readonly looked: boolean }

export interface SigningFact {
  readonly label: string
  readonly value: string
  readonly unit: string | null
}

/** Everything the sheet shows about one message. Made by the feature, from what main answered. */
export interface SigningMessage {
  readonly thing: 'order' | 'grant'
  /** "Open a long on BTC-PERP". */
  readonly title: string
  /** Under the title while it is compared. */
  readonly lead: string
  /** The same in one line for the waiting state, with its amount. */
  readonly summary: string
  readonly comparison: Comparison
  readonly facts: readonly SigningFact[]
  readonly router: RouterQuestion | null
  /** How far the price went beyond what the order allows, in percent with its sign; null for all else. */
  readonly moved: string | null
  readonly preparedAtMs: number
  readonly deadlineMs: number | null
  readonly requestId: string | null
  readonly intentId: string | null
}

/** What the user confirmed by hand, as `orders.ask` and `keys.ask` take it. */
export interface HandConfirmation {
  readonly typedPhrase: string | null
  readonly typedRouter: string | null
}
