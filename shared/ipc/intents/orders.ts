import { z } from 'zod'
import { command, query } from '../define.ts'
import { UnknownFields } from '../missing.ts'
import { Decimal } from '../reads/markets.ts'
import { accountQueries, movedQueries } from './intent-queries.ts'
import { intentStates } from './intent-states.ts'
import { IntentReason, StepNote } from './reasons.ts'
import { Comparison, RouterCheck, SignRequest, Spending, trial } from './signing.ts'
import { OrderTicket } from './tickets.ts'
import { Title } from './titles.ts'

export const IntentState = z.enum(intentStates)
export type IntentState = z.infer<typeof IntentState>

/**
 * How an intent is executed: a signature for the relay, a signature for a deposit by permit, transactions that the wallet sends, or a key's
 * executor. Decided by the `mode` in the service's answer, and never by the action's name (ORD-11).
 */
export const ExecutionMethod = z.enum(['signed_intent', 'permit_deposit', 'transactions', 'executor'])
export type ExecutionMethod = z.infer<typeof ExecutionMethod>

/** The fill of an order, as decimal text. A value is null if the service did not state it. */
export const Fill = z.object({
  /** The price in USDC, already formatted with the decimals of its market. */
  price: z.string().nullable(),
  size: Decimal.nullable(),
  /** The unit of the size, such as `BTC`; null if the market is unknown. */
  base: z.string().nullable(),
  feeUsdc: Decimal.nullable(),
  /** The realised profit or loss. Absent if the order closed nothing. */
  realisedPnlUsdc: Decimal.nullable().optional(),
})
export type Fill = z.infer<typeof Fill>

export const Intent = z.object({
  /** This app's own reference for the intent, created before anything is sent. */
  ref: z.string(),
  intentId: z.string().nullable(),
  action: z.string(),
  wallet: z.string(),
  title: Title,
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']).nullable(),
  /** The execution method; null if the service prepared nothing. */
  way: ExecutionMethod.nullable(),
  state: IntentState,
  /** Why the intent ended or waits; null if `state` alone explains it. */
  reason: IntentReason.nullable(),
  txHash: z.string().nullable(),
  /** The id for `/executions/{command_id}`, if an executor executes the intent. */
  commandId: z.string().nullable(),
  confirmations: z.number().nullable(),
  /** The finality of the transaction: a documented value, or otherwise the value that the service sent. */
  finality: z.string().nullable(),
  /** What a final order traded. Absent if the app has not seen its trades. */
  fill: Fill.optional(),
  /** The state of a final batch in the service's words, for example `executed`. Absent for other intents, and if the app has not read it. */
  batchState: z.string().optional(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  deadlineMs: z.number().nullable(),
  /** true: the app stored a signature but did not send it. The user must decide whether the app relays or discards it. */
  unsentSignature: z.boolean(),
})
export type Intent = z.infer<typeof Intent>

/** The state of one transaction of an intent. `waiting`: the request has not been sent to the wallet yet. */
export const TransactionState = z.enum(['waiting', 'asked', 'submitted', 'confirming', 'final', 'reverted', 'unknown', 'cancelled'])
export type TransactionState = z.infer<typeof TransactionState>

/** One transaction of a prepared action. The app has decoded it and compared it with the request (FLOW-03). */
export const PreparedTransaction = z.object({
  /** Index in sending order, starting at 0. */
  index: z.number().int(),
  /** The kind in the service's words, for example `approval`. */
  kind: z.string().nullable(),
  contract: z.enum(['router', 'USDC', 'own', 'unknown']),
  /** The contract function that the transaction calls, for example `approve(address,uint256)`; null: the app cannot decode it. */
  signature: z.string().nullable(),
  comparison: Comparison,
  /** The allowance that the transaction grants; null if it does not allow a contract to transfer tokens later. */
  spending: Spending.nullable(),
  /** Phrase that the user must type before the app sends the transaction; null if none. */
  expectedPhrase: z.string().nullable(),
  ...trial,
  state: TransactionState,
  txHash: z.string().nullable(),
  confirmations: z.number().nullable(),
  reason: IntentReason.nullable(),
})
export type PreparedTransaction = z.infer<typeof PreparedTransaction>

export const PreparedOrder = z.object({
  intent: Intent,
  ready: z.boolean(),
  status: z.string(),
  mode: z.string().nullable(),
  /** Why there is nothing for the user to approve, with the service's own message. */
  reason: z.object({ why: IntentReason, raw: z.string() }).nullable(),
  idempotentReplay: z.boolean(),
  /** The comparison of the request with what the user approves next: a message or a transaction. */
  comparison: Comparison.nullable(),
  /** Whether the wallet is a smart contract, which checks signatures itself (ERC-1271). null: unknown, because the RPC server did not answer. */
  contractWallet: z.boolean().nullable(),
  /** The token allowance that the message grants; null if it grants none. */
  spending: Spending.nullable(),
  /** A phrase that the user must type before signing; null if none is needed. A new signing format needs a separate phrase. */
  expectedPhrase: z.string().nullable(),
  /** Transactions for the wallet to send, in this order. Empty if the wallet signs a message instead. */
  transactions: z.array(PreparedTransaction),
  /** The index of the transaction to send next; null if none is left. */
  next: z.number().int().nullable(),
  /** The router contract in the message; null if the message contains no router. The user must confirm a router that is not trusted yet. */
  router: RouterCheck.nullable(),
  /** The token contract that a transaction calls or that a permit concerns, with the evidence that it is genuine; null if there is none. */
  token: RouterCheck.nullable(),
  costs: z.array(z.object({ kind: z.enum(['network', 'trading_fee']), amount: Decimal.nullable(), unit: z.string() })),
  /** The liquidation price in the service's simulation, formatted; null if the simulation states none. */
  liquidation: z.string().nullable(),
  deadlineMs: z.number().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** Unknown fields in the service's answer and in its `execution` part, as JSON text. */
  unknownFields: UnknownFields,
})
export type PreparedOrder = z.infer<typeof PreparedOrder>

/** What the chain shows about a transaction of a contract wallet, if the app does not know whether the transaction was sent. */
export const SendingEvidence = z.object({
  /** Transactions with exactly the expected effect on the wallet, in blocks after `fromBlock` up to `upTo`. */
  hashes: z.array(z.string()),
  fromBlock: z.number().int(),
  upTo: z.number().int(),
  /**
   * true: the app's request to the phone has expired, so the phone can no longer send the transaction. But the contract wallet may still execute it.
   */
  over: z.boolean(),
})
export type SendingEvidence = z.infer<typeof SendingEvidence>

/** What the service and the account show about an order of unknown outcome. The app's own journal contains further facts. */
export const OrderEvidence = z.object({
  /**
   * The order in the service's list of intents; null if the order has no intent id. `read` false: the list was unreadable. `state`: the order's
   * state in the service's words; null if the order is not in the list.
   */
  listed: z.object({ read: z.boolean(), state: z.string().nullable() }).nullable(),
  /** Where the account shows the order's client order id: among the trades, among the orders, or nowhere. `unread`: the lists were unreadable. */
  shownAs: z.enum(['trade', 'order', 'nothing', 'unread']),
  /**
   * The account's current positions in the order's market, on the order's side if the order has one. Sizes are in base units. null: not read, or the
   * order has no market.
   */
  positions: z.array(z.object({ side: z.enum(['long', 'short']), size: Decimal.nullable() })).nullable(),
  /** Until this time (Unix ms), the order may still be executed. null: no limit, because the signed message does not expire. */
  usableUntilMs: z.number().nullable(),
  /** From this time (Unix ms) on, the user can declare the order's outcome with `intents.resolve`. */
  resolvableFromMs: z.number(),
  /** true: the user allowed new orders although the outcome of this order is still unknown. */
  passed: z.boolean(),
})
export type OrderEvidence = z.infer<typeof OrderEvidence>

export const TimelineEntry = z.object({ state: IntentState, atMs: z.number(), note: StepNote.nullable() })

export const RequestRecord = z.object({
  id: z.string(),
  atMs: z.number(),
  method: z.string(),
  /** The request's path, including ids. The query is left out, because it may contain a secret. */
  path: z.string(),
  endpoint: z.string(),
  status: z.number().nullable(),
  ms: z.number(),
  requestId: z.string().nullable(),
  outcome: z.string(),
  attempt: z.number(),
  intentRef: z.string().nullable(),
  /**
   * The host that received the request, with a non-default port. `second`: this was not the profile's main host (GEN-02). null: the request was
   * logged before the app recorded hosts.
   */
  host: z.object({ name: z.string(), second: z.boolean() }).nullable(),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** An action on a position or an order, from the request to the wallet until its outcome is known. */
export const Underway = z.object({
  ref: z.string(),
  action: z.string(),
  /** The position that the action changes; null if the action changes an order. Exactly one of `positionId` and `orderId` is set. */
  positionId: z.string().nullable(),
  orderId: z.string().nullable(),
  state: IntentState,
})
export type Underway = z.infer<typeof Underway>

const moves = { invalidates: [...movedQueries, ...accountQueries, 'audit.list'] } as const

/** Calls for actions of every execution method. The app prepares each action, sends it for signing or execution, and tracks it. */
export const intents = {
  /** Stores the intent in the journal, then asks the service to prepare it. Executes nothing. */
  'intents.prepare': command(OrderTicket, PreparedOrder, moves),
  /** Returns the prepared message or transactions after checking them again, with the current state of the intent. */
  'intents.prepared': query(z.object({ ref: z.string() }), PreparedOrder, 'wallet'),
  /** Ends the earlier intent and prepares the same order again with new idempotency keys. A market order uses the new reference price. */
  'intents.reprice': command(z.object({ ref: z.string(), referencePrice: Decimal }), PreparedOrder, moves),
  /**
   * Approves the next step and returns what the wallet must sign or send. `typedPhrase`: what the user typed to confirm a new signing format or to
   * match `expectedPhrase`. `typedRouter`: "yes" if the user confirmed new contracts with a click. If a trusted contract changed, the full new
   * address that the user typed; several addresses are separated by a space.
   */
  'intents.ask': command(z.object({ ref: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, {
    // `profiles.list` is stale too: if the user confirmed a router, the profile now stores it as trusted.
    invalidates: [...moves.invalidates, 'profiles.list'],
  }),
  /** Records the ids of the request that the wallet library sent. With these ids, the app can match a late response to the intent. */
  'intents.asked': command(z.object({ ref: z.string(), topic: z.string(), requestId: z.string() }), z.object({}), moves),
  /** Passes on the wallet's response: a signature, or the hash of the transaction that the wallet broadcast. */
  'intents.answered': command(z.object({ ref: z.string(), answer: z.string().max(65_536) }), Intent, moves),
  'intents.declined': command(
    z.object({ ref: z.string(), why: z.enum(['rejected', 'expired', 'cancelled', 'unreachable', 'failed']), detail: z.string().max(500).nullable() }),
    Intent,
    moves,
  ),
  /** Sends or discards a signature that was stored before a restart. */
  'intents.resume': command(z.object({ ref: z.string(), action: z.enum(['relay', 'drop']) }), Intent, moves),
  /** Returns the evidence about an UNKNOWN order, for every execution method. */
  'intents.unknown': query(z.object({ ref: z.string() }), OrderEvidence, 'wallet'),
  /**
   * Records what the user declares about an UNKNOWN order. Either ends the order, or (`pass`) allows new orders although the outcome remains
   * unknown. Fails with `too_early` before `resolvableFromMs`, and with `contradicted` if the account shows the opposite.
   */
  'intents.resolve': command(z.object({ ref: z.string(), outcome: z.enum(['carried_out', 'not_carried_out', 'pass']) }), Intent, moves),
  /** Reads the outcome of an UNKNOWN intent from the service again, now. */
  'intents.lookUp': command(z.object({ ref: z.string() }), Intent, moves),
  /**
   * Returns what the chain shows about a contract wallet's transaction of unknown outcome. null: the outcome is known, the wallet is not a contract,
   * or the RPC server did not answer.
   */
  'intents.evidence': query(z.object({ ref: z.string() }), z.object({ evidence: SendingEvidence.nullable() }), 'wallet'),
  /** Ends an intent whose transaction has an unknown outcome but can no longer be sent by the phone. The user confirms by typing `not sent`. */
  'intents.notSent': command(z.object({ ref: z.string(), typed: z.string().max(64) }), Intent, moves),
  'intents.list': query(
    z.object({ beforeMs: z.number().nullable(), limit: z.number().int().min(1).max(200) }),
    z.object({ intents: z.array(Intent), total: z.number() }),
    'wallet',
  ),
  /** Returns the unfinished actions of the shown wallet, newest first. */
  'intents.underway': query(z.object({}), z.object({ underway: z.array(Underway) }), 'wallet'),
  'intents.get': query(
    z.object({ ref: z.string() }),
    z.object({
      intent: Intent,
      timeline: z.array(TimelineEntry),
      requests: z.array(RequestRecord),
      payload: z.string().nullable(),
      typedData: z.string().nullable(),
      /** Unknown fields in the service's answer, as JSON text. */
      unknownFields: UnknownFields,
    }),
    'wallet',
  ),
} as const
