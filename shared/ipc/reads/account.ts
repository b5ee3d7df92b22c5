import { z } from 'zod'
import { command, query } from '../define.ts'
import { OrderTicket, TokenSymbol } from '../intents/tickets.ts'
import { Missing, UnknownFields } from '../missing.ts'
import { AccountSource, Watch } from './account-history.ts'
import { Decimal } from './markets.ts'

export const AccountSummary = z.object({
  wallet: z.string(),
  equity: Decimal.nullable(),
  collateral: Decimal.nullable(),
  freeMargin: Decimal.nullable(),
  marginUsedPercent: Decimal.nullable(),
  unrealisedPnl: Decimal.nullable(),
  healthFactor: Decimal.nullable(),
  liquidationState: z.string().nullable(),
  unknownFields: UnknownFields,
  readAtMs: z.number(),
})
export type AccountSummary = z.infer<typeof AccountSummary>

export const Position = z.object({
  /** The position's id, which tickets need; null if the service states none, so that no action is possible. */
  id: z.string().nullable(),
  pairId: z.number().int(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']),
  /** Size in base units, unsigned. */
  size: Decimal.nullable(),
  /** The unsigned size as the service writes it, if its unit is unknown. The app only compares it and never shows it. */
  rawSize: Decimal.optional(),
  notionalUsdc: Decimal.nullable(),
  entryPrice: Decimal.nullable(),
  markPrice: Decimal.nullable(),
  liquidationPrice: Decimal.nullable(),
  leverage: Decimal.nullable(),
  marginMode: z.string().nullable(),
  /** Margin in USDC. */
  marginUsdc: Decimal.nullable(),
  unrealisedPnl: Decimal.nullable(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
})
export type Position = z.infer<typeof Position>

/**
 * Why a list with several pages is incomplete. no_next_page: the service repeats a page cursor or sends none. unanswered: the request for a later
 * page failed. too_long: there are more pages than the app reads. unreadable: the app read all pages, but some records are unreadable.
 */
export const PageCut = z.enum(['no_next_page', 'unanswered', 'too_long', 'unreadable'])
export type PageCut = z.infer<typeof PageCut>

export const OpenOrder = z.object({
  id: z.string(),
  pairId: z.number().int().nullable(),
  symbol: z.string().nullable(),
  side: z.string().nullable(),
  type: z.string().nullable(),
  price: Decimal.nullable(),
  /** The order's size in base units. */
  size: Decimal.nullable(),
  filledSize: Decimal.nullable(),
  orderValueUsdc: Decimal.nullable(),
  limitPrice: Decimal.nullable(),
  triggerPrice: Decimal.nullable(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
  marginMode: z.string().nullable(),
  leverage: Decimal.nullable(),
  /** true: the order can only reduce or close a position. */
  reduceOnly: z.boolean().nullable(),
  /** The position that the order closes; null: none or not stated. */
  positionId: z.string().nullable(),
  status: z.string().nullable(),
  clientOrderId: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type OpenOrder = z.infer<typeof OpenOrder>

/** The balances of one collateral token: at the exchange and in the wallet. */
export const CollateralBalance = z.object({
  asset: z.string(),
  /** The token's ERC-20 contract; null if not stated. */
  contract: z.string().nullable(),
  /** The balance at the exchange, in units of the token. */
  balance: Decimal.nullable(),
  locked: Decimal.nullable(),
  withdrawable: Decimal.nullable(),
  /** The wallet's balance on the chain; null if the contract is unknown or the RPC server did not answer. */
  walletBalance: Decimal.nullable(),
  /** The token's decimals according to the chain; null if the contract is unknown or the RPC server did not answer. */
  decimals: z.number().int().nullable(),
})
export type CollateralBalance = z.infer<typeof CollateralBalance>

export const Collateral = z.object({
  balances: z.array(CollateralBalance),
  /** Symbols of the tokens for deposits and withdrawals: USDC, and the protocol's own token if the service names it. */
  tokens: z.array(TokenSymbol),
  /** Whether the service supports a USDC deposit by EIP-2612 signature (Flow rules 4); null: the app could not read the public config. */
  permitOffered: z.boolean().nullable(),
  /** The wallet's ETH balance, which pays for the gas of its transactions; null if the RPC server did not answer. */
  walletEth: Decimal.nullable(),
  /** true: the wallet is a smart contract, so its permit signatures may be invalid. null: unknown, because the RPC server did not answer. */
  contractWallet: z.boolean().nullable(),
  missing: Missing,
  unknownFields: UnknownFields,
  readAtMs: z.number(),
})
export type Collateral = z.infer<typeof Collateral>

/** The effect of an order on the account, according to the service. A field is null if the service did not state it. */
export const RiskPreview = z.object({
  /** Whether the service would execute the order; null: not stated. */
  executable: z.boolean().nullable(),
  /** Why the order is not allowed: `text` is the app's sentence, `raw` are the service's own words. null if it is allowed. */
  reason: z.object({ text: z.string(), raw: z.string() }).nullable(),
  entryPrice: Decimal.nullable(),
  liquidationPrice: Decimal.nullable(),
  marginUsdc: Decimal.nullable(),
  /** Margin in use before the order, in percent of the equity. */
  marginUsedBefore: Decimal.nullable(),
  marginUsedAfter: Decimal.nullable(),
  healthBefore: Decimal.nullable(),
  healthAfter: Decimal.nullable(),
  freeMarginAfterUsdc: Decimal.nullable(),
  feeUsdc: Decimal.nullable(),
  networkUsdc: Decimal.nullable(),
  unknownFields: UnknownFields,
  readAtMs: z.number(),
})
export type RiskPreview = z.infer<typeof RiskPreview>

const viewed = { source: AccountSource, readAtMs: z.number() }

const whose = z.object({ watch: Watch })

/**
 * Calls about an account's data. The app reads the connected wallet's account with an API key, or otherwise by the public routes; `source` then
 * contains the reason. It reads a watch-only wallet only by the public routes. Queries fail with `no_wallet` if no wallet is connected, and with
 * `not_found` for a wallet that is not watched.
 */
export const account = {
  'account.summary': query(whose, AccountSummary.extend(viewed), 'wallet'),
  'account.positions': query(whose, z.object({ positions: z.array(Position), missing: Missing, ...viewed }), 'wallet'),
  /**
   * Returns the newest page of orders in any state, and all older orders that still wait for execution. `cut`: why some waiting orders may be
   * missing; null if none are.
   */
  'account.orders': query(whose, z.object({ orders: z.array(OpenOrder), cut: PageCut.nullable(), ...viewed }), 'wallet'),
  'account.collateral': query(whose, Collateral.extend(viewed), 'wallet'),
  /**
   * Asks the service how an order would affect the account. Prepares and changes nothing. Fails with `bad_input` if the market does not accept such
   * an order, and with `api_key_required` or `scope_missing` if no key can read the account.
   */
  'account.riskPreview': query(z.object({ ticket: OrderTicket }), RiskPreview, 'wallet'),
} as const

/**
 * The thresholds for the app's own liquidation warning. The app must warn because the service never sends `liquidation.warning`. null: no warning.
 */
export const RiskThresholds = z.object({
  /** The app warns if the account's health factor falls below this number. */
  healthBelow: Decimal.nullable(),
  /** The app warns if a position's mark price comes closer to its liquidation price than this percentage of the mark price. */
  distanceBelow: Decimal.nullable(),
})
export type RiskThresholds = z.infer<typeof RiskThresholds>

export const riskAlerts = {
  'account.alerts': query(z.object({ watch: Watch }), RiskThresholds, 'wallet'),
  /** Saves the thresholds. Fails with `bad_input` for a threshold that is not above zero. */
  'account.saveAlerts': command(
    z.object({ watch: Watch, healthBelow: z.string().max(40).nullable(), distanceBelow: z.string().max(40).nullable() }),
    RiskThresholds,
    {
      invalidates: ['account.alerts'],
    },
  ),
} as const

export const WatchedWallet = z.object({
  /** The wallet's address in checksum form. */
  address: z.string(),
  name: z.string(),
})
export type WatchedWallet = z.infer<typeof WatchedWallet>

const changes = { invalidates: ['account.watched'] } as const

/** Wallets that this profile can view but not use. The app reads them by the unversioned public routes. */
export const watchedWallets = {
  'account.watched': query(z.object({}), z.object({ wallets: z.array(WatchedWallet) }), 'wallet'),
  /** Adds a watched wallet, or renames it. Fails with `bad_input` for an invalid address or name. */
  'account.watch': command(z.object({ address: z.string().max(200), name: z.string().max(200) }), WatchedWallet, changes),
  'account.unwatch': command(z.object({ address: z.string() }), z.object({}), changes),
} as const
