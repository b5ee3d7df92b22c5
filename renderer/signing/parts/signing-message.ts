import type { Comparison, RouterCheck, Spending } from '../../../shared/ipc/intents/signing.ts'

export interface SigningFact {
  readonly label: string
  readonly value: string
  readonly unit: string | null
}

/** A contract that a message names, and that has to be pinned before it is signed for. */
export type NamedContract = 'router' | 'collateral token'

/** A contract and the findings about it. An untrusted one needs confirmation. */
export interface ContractCheck {
  readonly what: NamedContract
  readonly check: RouterCheck
}

/** One of several transactions of the same action. */
export interface SigningStep {
  readonly label: string
  readonly state: 'done' | 'now' | 'next' | 'failed'
  /** Where it is, in a few words; `null` if its state says enough. */
  readonly note: string | null
}

/** What only a transaction has: the wallet broadcasts it itself, and the chain takes nothing back. */
export interface TransactionPart {
  /** Typed because of what it does; null where nothing must be. */
  readonly word: { readonly title: string; readonly text: string; readonly phrase: string } | null
  /** Why it cannot be sent as it is, in a sentence; null where nothing is in the way. */
  readonly obstacle: string | null
  /** All of them in the order in which they are sent; empty where it is the only one. */
  readonly steps: readonly SigningStep[]
  /** Another one follows it. */
  readonly more: boolean
}

/** Everything the sheet shows about one message. Made by the feature, from what main answered. */
export interface SigningMessage {
  readonly thing: 'order' | 'grant' | 'transaction'
  /** What a person calls it. */
  readonly subject: 'order' | 'change' | 'cancellation' | 'deposit' | 'withdrawal' | 'payment' | 'grant'
  /** What comes of preparing it once more. `new_price`: it is a new order at the price of that time. */
  readonly preparedAgain: 'new_deadline' | 'new_deadline_approved' | 'new_price' | 'new_order' | 'new_grant'
  /** "Open a long on BTC-PERP". */
  readonly title: string
  /** Under the title while it is compared. */
  readonly lead: string
  /** The same in one line for the waiting state, with its amount. */
  readonly summary: string
  readonly comparison: Comparison
  readonly facts: readonly SigningFact[]
  readonly contracts: readonly ContractCheck[]
  /** The right to take tokens that it gives; null: none, or `word` says it. */
  readonly spending: Spending | null
  /** Shown for a contract wallet; `null` if it is none or unknown. */
  readonly contractWallet: string | null
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

/** What the user confirmed by hand, as `intents.ask`, `keys.ask` and `agents.ask` take it. */
export interface HandConfirmation {
  readonly typedPhrase: string | null
  readonly typedRouter: string | null
}
