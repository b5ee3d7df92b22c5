import type { Address, Hex } from 'viem'
import type { Quotas } from '../auth/quotas.ts'
import type { Scope } from '../auth/scopes.ts'
import type { WireTypedData } from '../trading/typed-data.ts'

/** All that the exchange remembers. Plain JSON: amounts are decimal strings, times Unix milliseconds, secrets only as hashes. */
export interface State {
  readonly version: 1
  challenges: ChallengeRow[]
  sessions: SessionRow[]
  keys: KeyRow[]
  preparations: PreparationRow[]
  audit: AuditRow[]
  commands: CommandRow[]
  intents: IntentRow[]
  executions: ExecutionRow[]
  seeds: SeedRow[]
  receipts: ReceiptRow[]
  /** Rises with every row that a page can list. */
  sequence: number
  /** The last nonce given to a wallet. */
  nonces: Record<string, string>
}

export interface ChallengeRow {
  readonly wallet: Address
  readonly nonce: string
  /** As it was handed out, to the byte. */
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
  /** Where the last use came from. */
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

export interface AuditRow {
  readonly id: string
  /** Rises from row to row; the cursor of a page. */
  readonly sequence: number
  readonly wallet: Address
  readonly atMs: number
  readonly event: string
  readonly keyId: string | null
  readonly label: string | null
  readonly ip: string
  readonly requestId: string
  /** Method, route and status of a call; null for a change of a credential. */
  readonly call: { readonly method: string; readonly route: string; readonly status: number } | null
}

/** One accepted call of `/orders/execute`, dry runs included: a repetition is answered from it. */
export interface CommandRow {
  readonly id: string
  readonly wallet: Address
  readonly keyId: string
  readonly action: string
  /** null: sent without one, so that nothing can replay it. */
  readonly idempotencyKey: string | null
  /** The payload as it was sent, as canonical JSON. */
  readonly sent: string
  /** The normalised payload. */
  readonly payload: object
  readonly executor: string
  readonly prepareOnly: boolean
  readonly createdAtMs: number
  updatedAtMs: number
  /** A dry run stays validated. */
  state: 'validated' | 'queued' | 'submitted' | 'confirmed' | 'failed'
  reason: string | null
  txHash: Hex | null
}

export type ExecutionStatus = 'signature_ready' | 'preflight_failed' | 'contract_pending'

/** An `open_position` payload with defaults filled and decimals without trailing zeros. Absent fields do not belong to the order type. */
export interface OpenPosition {
  readonly pair_id: number
  readonly side: 'long' | 'short'
  readonly order_type: 'market' | 'limit' | 'stop'
  readonly margin_mode: 'cross' | 'isolated'
  readonly leverage: number
  readonly order_value_usdc: string
  readonly reference_price?: string
  readonly max_slippage_bps?: number
  readonly limit_price?: string
  readonly trigger_price?: string
  readonly time_in_force: 'gtc' | 'ioc' | 'fok'
  readonly rest_if_unfilled?: boolean
  readonly post_only?: boolean
  readonly take_profit?: string
  readonly stop_loss?: string
  readonly client_order_id: string
}

export interface IntentRow {
  readonly id: string
  readonly sequence: number
  readonly wallet: Address
  readonly keyId: string
  readonly action: 'open_position'
  readonly idempotencyKey: string
  /** What was sent, as canonical JSON (Idempotency rules 5). */
  readonly sent: string
  readonly payload: OpenPosition
  readonly status: ExecutionStatus
  readonly reason: string | null
  readonly typedData: WireTypedData | null
  readonly simulation: Readonly<Record<string, string | null>>
  readonly costs: { readonly network_usdc: string; readonly trading_fee_usdc: string; readonly charged_from: string }
  readonly nonce: string
  readonly createdAtMs: number
  readonly expiresAtMs: number
  /** expired: relayed, but the network lost the transaction and will not take it again. A row that was never relayed stays prepared. */
  state: 'prepared' | 'relaying' | 'submitted' | 'confirmed' | 'reverted' | 'expired'
  txHash: Hex | null
}

/** What an intent that the router accepted did. A reorganisation that removes the intent removes the row, and with it the effect. */
export interface ExecutionRow {
  readonly intentId: string
  readonly sequence: number
  readonly wallet: Address
  readonly digest: Hex
  txHash: Hex
  blockNumber: string
  readonly acceptedAtMs: number
  status: 'open' | 'filled' | 'cancelled'
  /** Where a resting order waits. */
  restingPrice: string | null
  fill: { readonly price: string; readonly size: string; readonly feeUsdc: string; readonly atMs: number; readonly sequence: number } | null
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
  version: 1,
  challenges: [],
  sessions: [],
  keys: [],
  preparations: [],
  audit: [],
  commands: [],
  intents: [],
  executions: [],
  seeds: [],
  receipts: [],
  sequence: 0,
  nonces: {},
})
