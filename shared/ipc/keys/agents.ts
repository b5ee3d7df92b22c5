import { z } from 'zod'
import { command, query } from '../define.ts'
import { intentQueries } from '../intents/intent-queries.ts'
import { Intent } from '../intents/orders.ts'
import { Comparison, ComparisonLine, RouterCheck, SignRequest } from '../intents/signing.ts'
import { Decimal } from '../reads/markets.ts'
import { KeyDraft, KeySummary } from './keys.ts'

/** The agent of a key that exists, and the grant that the wallet signs for it once (KEY-11). */
export const AgentDraft = z.object({
  keyId: z.string(),
  label: z.string(),
  agent: z.string().nullable(),
  /**
   * nothing_to_sign: the service says that the grant is stored, or offers none. to_sign: read and compared, the wallet was not asked.
   * asked: the wallet was. signed: a signature is kept here and was not sent. unknown: it was sent and the answer was lost.
   */
  state: z.enum(['nothing_to_sign', 'to_sign', 'asked', 'signed', 'unknown']),
  /** null where there is nothing to sign and the service shows no grant. */
  grant: KeyDraft.shape.grant.nullable(),
  comparison: Comparison.nullable(),
  /** As in `KeyDraft`. */
  router: RouterCheck.nullable(),
  /** Its agent has a grant already, which this one takes the place of. */
  renews: z.boolean(),
  openedAtMs: z.number(),
  /** Until when its signature may be sent: thirty minutes from opening, or the end of the grant. */
  expiresAtMs: z.number(),
})
export type AgentDraft = z.infer<typeof AgentDraft>

/** Before binding: what would change. Changes nothing. */
export const ExecutorChange = z.object({
  keyId: z.string(),
  label: z.string(),
  /** What is bound now; null: nothing. */
  before: z.string().nullable(),
  /** What would be sent, without surrounding space; an address checksummed. */
  after: z.string(),
  kind: z.enum(['first', 'same', 'different']),
})
export type ExecutorChange = z.infer<typeof ExecutorChange>

/** A transaction that the service prepared for the wallet, read by this app (KEY-13, FLOW-03). */
export const PreparedPayment = z.object({
  intent: Intent,
  keyId: z.string(),
  label: z.string(),
  /** What was asked for. */
  amountUsdc: Decimal,
  transaction: z.object({ from: z.string(), to: z.string(), data: z.string(), value: z.string() }),
  /** The contract that is called, and what speaks for it. `unknown`: neither the router nor the collateral token; it is never signed. */
  target: z.object({
    role: z.enum(['router', 'collateral_token', 'unknown']),
    address: z.string(),
    check: RouterCheck.nullable(),
  }),
  /** The router that gets an allowance, and what speaks for it; null where none is given. */
  spender: RouterCheck.nullable(),
  /** null: the calldata is not one that this app knows. */
  call: z
    .object({
      /** For example `approve(address,uint256)`. */
      signature: z.string(),
      arguments: z.array(z.object({ name: z.string(), type: z.string(), value: z.string() })),
    })
    .nullable(),
  /** The transaction held against what was asked, line by line: wallet, contract, function, amount, spender, value, deadline. */
  lines: z.array(ComparisonLine),
  /** pass: may be sent. confirm: needs `expectedPhrase` typed. block: never sent. */
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** For `block`: one sentence that names the line. */
  sentence: z.string().nullable(),
  /** For `confirm`: the words to type, for example "allow 25.5 USDC". */
  expectedPhrase: z.string().nullable(),
  /** Set where the transaction lets a contract take tokens later. Never without the typed words. */
  spending: z.object({ asset: z.string(), spender: z.string(), amountUsdc: Decimal.nullable() }).nullable(),
  simulation: z.object({
    /** skipped: the RPC did not answer, or it is blocked anyway. */
    outcome: z.enum(['works', 'reverts', 'skipped']),
    reason: z.string().nullable(),
  }),
  /** null: the RPC could not tell. */
  gas: z
    .object({
      units: z.string(),
      /** ETH at the fee of now, at most. */
      costEth: Decimal,
      /** ETH that the wallet has; `enough` for the cost and the value. */
      balanceEth: Decimal,
      enough: z.boolean(),
    })
    .nullable(),
  deadlineMs: z.number().nullable(),
  preparedAtMs: z.number(),
  requestId: z.string().nullable(),
  /** The transaction as the service sent it, JSON text. */
  raw: z.string(),
})
export type PreparedPayment = z.infer<typeof PreparedPayment>

const keyRef = z.object({ keyId: z.string() })
const typed = { typedPhrase: z.string().nullable(), typedRouter: z.string().nullable() }
const granted = { invalidates: ['agents.draft', 'keys.list', 'app.attention', 'activity.secrets', 'audit.list', 'expiry.list'] } as const

export const agents = {
  /** `POST …/agent`: creates the key's agent or returns it. Nothing is granted by it. */
  'agents.open': command(keyRef, AgentDraft, { invalidates: ['agents.draft', 'keys.list', 'audit.list'] }),
  /** What was opened for the key and is not over, checked again; null when nothing is. */
  'agents.draft': query(keyRef, AgentDraft.nullable(), 'wallet'),
  // `profiles.list`, here and below: a contract that was confirmed is pinned in the profile.
  'agents.ask': command(keyRef.extend(typed), SignRequest, { invalidates: [...granted.invalidates, 'profiles.list'] }),
  /** Verified over main's own copy, then stored by the service. An empty signature means the one that is kept. */
  'agents.store': command(keyRef.extend({ signature: z.string().max(65_536) }), KeySummary, granted),
  /** Forgets what was opened and erases its signature. What the service stored stays. */
  'agents.leave': command(keyRef, z.object({}), granted),

  'agents.checkExecutor': query(keyRef.extend({ executor: z.string().max(256) }), ExecutorChange, 'wallet'),
  /** `before` is what the screen showed as bound: when another one is bound by now, nothing is sent (`wrong_state`). */
  'agents.bindExecutor': command(
    keyRef.extend({ executor: z.string().max(256), before: z.string().nullable(), confirmLabel: z.string() }),
    KeySummary,
    granted,
  ),

  /** Journals it, then asks the service for the transaction. Sends nothing to the chain; from here on it is an intent like any. */
  'agents.preparePayment': command(keyRef.extend({ amountUsdc: Decimal }), PreparedPayment, {
    invalidates: [...intentQueries, 'audit.list'],
  }),
  /** As prepared, checked again; its intent as it is now. */
  'agents.payment': query(z.object({ ref: z.string() }), PreparedPayment, 'wallet'),
  /** Payments of a key, newest first. */
  'agents.payments': query(keyRef, z.array(Intent), 'wallet'),
} as const
