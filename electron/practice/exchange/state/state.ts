import type { Address, Hex } from 'viem'
import type { Quotas } from '../../base/key-quotas.ts'
import type { Scope } from '../../base/scopes.ts'
import type { WireTypedData } from '../../chain/wire-typed-data.ts'
import type { LedgerRow } from './changes.ts'
import type { Instruction } from './instructions.ts'

/**
 * Everything that the exchange stores, as plain JSON. Amounts are decimal strings, times are Unix milliseconds, and secrets are stored only as
 * hashes.
 */
export interface State {
  readonly version: 2
  challenges: ChallengeRow[]
  sessions: SessionRow[]
  keys: KeyRow[]
  preparations: PreparationRow[]
  webhooks: WebhookRow[]
  /** The seed of all webhook signing secrets. Empty until the first webhook is created. */
  webhookSeed: string
  audit: AuditRow[]
  commands: CommandRow[]
  intents: IntentRow[]
  /** The ledger rows of every wallet, in the order in which they were added. */
  ledger: LedgerRow[]
  /** The time, in Unix milliseconds, up to which the exchange has charged funding. */
  fundedUntilMs: number
  seeds: SeedRow[]
  receipts: ReceiptRow[]
  /** The highest sequence number of any row in a paged list. Each new row gets the next number; page cursors refer to these numbers. */
  sequence: number
  /** The last nonce issued to each wallet. */
  nonces: Record<string, string>
}

export interface ChallengeRow {
  readonly wallet: Address
  readonly nonce: string
  /** The sign-in challenge’s message, byte for byte as the client received it. */
  readonly message: string
  readonly expiresAtMs: number
  wrongSignatures: number
}

export interface SessionRow {
  readonly id: string
  readonly wallet: Address
  readonly tokenHash: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
}

export interface AgentRow {
  readonly address: Address
  grant: WireTypedData
  granted: boolean
}

export interface KeyRow {
  readonly id: string
  readonly wallet: Address
  readonly label: string
  readonly scopes: readonly Scope[]
  secretHash: string
  prefix: string
  readonly createdAtMs: number
  expiresAtMs: number
  revokedAtMs: number | null
  lastUsedAtMs: number | null
  /** The IP address from which the key was last used; null if unknown. */
  lastUsedIp: string | null
  readonly ipAllowlist: readonly string[]
  readonly quotas: Quotas
  agent: AgentRow | null
  executor: string | null
}

/** A requested API key with a trading agent. The key is created once the wallet has signed the grant for its agent. */
export interface PreparationRow {
  readonly id: string
  readonly wallet: Address
  readonly agent: Address
  readonly grant: WireTypedData
  readonly label: string | null
  readonly keyExpiresAtMs: number
  readonly expiresInDays: number
  readonly ipAllowlist: readonly string[]
  readonly quotas: Quotas
  readonly expiresAtMs: number
  /** The id of the created key; null as long as the key does not exist. */
  keyId: string | null
}

export interface WebhookRow {
  readonly id: string
  readonly wallet: Address
  readonly url: string
  readonly loopback: boolean
  readonly events: readonly string[]
  readonly createdAtMs: number
  disabledAtMs: number | null
}

export interface AuditRow {
  readonly id: string
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly event: string
  readonly keyId: string | null
  readonly label: string | null
  /** The webhook that the audit entry is about, if any. */
  readonly webhookId?: string
  readonly ip: string
  readonly requestId: string
  /** The method, route and status of an API call. `null` if the audit entry records a change of a key, session or webhook instead. */
  readonly call: { readonly method: string; readonly route: string; readonly status: number } | null
}

/** An accepted call of `/orders/execute`, possibly a dry run. If the client repeats the call, the exchange responds from this row. */
export interface CommandRow {
  readonly id: string
  readonly wallet: Address
  readonly keyId: string
  readonly action: string
  /** The client's idempotency key. `null` if the client sent none; a repetition then counts as a new call. */
  readonly idempotencyKey: string | null
  readonly sent: string
  readonly payload: object
  readonly executor: string
  readonly prepareOnly: boolean
  readonly createdAtMs: number
  updatedAtMs: number
  /** State of the whole command. A dry run stays `validated`. The ledger stores the result of each item. */
  state: 'validated' | 'queued' | 'submitted' | 'included' | 'failed'
  reason: string | null
  txHash: Hex | null
  /** The items of a batch. Any other command has exactly one item. */
  readonly items: readonly CommandItem[]
}

export interface CommandItem {
  readonly action: string
  readonly instruction: Instruction
  readonly nonce: string
  readonly clientOrderId: string | null
}

export type ExecutionStatus = 'signature_ready' | 'ready' | 'preflight_failed' | 'contract_pending'

/** A transaction as the documentation defines it. `value` is a hex quantity, `deadline` is in Unix seconds. */
export interface WireTransaction {
  readonly kind: 'approval' | 'action'
  readonly from: Address
  readonly to: Address
  readonly data: Hex
  readonly value: Hex
  readonly deadline: number
}

export interface IntentRow {
  readonly id: string
  readonly sequence: number
  readonly wallet: Address
  readonly keyId: string
  readonly action: string
  readonly idempotencyKey: string
  /** The request as it was sent, as canonical JSON (Idempotency rules 5). */
  readonly sent: string
  readonly payload: object
  readonly clientOrderId: string | null
  readonly instruction: Instruction
  readonly status: ExecutionStatus
  /** How the wallet signs: an intent or a permit. `null` if the wallet signs neither and sends transactions instead. */
  readonly mode: 'signed_intent' | 'permit_deposit' | null
  readonly reason: string | null
  readonly typedData: WireTypedData | null
  readonly transactions: readonly WireTransaction[]
  /** The dialect (`Faults.dialect`) in which the wallet received this typed data or transaction; absent for the router’s own format. */
  readonly dialect?: number
  readonly simulation: Readonly<Record<string, string | null>>
  readonly costs: Costs
  readonly nonce: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /**
   * The state of the intent. `expired`: the exchange relayed the intent, but the network lost its transaction, and the router no longer accepts the
   * intent. An intent that was never relayed or sent stays `prepared`.
   */
  state: 'prepared' | 'relaying' | 'submitted' | 'confirmed' | 'reverted' | 'expired'
  txHash: Hex | null
}

export interface Costs {
  readonly network_usdc: string
  readonly trading_fee_usdc: string
  /** Who pays the network cost: the executor, which then charges it to the trader's collateral, or the wallet with its own ETH. */
  readonly charged_from: 'dex_collateral' | 'wallet'
}

export interface SeedRow {
  readonly wallet: Address
  readonly usdc: string
  readonly atMs: number
}

export interface ReceiptRow {
  readonly wallet: Address
  readonly intentId: string
  readonly txHash: string
  readonly state: string
  readonly atMs: number
}

export const emptyState = (): State => ({
  version: 2,
  challenges: [],
  sessions: [],
  keys: [],
  preparations: [],
  webhooks: [],
  webhookSeed: '',
  audit: [],
  commands: [],
  intents: [],
  ledger: [],
  fundedUntilMs: 0,
  seeds: [],
  receipts: [],
  sequence: 0,
  nonces: {},
})
