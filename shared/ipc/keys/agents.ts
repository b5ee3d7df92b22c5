import { z } from 'zod'
import { command, query } from '../define.ts'
import { BlockReason, ComparisonLine } from '../intents/comparison-lines.ts'
import { intentQueries } from '../intents/intent-queries.ts'
import { Intent } from '../intents/orders.ts'
import { Comparison, RouterCheck, SignRequest } from '../intents/signing.ts'
import { Decimal } from '../reads/markets.ts'
import { KeyDraft, KeySummary } from './keys.ts'

/** The trading agent of an existing API key, and the grant for it that the wallet signs once (KEY-11). */
export const AgentDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  agent: z.string().nullable(),
  /**
   * nothing_to_sign: according to the service, the agent already has the grant, or the service offers none. to_sign: the app verified the grant, but
   * has not asked the wallet to sign it. asked: the app asked the wallet. signed: the app has stored the signature and not sent it yet. unknown: the
   * app sent the signature, but the response was lost.
   */
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed', 'unknown']),
  /** null if there is nothing to sign and the service shows no grant. */
  grant: KeyDraft.shape.grant.nullable(),
  comparison: Comparison.nullable(),
  /** As in `KeyDraft`. */
  router: RouterCheck.nullable(),
  /** true: the agent already has a grant, and the new grant replaces it. */
  renews: z.boolean(),
  openedAtMs: z.number(),
  /** Until when the app may send the signature: thirty minutes after opening the draft, or until the grant expires if that is sooner. */
  expiresAtMs: z.number(),
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** Preview of binding an executor to a key. The preview itself changes nothing. */
export const ExecutorChange = z.object({
  keyId: z.string(),
  label: z.string(),
  /** The executor bound now; null: none. */
  before: z.string().nullable(),
  /** The executor to bind, trimmed. If it is an address, it is in checksum form. */
  after: z.string(),
  kind: z.enum(['first', 'same', 'different']),
})
export type ExecutorChange = z.infer<typeof ExecutorChange>

/** A payment transaction that the service prepared for the wallet, decoded by this app (KEY-13, FLOW-03). */
export const PreparedPayment = z.object({
  intent: Intent,
  keyId: z.string(),
  label: z.string(),
  /** The amount that the user requested. */
  amountUsdc: Decimal,
  transaction: z.object({ from: z.string(), to: z.string(), data: z.string(), value: z.string() }),
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
   * The router that the transaction lets take tokens from the wallet, with the evidence that it is genuine; null: the transaction grants no
   * allowance.
   */
  spender: RouterCheck.nullable(),
  /** The decoded call; null: the app does not recognise this calldata. */
  call: z
    .object({
      /** Signature of the called function, for example `approve(address,uint256)`. */
      signature: z.string(),
      arguments: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
    })
    .nullable(),
  /** The transaction's wallet, contract, function, amount, spender, value and deadline, each compared with the request. */
  lines: z.array(ComparisonLine),
  /** pass: the app may send the transaction to the wallet. confirm: only after the user typed `expectedPhrase`. block: never. */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** Set for `block`. */
  blocked: BlockReason.nullable(),
  /** For `confirm`: the words to type, for example "allow 25.5 USDC". */
  expectedPhrase: z.string().nullable(),
  /** Set if the transaction lets a contract take tokens from the wallet later. The user must then always type `expectedPhrase`. */
  spending: z.object({ asset: z.string(), spender: z.string(), amountUsdc: Decimal.nullable() }).nullable(),
  simulation: z.object({
    /** skipped: no result, because the RPC did not answer or because the transaction is blocked anyway. */
    outcome: z.enum(['works', 'reverts', 'skipped']),
    reason: z.string().nullable(),
  }),
  /** Estimate of the network fee; null: the RPC returned none. */
  gas: z
    .object({
      units: z.string(),
      /** Maximum cost in ETH at the current fee. */
      costEth: Decimal,
      /** ETH balance of the wallet. `enough`: the balance covers `costEth` plus the transaction's value. */
      balanceEth: Decimal,
      enough: z.boolean(),
    })
    .nullable(),
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
  /** Sends `POST …/agent`, which creates the key's agent or returns the existing one. Grants the agent no rights yet. */
  'agents.open': command(keyRef, AgentDraft, { invalidates: ['agents.draft', 'keys.list', 'audit.list'] }),
  /** The open draft for the key, checked again; null if there is none or it has expired. */
  'agents.draft': query(keyRef, AgentDraft.nullable(), 'wallet'),
  // This command and some below also invalidate `profiles.list`: if the user confirms a new contract, the profile stores it as trusted.
  'agents.ask': command(keyRef.extend(typed), SignRequest, { invalidates: [...granted.invalidates, 'profiles.list'] }),
  /**
   * Main verifies the signature against its own copy of the grant, then sends it to the service. An empty `signature` means the signature that main
   * has already stored.
   */
  'agents.store': command(keyRef.extend({ signature: z.string().max(65_536) }), KeySummary, granted),
  /** Discards the draft and erases its signature. Changes nothing at the service. */
  'agents.leave': command(keyRef, z.object({}), granted),

  'agents.checkExecutor': query(keyRef.extend({ executor: z.string().max(256) }), ExecutorChange, 'wallet'),
  /** `before` is the executor that the screen showed. If another one is bound by now, the app sends nothing and fails with `wrong_state`. */
  'agents.bindExecutor': command(
    keyRef.extend({ executor: z.string().max(256), before: z.string().nullable(), confirmLabel: z.string() }),
    KeySummary,
    granted,
  ),

  /**
   * Journals the payment, then requests the transaction from the service. Sends nothing to the chain. From here on, the payment is an intent like any
   * other.
   */
  'agents.preparePayment': command(keyRef.extend({ amountUsdc: Decimal }), PreparedPayment, {
    invalidates: [...intentQueries, 'audit.list'],
  }),
  /** The prepared payment, verified again, with the current state of its intent. */
  'agents.payment': query(z.object({ ref: z.string() }), PreparedPayment, 'wallet'),
  /** Payments for executions of a key, newest first. */
  'agents.payments': query(keyRef, z.array(Intent), 'wallet'),
} as const
