import type { Comparison, RouterCheck, Spending } from '../../../shared/ipc/intents/signing.ts'

export interface SigningFact {
  readonly label: string
  readonly value: string
  readonly unit: string | null
}

/** A contract in a message. The user must trust the contract before the message can be signed. */
export type NamedContract = 'router' | 'collateral token'

/** A contract that the message names, and the result of the app's check. The user must confirm an untrusted contract. */
export interface ContractCheck {
  readonly what: NamedContract
  readonly check: RouterCheck
}

/** One transaction of an action that needs several. */
export interface SigningStep {
  readonly label: string
  readonly state: 'done' | 'now' | 'next' | 'failed'
  /** A short progress note beside the label, such as "On the chain"; `null` if `state` alone is clear. */
  readonly note: string | null
}

/** The parts of the signing sheet that only a transaction needs. The wallet sends a transaction to the chain itself, and nothing can undo it. */
export interface TransactionPart {
  /** The phrase that the user must type because the app cannot read the transaction's calldata; `null` if none is needed. */
  readonly word: { readonly title: string; readonly text: string; readonly phrase: string } | null
  /** Why the transaction cannot be sent, in one sentence; `null` if nothing prevents sending. */
  readonly obstacle: string | null
  /** All transactions of the action, in sending order; empty if the action has only one transaction. */
  readonly steps: readonly SigningStep[]
  /** Whether another transaction of the same action follows this one. */
  readonly more: boolean
}

/** Everything that the signing sheet shows about one message. Each feature (orders, grants, payments) builds it from main's response. */
export interface SigningMessage {
  readonly thing: 'order' | 'grant' | 'transaction'
  /** The word for what the user signs. */
  readonly subject: 'order' | 'change' | 'cancellation' | 'deposit' | 'withdrawal' | 'payment' | 'grant'
  /** What changes if the user prepares the message again. `new_price`: a new order at the market price of that moment. */
  readonly preparedAgain: 'new_deadline' | 'new_deadline_approved' | 'new_price' | 'new_order' | 'new_grant'
  /** The sheet's title, such as "Open a long on BTC-PERP". */
  readonly title: string
  /** The text under the title while the user compares the message with the request. */
  readonly lead: string
  /** One line about the message and its amount, shown while the app waits for the phone. */
  readonly summary: string
  readonly comparison: Comparison
  readonly facts: readonly SigningFact[]
  readonly contracts: readonly ContractCheck[]
  /** The token allowance that the message grants. `null` if the message grants no allowance, or if `word` already describes it. */
  readonly spending: Spending | null
  /** A note for a wallet that is a smart contract. `null` if the wallet is an ordinary account, or if the app does not know. */
  readonly contractWallet: string | null
  /**
   * How far the market price moved past the limit of a market order, as a signed percentage. `null` if the price is within the limit, or for other
   * orders.
   */
  readonly moved: string | null
  readonly preparedAtMs: number
  readonly deadlineMs: number | null
  readonly requestId: string | null
  readonly intentId: string | null
  /** Unknown fields in the service's response to the prepare call, formatted as in `PreparedOrder`; `null` if there are no such fields. */
  readonly unknownFields: string | null
  /** Set only if the message is a transaction. */
  readonly transaction: TransactionPart | null
}

/** What the user confirmed by hand, in the format that the calls `intents.ask`, `keys.ask` and `agents.ask` accept. */
export interface HandConfirmation {
  readonly typedPhrase: string | null
  readonly typedRouter: string | null
}

/** The fields that most messages leave empty. */
export const noExtras = {
  ...{ facts: [], contracts: [], spending: null, contractWallet: null, moved: null, requestId: null, intentId: null, unknownFields: null, transaction: null },
} satisfies Partial<SigningMessage>

/** A comparison of nothing. Blocks the message. */
export const noComparison: Comparison = {
  ...{ compares: 'message', primaryType: '', lines: [], matched: 0, total: 0, verdict: 'block', asks: null, blocked: null },
  ...{ formatHash: '', formatKnown: false, earlierFormats: [], digest: '', raw: '' },
}
