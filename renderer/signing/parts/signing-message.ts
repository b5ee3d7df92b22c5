import type { Comparison, RouterCheck, Spending } from '../../../shared/ipc/intents/signing.ts'

export interface SigningFact {
  readonly label: string
  readonly value: string
  readonly unit: string | null
}

/** A contract that a message names, and that must be trusted before the message is signed. */
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
  /** A short progress note beside the label, such as "On the chain"; `null` if `state` alone is clear. */
  readonly note: string | null
}

/** What the signing sheet shows only for a transaction. The wallet broadcasts a transaction itself, and nothing can undo it. */
export interface TransactionPart {
  /** The phrase that the user must type because the app cannot read the transaction's calldata; `null` if none is needed. */
  readonly word: { readonly title: string; readonly text: string; readonly phrase: string } | null
  /** Why the transaction cannot be sent as it is, in one sentence; `null` if nothing prevents it. */
  readonly obstacle: string | null
  /** All transactions of the action in the order they are sent; empty if there is only one. */
  readonly steps: readonly SigningStep[]
  /** Whether another transaction follows this one. */
  readonly more: boolean
}

/** Everything the signing sheet shows about one message. Each feature builds it from main's answer. */
export interface SigningMessage {
  readonly thing: 'order' | 'grant' | 'transaction'
  /** What users call the thing being signed. */
  readonly subject: 'order' | 'change' | 'cancellation' | 'deposit' | 'withdrawal' | 'payment' | 'grant'
  /** What the user gets by preparing the message again. `new_price`: a new order at the market price of that moment. */
  readonly preparedAgain: 'new_deadline' | 'new_deadline_approved' | 'new_price' | 'new_order' | 'new_grant'
  /** The sheet's title, such as "Open a long on BTC-PERP". */
  readonly title: string
  /** The text under the title while the message is compared. */
  readonly lead: string
  /** One line that sums up the message with its amount, for the waiting state. */
  readonly summary: string
  readonly comparison: Comparison
  readonly facts: readonly SigningFact[]
  readonly contracts: readonly ContractCheck[]
  /** The token allowance that the message grants; `null` if it grants none, or if the question in `word` already describes it. */
  readonly spending: Spending | null
  /** A note to show if the wallet is a smart contract; `null` if it is not one, or if the app does not know. */
  readonly contractWallet: string | null
  /** How far the price moved beyond the order's limit, in percent with its sign; null if it did not, or if this is no market order. */
  readonly moved: string | null
  readonly preparedAtMs: number
  readonly deadlineMs: number | null
  readonly requestId: string | null
  readonly intentId: string | null
  /** Fields in the service's preparation that the app does not know, formatted as in `PreparedOrder`; `null` without such fields. */
  readonly unknownFields: string | null
  /** Set only if the message is a transaction. */
  readonly transaction: TransactionPart | null
}

/** What the user confirmed manually, in the form that `intents.ask`, `keys.ask` and `agents.ask` accept. */
export interface HandConfirmation {
  readonly typedPhrase: string | null
  readonly typedRouter: string | null
}
