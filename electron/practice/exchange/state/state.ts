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
  /** Increases with every row that can appear in a list page. */
  sequence: number
  /** The last nonce issued to each wallet. */
  nonces: Record<string, string>
}

export interface ChallengeRow {
  readonly wallet: Address
  readonly nonce: string
  /** Byte for byte as it was sent to the client. */
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

/** A bot-ready key that waits for the wallet's grant. */
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
  /** Set once the key exists. */
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
  /** Rises from row to row; the cursor of a page. */
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly event: string
  readonly keyId: string | null
  readonly label: string | null
  /** Absent where it is not about a webhook. */
  readonly webhookId?: string
  readonly ip: string
  readonly requestId: string
  /** Method, route and status of a call. `null` for a change to a credential. */
  readonly call: { readonly method: string; readonly route: string; readonly status: number } | null
}

/** One accepted call of `/orders/execute`, including dry runs. A repeated call gets the response of this row. */
export interface CommandRow {
  readonly id: string
  readonly wallet: Address
  readonly keyId: string
  readonly action: string
  /** `null`: sent without a key, so the call cannot be replayed. */
  readonly idempotencyKey: string | null
  /** The payload as it was sent, as canonical JSON. */
  readonly sent: string
  /** The normalised payload. */
  readonly payload: object
  readonly executor: string
  readonly prepareOnly: boolean
  readonly createdAtMs: number
  updatedAtMs: number
  /** A dry run stays `validated`. The results of the items are in the ledger. */
  state: 'validated' | 'queued' | 'submitted' | 'included' | 'failed'
  reason: string | null
  txHash: Hex | null
  /** One item, or all items of a batch. */
  readonly items: readonly CommandItem[]
}

export interface CommandItem {
  readonly action: string
  readonly instruction: Instruction
  /** The nonce under which the router accepts the item. */
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
  /** What was sent, as canonical JSON (Idempotency rules 5). */
  readonly sent: string
  /** The normalised payload. */
  readonly payload: object
  readonly clientOrderId: string | null
  readonly instruction: Instruction
  readonly status: ExecutionStatus
  /** `null`: the wallet sends transactions instead of signing. */
  readonly mode: 'signed_intent' | 'permit_deposit' | null
  readonly reason: string | null
  readonly typedData: WireTypedData | null
  readonly transactions: readonly WireTransaction[]
  /** The dialect in which the wallet received typed data and transactions. Absent: the router’s own signing format. */
  readonly dialect?: number
  readonly simulation: Readonly<Record<string, string | null>>
  readonly costs: Costs
  /** The nonce of a signed intent. */
  readonly nonce: string | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** expired: relayed, but the network lost the transaction and will not take it again. A row that was never relayed or sent stays prepared. */
  state: 'prepared' | 'relaying' | 'submitted' | 'confirmed' | 'reverted' | 'expired'
  txHash: Hex | null
}

export interface Costs {
  readonly network_usdc: string
  readonly trading_fee_usdc: string
  /** Who pays the network: the executor out of the collateral, or the wallet with its own ETH. */
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
