import type { Address, Hex } from 'viem'
import type { Quotas } from '../../base/key-quotas.ts'
import type { Scope } from '../../base/scopes.ts'
import type { WireTypedData } from '../../chain/wire-typed-data.ts'
import type { LedgerRow } from './changes.ts'
import type { Instruction } from './instructions.ts'

/** Everything that the exchange stores. Plain JSON: amounts are decimal strings, times are Unix milliseconds, secrets are stored only as hashes. */
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
  /** All events of every wallet, in order. */
  ledger: LedgerRow[]
  /** The time up to which funding has been charged. */
  fundedUntilMs: number
  seeds: SeedRow[]
  receipts: ReceiptRow[]
  /** The last sequence number of any row in a paged list. Each new row gets a higher number, by which page cursors order the rows. */
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
  /** The IP address of the last use. */
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
  /** The id of the key, once it was created. */
  keyId: string | null
}

/** A webhook subscription. Its signing secret is derived from `webhookSeed` and its id. */
export interface WebhookRow {
  readonly id: string
  readonly wallet: Address
  readonly url: string
  /** Whether the URL points to this computer. */
  readonly loopback: boolean
  readonly events: readonly string[]
  readonly createdAtMs: number
  disabledAtMs: number | null
}

export interface AuditRow {
  readonly id: string
  /** Position in the audit log; each new entry gets a higher number. Page cursors refer to it. */
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

/** An accepted call of `/orders/execute`, possibly a dry run. If the client repeats the call, it gets the response from this row. */
export interface CommandRow {
  readonly id: string
  readonly wallet: Address
  readonly keyId: string
  readonly action: string
  /** The client’s idempotency key. `null` if it sent none; then a repeated call is a new one. */
  readonly idempotencyKey: string | null
  /** The payload as it was sent, as canonical JSON. */
  readonly sent: string
  /** The normalised payload. */
  readonly payload: object
  readonly executor: string
  readonly prepareOnly: boolean
  readonly createdAtMs: number
  updatedAtMs: number
  /** State of the whole command. A dry run stays `validated`. The ledger stores the result of each item. */
  state: 'validated' | 'queued' | 'submitted' | 'included' | 'failed'
  reason: string | null
  txHash: Hex | null
  /** The items of a batch, or one item for any other command. */
  readonly items: readonly CommandItem[]
}

export interface CommandItem {
  readonly action: string
  readonly instruction: Instruction
  /** The nonce in the item. The router accepts each nonce once. */
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
  /** The normalised payload. */
  readonly payload: object
  readonly clientOrderId: string | null
  readonly instruction: Instruction
  readonly status: ExecutionStatus
  /** How the wallet signs. `null` if it sends transactions and signs no intent or permit. */
  readonly mode: 'signed_intent' | 'permit_deposit' | null
  readonly reason: string | null
  readonly typedData: WireTypedData | null
  readonly transactions: readonly WireTransaction[]
  /** The dialect (`Faults.dialect`) in which the wallet received this typed data or transaction; absent for the router’s own signing format. */
  readonly dialect?: number
  readonly simulation: Readonly<Record<string, string | null>>
  readonly costs: Costs
  /** The nonce of a signed intent. */
  readonly nonce: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /**
   * The state of the intent. expired: the intent was relayed, but the network lost its transaction and will not accept it again. An intent
   * that was never relayed or sent stays prepared.
   */
  state: 'prepared' | 'relaying' | 'submitted' | 'confirmed' | 'reverted' | 'expired'
  txHash: Hex | null
}

export interface Costs {
  readonly network_usdc: string
  readonly trading_fee_usdc: string
  /** Who pays the network cost: the executor, which charges the collateral, or the wallet with its own ETH. */
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
