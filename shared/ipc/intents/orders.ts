import { z } from 'zod'
import { command, query } from '../define.ts'
import { UnknownFields } from '../missing.ts'
import { Decimal } from '../reads/markets.ts'
import { accountQueries, movedQueries } from './intent-queries.ts'
import { intentStates } from './intent-states.ts'
import { IntentReason, StepNote } from './reasons.ts'
import { Comparison, RouterCheck, SignRequest, Spending } from './signing.ts'
import { OrderTicket } from './tickets.ts'
import { Title } from './titles.ts'

export const IntentState = z.enum(intentStates)
export type IntentState = z.infer<typeof IntentState>

/**
 * The execution method of an intent, decided by the mode of its preparation and never by the name of its action (ORD-11): a signature for the relay,
 * a signature for a deposit by permit, transactions that the wallet sends, or the executor of a key.
 */
export const ExecutionMethod = z.enum(['signed_intent', 'permit_deposit', 'transactions', 'executor'])
export type ExecutionMethod = z.infer<typeof ExecutionMethod>

export const Intent = z.object({
  /** This app's own reference, created before the app sends anything. */
  ref: z.string(),
  intentId: z.string().nullable(),
  action: z.string(),
  wallet: z.string(),
  title: Title,
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']).nullable(),
  /** null if the service prepared nothing. */
  way: ExecutionMethod.nullable(),
  state: IntentState,
  /** Why the intent ended or waits; null if the state is enough. */
  reason: IntentReason.nullable(),
  txHash: z.string().nullable(),
  /** For execution by an executor: the id for `/executions/{command_id}`. */
  commandId: z.string().nullable(),
  confirmations: z.number().nullable(),
  /** The finality of the transaction, in the service's word if it is not a documented value. */
  finality: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  deadlineMs: z.number().nullable(),
  /** The app stored a signature that it did not send: the user decides whether to relay or drop it. */
  unsentSignature: z.boolean(),
})
export type Intent = z.infer<typeof Intent>

/** The state of one transaction of an intent. `waiting`: the app has not asked the wallet for it yet. */
export const TransactionState = z.enum(['waiting', 'asked', 'submitted', 'confirming', 'final', 'reverted', 'unknown', 'cancelled'])
export type TransactionState = z.infer<typeof TransactionState>

/** One transaction of a prepared action, decoded by this app and compared with the request (FLOW-03). */
export const PreparedTransaction = z.object({
  /** Index in sending order, starting at 0. */
  index: z.number().int(),
  /** The kind in the service's word, for example `approval`. */
  kind: z.string().nullable(),
  contract: z.enum(['router', 'USDC', 'own', 'unknown']),
  /** The contract function that the transaction calls, for example `approve(address,uint256)`; null: the app cannot decode it. */
  signature: z.string().nullable(),
  comparison: Comparison,
  /** Set if the transaction allows a contract to transfer tokens later. */
  spending: Spending.nullable(),
  /** Phrase that the user must type before the app sends the transaction; null if none. */
  expectedPhrase: z.string().nullable(),
  /** skipped: the RPC did not answer, the transaction is blocked, or an earlier one must be on the chain first. */
  simulation: z.object({ outcome: z.enum(['works', 'reverts', 'skipped']), reason: z.string().nullable() }),
  /** Network fee in ETH at current fees, and the wallet's balance; null if the RPC did not provide them. */
  gas: z.object({ costEth: Decimal, balanceEth: Decimal, enough: z.boolean() }).nullable(),
  state: TransactionState,
  txHash: z.string().nullable(),
  confirmations: z.number().nullable(),
  reason: IntentReason.nullable(),
})
export type PreparedTransaction = z.infer<typeof PreparedTransaction>

/** A figure of the service's simulation. Margin and fee are in USDC, used margin in percent. */
const SimulatedKind = z.enum(['entry', 'liquidation', 'margin', 'margin_used_before', 'margin_used_after', 'health_before', 'health_after', 'fee'])

export const PreparedOrder = z.object({
  intent: Intent,
  ready: z.boolean(),
  status: z.string(),
  mode: z.string().nullable(),
  /** Why there is nothing to approve, and the service's own message. */
  reason: z.object({ why: IntentReason, raw: z.string() }).nullable(),
  idempotentReplay: z.boolean(),
  /** The comparison for what the user approves next: the message or a transaction. */
  comparison: Comparison.nullable(),
  /** Whether the wallet address holds code; the contract then checks signatures (ERC-1271). null: the RPC did not answer. */
  contractWallet: z.boolean().nullable(),
  /** The token allowance that the message grants; null if it grants none. */
  spending: Spending.nullable(),
  /** A phrase that the user must type before signing. Confirming a new signing format needs its own phrase as well. null: no phrase is needed. */
  expectedPhrase: z.string().nullable(),
  /** Transactions for the wallet to send, in this order. Empty if the wallet signs a message instead. */
  transactions: z.array(PreparedTransaction),
  /** The index of the transaction to send next; null if none is left. */
  next: z.number().int().nullable(),
  /** The router contract that the message names; null if it names none. If the app does not trust the router yet, the user must confirm it first. */
  router: RouterCheck.nullable(),
  /** The token contract that a transaction calls or a permit is for, with the evidence that it is genuine; null: none. */
  token: RouterCheck.nullable(),
  costs: z.array(z.object({ kind: z.enum(['network', 'trading_fee']), amount: Decimal.nullable(), unit: z.string() })),
  simulation: z.array(z.object({ kind: SimulatedKind, value: z.string() })),
  deadlineMs: z.number().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** Fields in the service's preparation and in its `execution` that this app does not know, as JSON text. */
  unknownFields: UnknownFields,
})
export type PreparedOrder = z.infer<typeof PreparedOrder>

/** What the chain shows about a transaction of a contract wallet that may or may not have been sent. */
export const SendingEvidence = z.object({
  /** Transactions with exactly the expected effect on the wallet, in blocks after `fromBlock` up to `upTo`. */
  hashes: z.array(z.string()),
  fromBlock: z.number().int(),
  upTo: z.number().int(),
  /** true: the phone can no longer send the transaction, because the app's request to it is too old. The contract wallet itself still might. */
  over: z.boolean(),
})
export type SendingEvidence = z.infer<typeof SendingEvidence>

/** What the service and the account show about an order whose outcome is UNKNOWN, in addition to the app's own journal. */
export const OrderEvidence = z.object({
  /**
   * The order in the service's list of intents; null: the service gave the order no intent id. `read` false: the app could not read the list.
   * `state`: the service's word for the order's state; null: the list does not contain the order.
   */
  listed: z.object({ read: z.boolean(), state: z.string().nullable() }).nullable(),
  /** Where the app found the order's client order id: among the trades or the orders, or nowhere. `unread`: the app could not read the lists. */
  shownAs: z.enum(['trade', 'order', 'nothing', 'unread']),
  /**
   * The account's current positions in the order's market. If the order has a side, only those on that side. Size in base units. null: not
   * read, or the order has no market.
   */
  positions: z.array(z.object({ side: z.enum(['long', 'short']), size: Decimal.nullable() })).nullable(),
  /** The order may still be executed until this time (Unix ms). null: the order's signed message does not expire. */
  usableUntilMs: z.number().nullable(),
  /** From this time (Unix ms) on, `intents.resolve` accepts the user's decision about the order's outcome. */
  resolvableFromMs: z.number(),
  /** true: the user allowed new orders although the outcome of this one is still unknown. */
  passed: z.boolean(),
})
export type OrderEvidence = z.infer<typeof OrderEvidence>

export const TimelineEntry = z.object({ state: IntentState, atMs: z.number(), note: StepNote.nullable() })

export const RequestRecord = z.object({
  id: z.string(),
  atMs: z.number(),
  method: z.string(),
  /** The request's path, including ids. It leaves out the query, which may contain a secret. */
  path: z.string(),
  endpoint: z.string(),
  status: z.number().nullable(),
  ms: z.number(),
  requestId: z.string().nullable(),
  outcome: z.string(),
  attempt: z.number(),
  intentRef: z.string().nullable(),
  /**
   * The host that received the request, including a non-default port. `second`: not the profile's main host (GEN-02). null: sent before the app
   * recorded hosts.
   */
  host: z.object({ name: z.string(), second: z.boolean() }).nullable(),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** An action on a position or an order, from the request to the wallet until its outcome is known. */
export const Underway = z.object({
  ref: z.string(),
  action: z.string(),
  /** The position or the order that the action is about: exactly one of the two ids is set. */
  positionId: z.string().nullable(),
  orderId: z.string().nullable(),
  state: IntentState,
})
export type Underway = z.infer<typeof Underway>

const moves = { invalidates: [...movedQueries, ...accountQueries, 'audit.list'] } as const

/** Actions that the app prepares, sends for signing or execution, and tracks, for every execution method. */
export const intents = {
  /** Journals the intent, then asks the service to prepare it. Executes nothing. */
  'intents.prepare': command(OrderTicket, PreparedOrder, moves),
  /** Returns the preparation, checked again, with the current state of its intent and transactions. */
  'intents.prepared': query(z.object({ ref: z.string() }), PreparedOrder, 'wallet'),
  /** Ends the earlier intent and prepares the same order again with new idempotency keys. A market order uses the new reference price. */
  'intents.reprice': command(z.object({ ref: z.string(), referencePrice: Decimal }), PreparedOrder, moves),
  /**
   * Approves the next step and returns it for the wallet: the message to sign, or the next transaction. `typedPhrase`: what the user typed to confirm
   * a new signing format or to match `expectedPhrase`. `typedRouter`: how the user confirmed contracts. If a trusted contract changed, this is the
   * full new address (two addresses separated by a space if two changed); otherwise it is "yes" from a click.
   */
  'intents.ask': command(z.object({ ref: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, {
    // `profiles.list` changes too, because the profile stores a router that the user confirmed as trusted.
    invalidates: [...moves.invalidates, 'profiles.list'],
  }),
  /** Records the ids of the request that the wallet library sent, so that the app can match a late response to its intent. */
  'intents.asked': command(z.object({ ref: z.string(), topic: z.string(), requestId: z.string() }), z.object({}), moves),
  /** Passes on the wallet's response: a signature, or the hash of the transaction that the wallet broadcast. */
  'intents.answered': command(z.object({ ref: z.string(), answer: z.string().max(65_536) }), Intent, moves),
  'intents.declined': command(
    z.object({ ref: z.string(), why: z.enum(['rejected', 'expired', 'cancelled', 'unreachable', 'failed']), detail: z.string().max(500).nullable() }),
    Intent,
    moves,
  ),
  /** After a restart: sends the stored signature, or discards it. */
  'intents.resume': command(z.object({ ref: z.string(), action: z.enum(['relay', 'drop']) }), Intent, moves),
  /** Evidence about an UNKNOWN order, regardless of its execution method. */
  'intents.unknown': query(z.object({ ref: z.string() }), OrderEvidence, 'wallet'),
  /**
   * Records the user's decision about an UNKNOWN order: either ends it, or stops new orders from waiting for it. Fails with `too_early` before
   * `resolvableFromMs`, and with `contradicted` if the account shows the opposite.
   */
  'intents.resolve': command(z.object({ ref: z.string(), outcome: z.enum(['carried_out', 'not_carried_out', 'pass']) }), Intent, moves),
  /** Looks an UNKNOWN intent up again now. */
  'intents.lookUp': command(z.object({ ref: z.string() }), Intent, moves),
  /**
   * What the chain shows about a contract wallet's transaction with an unknown outcome. null: the outcome is known, the wallet is not a contract, or
   * the RPC did not respond.
   */
  'intents.evidence': query(z.object({ ref: z.string() }), z.object({ evidence: SendingEvidence.nullable() }), 'wallet'),
  /** Ends an intent whose lost transaction the phone can no longer send. The user confirms by typing `not sent`. */
  'intents.notSent': command(z.object({ ref: z.string(), typed: z.string().max(64) }), Intent, moves),
  'intents.list': query(
    z.object({ beforeMs: z.number().nullable(), limit: z.number().int().min(1).max(200) }),
    z.object({ intents: z.array(Intent), total: z.number() }),
    'wallet',
  ),
  /** Actions in progress of the shown wallet, newest first. */
  'intents.underway': query(z.object({}), z.object({ underway: z.array(Underway) }), 'wallet'),
  'intents.get': query(
    z.object({ ref: z.string() }),
    z.object({
      intent: Intent,
      timeline: z.array(TimelineEntry),
      requests: z.array(RequestRecord),
      payload: z.string().nullable(),
      typedData: z.string().nullable(),
      /** Fields of the service's preparation that this app does not know, as JSON text. */
      unknownFields: UnknownFields,
    }),
    'wallet',
  ),
} as const
