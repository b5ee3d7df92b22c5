import { z } from 'zod'
import { command, query } from '../define.ts'
import { BlockReason, ComparisonLine } from '../intents/comparison-lines.ts'
import { intentQueries } from '../intents/intent-queries.ts'
import { Intent } from '../intents/orders.ts'
import { Comparison, RouterCheck, SignRequest, trial, WalletTransaction } from '../intents/signing.ts'
import { Decimal } from '../reads/markets.ts'
import { KeyDraft, KeySummary } from './keys.ts'

/** A draft for giving an existing API key a trading agent: the agent, and the grant that the wallet signs once (KEY-11). */
export const AgentDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  agent: z.string().nullable(),
  /**
   * The state of the draft. nothing_to_sign: the agent already has the grant, or the service offers no grant. to_sign: the app verified the grant,
   * but has not sent it to the wallet. asked: the app has asked the wallet to sign. signed: the app has stored the signature, but not sent it to the
   * service. unknown: the app sent the signature, but the service's response was lost.
   */
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed', 'unknown']),
  /** The grant to sign; null if there is nothing to sign and the service shows no grant. */
  grant: KeyDraft.shape.grant.nullable(),
  comparison: Comparison.nullable(),
  /** The router contract in the grant; null if the grant contains none. */
  router: RouterCheck.nullable(),
  /** true: the agent already has a grant, and the new grant replaces it. */
  renews: z.boolean(),
  openedAtMs: z.number(),
  /** Until when the app may send the signature: thirty minutes after the draft was opened, or until the grant expires if that is earlier. */
  expiresAtMs: z.number(),
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** What would change if an executor were bound to a key. Reading this preview changes nothing. */
export const ExecutorChange = z.object({
  keyId: z.string(),
  label: z.string(),
  /** The executor bound now; null: none. */
  before: z.string().nullable(),
  /** The executor to bind, without surrounding spaces. An address is in checksum form. */
  after: z.string(),
  kind: z.enum(['first', 'same', 'different']),
})
export type ExecutorChange = z.infer<typeof ExecutorChange>

/** A payment transaction that the service prepared for the wallet. The app has decoded it (KEY-13, FLOW-03). */
export const PreparedPayment = z.object({
  intent: Intent,
  keyId: z.string(),
  label: z.string(),
  amountUsdc: Decimal,
  transaction: WalletTransaction,
  /**
   * The contract that the transaction calls, with the evidence that it is genuine. role `unknown`: neither the router nor the collateral token, so
   * the app never sends the transaction to the wallet.
   */
  target: z.object({
    role: z.enum(['router', 'collateral_token', 'unknown']),
    address: z.string(),
    check: RouterCheck.nullable(),
  }),
  /**
   * The router that may take tokens from the wallet after this transaction, with the evidence that it is genuine; null: the transaction grants no
   * allowance.
   */
  spender: RouterCheck.nullable(),
  /** The decoded contract call; null if the app does not recognise the calldata. */
  call: z
    .object({
      /** Signature of the called function, for example `approve(address,uint256)`. */
      signature: z.string(),
      arguments: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
    })
    .nullable(),
  /** The comparison with the request: wallet, contract, function, amount, spender, value and deadline. */
  lines: z.array(ComparisonLine),
  /**
   * The verdict on the transaction. pass: the app may send it to the wallet. confirm: the user must first type `expectedPhrase`. block: the app never
   * sends it.
   */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** Why the app blocks the transaction; null unless the verdict is `block`. */
  blocked: BlockReason.nullable(),
  /** The phrase that the user must type before the app sends the transaction, for example "allow 25.5 USDC"; null if none is needed. */
  expectedPhrase: z.string().nullable(),
  /** Set if the transaction lets a contract take tokens from the wallet later. The user must then always type `expectedPhrase`. */
  spending: z.object({ asset: z.string(), spender: z.string(), amountUsdc: Decimal.nullable() }).nullable(),
  ...trial,
  gas: trial.gas.unwrap().extend({ units: z.string() }).nullable(),
  deadlineMs: z.number().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** The transaction as the service sent it, as JSON text. */
  raw: z.string(),
})
export type PreparedPayment = z.infer<typeof PreparedPayment>

const keyRef = z.object({ keyId: z.string() })
const typed = { typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }
const granted = { invalidates: ['agents.draft', 'keys.list', 'app.attention', 'activity.secrets', 'audit.list', 'expiry.list'] } as const

export const agents = {
  /** Sends `POST …/agent`, which creates the key's agent or returns the existing agent. The agent gets no rights yet. */
  'agents.open': command(keyRef, AgentDraft, { invalidates: ['agents.draft', 'keys.list', 'audit.list'] }),
  /** Returns the open draft for the key, after checking it again; null if there is none or the draft has expired. */
  'agents.draft': query(keyRef, AgentDraft.nullable(), 'wallet'),
  // This call also makes `profiles.list` stale: if the user confirmed a new contract, the profile now stores it as trusted.
  'agents.ask': command(keyRef.extend(typed), SignRequest, { invalidates: [...granted.invalidates, 'profiles.list'] }),
  /**
   * Verifies the signature against main's own copy of the grant, then sends the signature to the service. An empty `signature`: use the signature
   * that main has stored.
   */
  'agents.store': command(keyRef.extend({ signature: z.string().max(65_536) }), KeySummary, granted),
  /** Deletes the draft and its signature on this computer. Changes nothing at the service. */
  'agents.leave': command(keyRef, z.object({}), granted),

  'agents.checkExecutor': query(keyRef.extend({ executor: z.string().max(256) }), ExecutorChange, 'wallet'),
  /**
   * Binds an executor to the key. `before`: the executor that the screen showed. If another executor is bound by now, the app sends nothing and
   * fails with `wrong_state`.
   */
  'agents.bindExecutor': command(
    keyRef.extend({ executor: z.string().max(256), before: z.string().nullable(), confirmLabel: z.string() }),
    KeySummary,
    granted,
  ),

  /**
   * Stores the payment in the journal, then requests its transaction from the service. Sends nothing to the chain. From then on, the payment is an
   * ordinary intent.
   */
  'agents.preparePayment': command(keyRef.extend({ amountUsdc: Decimal }), PreparedPayment, {
    invalidates: [...intentQueries, 'audit.list'],
  }),
  /** Returns the prepared payment after checking it again, with the current state of its intent. */
  'agents.payment': query(z.object({ ref: z.string() }), PreparedPayment, 'wallet'),
  /** Returns the payments for executions of a key, newest first. */
  'agents.payments': query(keyRef, z.array(Intent), 'wallet'),
} as const
