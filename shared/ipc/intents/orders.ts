import { z } from 'zod'
import { command, query } from '../define.ts'
import { UnknownFields } from '../missing.ts'
import { Decimal } from '../reads/markets.ts'
import { accountQueries, movedQueries } from './intent-queries.ts'
import { intentStates } from './intent-states.ts'
import { IntentReason, StepNote } from './reasons.ts'
import { Comparison, RouterCheck, SignRequest, Spending } from './signing.ts'
import { OrderTicket } from './tickets.ts'

export const IntentState = z.enum(intentStates)
export type IntentState = z.infer<typeof IntentState>

/**
 * How an intent is carried out, by the mode of its preparation and never by its action's name (ORD-11): a signature for the relay, one for a
 * deposit by permit, transactions that the wallet sends, or the executor of a key.
 */
export const Way = z.enum(['signed_intent', 'permit_deposit', 'transactions', 'executor'])
export type Way = z.infer<typeof Way>

export const Intent = z.object({
  /** This app's own reference, made before anything was sent. */
  ref: z.string(),
  intentId: z.string().nullable(),
  action: z.string(),
  wallet: z.string(),
  /** For example "Long 250.00 USDC at market". */
  title: z.string(),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']).nullable(),
  /** null: nothing was prepared. */
  way: Way.nullable(),
  state: IntentState,
  /** Why it ended or waits; null where the state says it all. */
  reason: IntentReason.nullable(),
  txHash: z.string().nullable(),
  /** Of an execution by an executor: what `/executions/{command_id}` is asked for. */
  commandId: z.string().nullable(),
  confirmations: z.number().nullable(),
  /** Shown as the service said it when it is none of the documented values. */
  finality: z.string().nullable(),
  createdAtMs: z.number(),
  updatedAtMs: z.number(),
  deadlineMs: z.number().nullable(),
  /** A signature is kept and was not sent: the user decides (relay or drop). */
  unsentSignature: z.boolean(),
})
export type Intent = z.infer<typeof Intent>

/** Where one transaction of an intent stands. `waiting`: the wallet was not asked for it yet. */
export const TransactionState = z.enum(['waiting', 'asked', 'submitted', 'confirming', 'final', 'reverted', 'unknown', 'cancelled'])
export type TransactionState = z.infer<typeof TransactionState>

/** One transaction of a prepared action, read by this app and held against what was asked for (FLOW-03). */
export const PreparedTransaction = z.object({
  /** From 0, in the order in which they are sent. */
  index: z.number().int(),
  /** As the service calls it, for example `approval`. */
  kind: z.string().nullable(),
  contract: z.enum(['router', 'USDC', 'own', 'unknown']),
  /** For example `approve(address,uint256)`; null: it cannot be read. */
  signature: z.string().nullable(),
  comparison: Comparison,
  /** Set where it lets a contract take tokens later. */
  spending: Spending.nullable(),
  /** Words to type before it is sent; null: none. */
  expectedPhrase: z.string().nullable(),
  /** skipped: the RPC did not answer, it is blocked, or one before it must be on the chain first. */
  simulation: z.object({ outcome: z.enum(['works', 'reverts', 'skipped']), reason: z.string().nullable() }),
  /** Network fee in ETH at the fees of now, and what the wallet has; null: the RPC could not tell. */
  gas: z.object({ costEth: Decimal, balanceEth: Decimal, enough: z.boolean() }).nullable(),
  state: TransactionState,
  txHash: z.string().nullable(),
  confirmations: z.number().nullable(),
  reason: IntentReason.nullable(),
})
export type PreparedTransaction = z.infer<typeof PreparedTransaction>

/** What a simulation of the service says. The margin and the fee are in USDC, what is used of the margin in percent. */
const SimulatedKind = z.enum(['entry', 'liquidation', 'margin', 'margin_used_before', 'margin_used_after', 'health_before', 'health_after', 'fee'])

export const PreparedOrder = z.object({
  intent: Intent,
  ready: z.boolean(),
  status: z.string(),
  mode: z.string().nullable(),
  /** Why there is nothing to agree to, and what the service said. */
  reason: z.object({ why: IntentReason, raw: z.string() }).nullable(),
  idempotentReplay: z.boolean(),
  /** What is to be agreed to now: the message, or the transaction that is sent next. */
  comparison: Comparison.nullable(),
  /** Whether code stands at the wallet's address, whose signatures are checked with it (ERC-1271); null: the RPC did not answer. */
  contractWallet: z.boolean().nullable(),
  /** The right that it gives to take tokens; null: none. */
  spending: Spending.nullable(),
  /** Words to type besides those for a layout; null: none. */
  expectedPhrase: z.string().nullable(),
  /** In the order in which they are sent; empty where a signature is asked for. */
  transactions: z.array(PreparedTransaction),
  /** Which of them is sent next; null: none, or none is left. */
  next: z.number().int().nullable(),
  /** The router that the message names; null where it names none. Unless it is pinned it must be confirmed before signing. */
  router: RouterCheck.nullable(),
  /** The token contract that is called or signed for, and what speaks for it; null where there is none. */
  token: RouterCheck.nullable(),
  costs: z.array(z.object({ kind: z.enum(['network', 'trading_fee']), amount: Decimal.nullable(), unit: z.string() })),
  simulation: z.array(z.object({ kind: SimulatedKind, value: z.string() })),
  deadlineMs: z.number().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** Of the preparation and of its `execution`. */
  unknownFields: UnknownFields,
})
export type PreparedOrder = z.infer<typeof PreparedOrder>

/** What the chain shows of a contract wallet's transaction of which nobody knows whether it was sent. */
export const SendingEvidence = z.object({
  /** Transactions with exactly its effect for the wallet, in blocks after `fromBlock` up to `upTo`. */
  hashes: z.array(z.string()),
  fromBlock: z.number().int(),
  upTo: z.number().int(),
  /** No request to the phone can bring it any more; the contract still might. */
  over: z.boolean(),
})
export type SendingEvidence = z.infer<typeof SendingEvidence>

/** What is known of an UNKNOWN order, beside its journal. */
export const OrderEvidence = z.object({
  /** Among the intents of the service; `state` as it writes it, null: not there. null: it has no id there. */
  listed: z.object({ read: z.boolean(), state: z.string().nullable() }).nullable(),
  /** By its own client order id. `unread`: the lists could not be read. */
  shownAs: z.enum(['trade', 'order', 'nothing', 'unread']),
  /** What the account holds now in its market, on its side where it has one; size in base units. null: not read, or it is about no market. */
  positions: z.array(z.object({ side: z.enum(['long', 'short']), size: Decimal.nullable() })).nullable(),
  /** Until when it may still be executed; null: its message has no end. */
  usableUntilMs: z.number().nullable(),
  /** From when on `intents.settle` takes the user's word. */
  settleFromMs: z.number(),
  /** New orders may pass it. */
  passed: z.boolean(),
})
export type OrderEvidence = z.infer<typeof OrderEvidence>

export const TimelineEntry = z.object({ state: IntentState, atMs: z.number(), note: StepNote.nullable() })

export const RequestRecord = z.object({
  id: z.string(),
  atMs: z.number(),
  method: z.string(),
  /** Path only, with ids; never a query that holds a secret. */
  path: z.string(),
  endpoint: z.string(),
  status: z.number().nullable(),
  ms: z.number(),
  requestId: z.string().nullable(),
  outcome: z.string(),
  attempt: z.number(),
  intentRef: z.string().nullable(),
  /** Which it went to, with its port where it has one; second: not the profile's own (GEN-02). null: of a time before this was noted. */
  host: z.object({ name: z.string(), second: z.boolean() }).nullable(),
})
export type RequestRecord = z.infer<typeof RequestRecord>

/** Something that is being done to a position or an order, from the question to the wallet until its fate is known. */
export const Underway = z.object({
  ref: z.string(),
  action: z.string(),
  /** Exactly one of the two is set. */
  positionId: z.string().nullable(),
  orderId: z.string().nullable(),
  state: IntentState,
})
export type Underway = z.infer<typeof Underway>

const moves = { invalidates: [...movedQueries, ...accountQueries, 'audit.list'] } as const

/** Everything that is prepared, asked of the wallet and followed, whichever way it is carried out. */
export const intents = {
  /** Journals the intent, then asks the service to prepare it. Executes nothing. */
  'intents.prepare': command(OrderTicket, PreparedOrder, moves),
  /** What was prepared, checked again; its intent and its transactions as they are now. */
  'intents.prepared': query(z.object({ ref: z.string() }), PreparedOrder, 'wallet'),
  /** Closes the earlier intent and prepares a new one with keys of its own, what goes at market at the new price. */
  'intents.reprice': command(z.object({ ref: z.string(), referencePrice: Decimal }), PreparedOrder, moves),
  /**
   * The signature, or the transaction that is sent next. `typedPhrase` confirms a layout or what `expectedPhrase` says, `typedRouter` contracts:
   * the full address where a pinned one changed (two with a space between), else "yes" from a click.
   */
  'intents.ask': command(z.object({ ref: z.string(), typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }), SignRequest, {
    // `profiles.list`: a router that was confirmed is pinned in the profile.
    invalidates: [...moves.invalidates, 'profiles.list'],
  }),
  /** The wallet library's ids, so that a late answer can be matched. */
  'intents.asked': command(z.object({ ref: z.string(), topic: z.string(), requestId: z.string() }), z.object({}), moves),
  /** What the wallet gave: a signature, or the hash of the transaction that it broadcast. */
  'intents.answered': command(z.object({ ref: z.string(), answer: z.string().max(65_536) }), Intent, moves),
  'intents.declined': command(
    z.object({ ref: z.string(), why: z.enum(['rejected', 'expired', 'cancelled', 'unreachable', 'failed']), detail: z.string().max(500).nullable() }),
    Intent,
    moves,
  ),
  /** After a restart: send the kept signature, or drop it. */
  'intents.resume': command(z.object({ ref: z.string(), action: z.enum(['relay', 'drop']) }), Intent, moves),
  /** Of an UNKNOWN order, by whichever way. */
  'intents.unknown': query(z.object({ ref: z.string() }), OrderEvidence, 'wallet'),
  /**
   * Ends an UNKNOWN order by the user's word, or lets new orders pass it. Fails with `too_early` before `settleFromMs`, and with `contradicted` where the
   * account shows what was said not to be.
   */
  'intents.settle': command(z.object({ ref: z.string(), outcome: z.enum(['carried_out', 'not_carried_out', 'pass']) }), Intent, moves),
  /** Looks an UNKNOWN intent up again now. */
  'intents.lookUp': command(z.object({ ref: z.string() }), Intent, moves),
  /** null: nothing of it is unknown, its wallet is no contract, or the RPC did not answer. */
  'intents.evidence': query(z.object({ ref: z.string() }), z.object({ evidence: SendingEvidence.nullable() }), 'wallet'),
  /** Ends one whose evidence is over by the user's word, `not sent`. */
  'intents.notSent': command(z.object({ ref: z.string(), typed: z.string().max(64) }), Intent, moves),
  'intents.list': query(
    z.object({ beforeMs: z.number().nullable(), limit: z.number().int().min(1).max(200) }),
    z.object({ intents: z.array(Intent), total: z.number() }),
    'wallet',
  ),
  /** Of the wallet that is shown, newest first. */
  'intents.underway': query(z.object({}), z.object({ underway: z.array(Underway) }), 'wallet'),
  'intents.get': query(
    z.object({ ref: z.string() }),
    z.object({
      intent: Intent,
      timeline: z.array(TimelineEntry),
      requests: z.array(RequestRecord),
      payload: z.string().nullable(),
      typedData: z.string().nullable(),
      /** As in `PreparedOrder`. */
      unknownFields: UnknownFields,
    }),
    'wallet',
  ),
} as const
