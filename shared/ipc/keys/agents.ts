import { z } from 'zod'
import { command, query } from '../define.ts'
import { BlockReason, ComparisonLine } from '../intents/comparison-lines.ts'
import { intentQueries } from '../intents/intent-queries.ts'
import { Intent } from '../intents/orders.ts'
import { Comparison, RouterCheck, SignRequest } from '../intents/signing.ts'
import { Decimal } from '../reads/markets.ts'
import { KeyDraft, KeySummary } from './keys.ts'

/** The agent of an existing key, and the grant that the wallet signs for it once (KEY-11). */
export const AgentDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  agent: z.string().nullable(),
  /**
   * nothing_to_sign: the service says that it already has the grant, or offers none. to_sign: the app verified the grant and has not asked the
   * wallet. asked: the app asked the wallet. signed: the app stores a signature that it has not sent. unknown: the app sent it and the response was
   * lost.
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
  /** The time until which the app may send the signature: thirty minutes after opening, or the end of the grant. */
  expiresAtMs: z.number(),
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** Preview of binding an executor. Changes nothing. */
export const ExecutorChange = z.object({
  keyId: z.string(),
  label: z.string(),
  /** The executor bound now; null: none. */
  before: z.string().nullable(),
  /** The trimmed value that the app would send. An address is in checksum form. */
  after: z.string(),
  kind: z.enum(['first', 'same', 'different']),
})
export type ExecutorChange = z.infer<typeof ExecutorChange>

/** A transaction that the service prepared for the wallet, decoded by this app (KEY-13, FLOW-03). */
export const PreparedPayment = z.object({
  intent: Intent,
  keyId: z.string(),
  label: z.string(),
  /** The amount that the user requested. */
  amountUsdc: Decimal,
  transaction: z.object({ from: z.string(), to: z.string(), data: z.string(), value: z.string() }),
  /**
   * The contract that the transaction calls, and the evidence for it. `unknown`: it is neither the router nor the collateral token, so the app never
   * lets the wallet sign the transaction.
   */
  target: z.object({
    role: z.enum(['router', 'collateral_token', 'unknown']),
    address: z.string(),
    check: RouterCheck.nullable(),
  }),
  /** The router that receives an allowance, and the evidence for it; null: the transaction grants no allowance. */
  spender: RouterCheck.nullable(),
  /** null: the app does not recognise this calldata. */
  call: z
    .object({
      /** Signature of the called function, for example `approve(address,uint256)`. */
      signature: z.string(),
      arguments: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
    })
    .nullable(),
  /** The transaction compared with the request, line by line: wallet, contract, function, amount, spender, value, deadline. */
  lines: z.array(ComparisonLine),
  /** pass: may be sent. confirm: the user must type `expectedPhrase`. block: never sent. */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** Set for `block`. */
  blocked: BlockReason.nullable(),
  /** For `confirm`: the words to type, for example "allow 25.5 USDC". */
  expectedPhrase: z.string().nullable(),
  /** Set if the transaction allows a contract to take tokens later. Always requires the typed words. */
  spending: z.object({ asset: z.string(), spender: z.string(), amountUsdc: Decimal.nullable() }).nullable(),
  simulation: z.object({
    /** skipped: the RPC did not answer, or the transaction is blocked anyway. */
    outcome: z.enum(['works', 'reverts', 'skipped']),
    reason: z.string().nullable(),
  }),
  /** null: the RPC returned no estimate. */
  gas: z
    .object({
      units: z.string(),
      /** Maximum cost in ETH at the current fee. */
      costEth: Decimal,
      /** ETH balance of the wallet; `enough` covers the cost and the value. */
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
  /** `POST …/agent`: creates or returns the key's agent. Grants nothing. */
  'agents.open': command(keyRef, AgentDraft, { invalidates: ['agents.draft', 'keys.list', 'audit.list'] }),
  /** The open draft for the key, checked again; null if there is none or it has expired. */
  'agents.draft': query(keyRef, AgentDraft.nullable(), 'wallet'),
  // `profiles.list`, here and below: the profile stores a confirmed contract as trusted.
  'agents.ask': command(keyRef.extend(typed), SignRequest, { invalidates: [...granted.invalidates, 'profiles.list'] }),
  /** Main verifies the signature against its own copy, then the service stores it. An empty signature means the one that main keeps. */
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
  /** Payments of a key, newest first. */
  'agents.payments': query(keyRef, z.array(Intent), 'wallet'),
} as const
