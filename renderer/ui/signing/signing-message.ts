import type { Comparison, RouterCheck } from '../../../shared/ipc/signing.ts'

export interface SigningFact {
  readonly label: string
  readonly value: string
  readonly unit: string | null
}

/** A contract that a message names, and that has to be pinned before it is signed for. */
export type NamedContract = 'router' | 'collateral token'

/** What only a transaction has: the wallet broadcasts it itself, and the chain takes nothing back. */
export interface TransactionPart {
  /** What `router` is the check of: the contract that is called. */
  readonly contract: NamedContract
  /** The router that gets an allowance beside it; null where none is given. */
  readonly spender: RouterCheck | null
  /** Typed because of what it does; null where nothing must be. */
  readonly word: { readonly title: string; readonly text: string; readonly phrase: string } | null
  /** Why it cannot be sent as it is, in a sentence; null where nothing is in the way. */
  readonly obstacle: string | null
}

/** Everything the sheet shows about one message. Made by the feature, from what main answered. */
export interface SigningMessage {
  readonly thing: 'order' | 'grant' | 'transaction'
  /** "Open a long on BTC-PERP". */
  readonly title: string
  /** Under the title while it is compared. */
  readonly lead: string
  /** The same in one line for the waiting state, with its amount. */
  readonly summary: string
  readonly comparison: Comparison
  readonly facts: readonly SigningFact[]
  readonly router: RouterCheck | null
  /** How far the price went beyond what the order allows, in percent with its sign; null for all else. */
  readonly moved: string | null
  readonly preparedAtMs: number
  readonly deadlineMs: number | null
  readonly requestId: string | null
  readonly intentId: string | null
  /** Of the preparation, as `PreparedOrder` has them. */
  readonly unknownFields: string | null
  /** Set for a transaction only. */
  readonly transaction: TransactionPart | null
}

/** What the user confirmed by hand, as `orders.ask`, `keys.ask` and `agents.askPayment` take it. */
export interface HandConfirmation {
  readonly typedPhrase: string | null
  readonly typedRouter: string | null
}
