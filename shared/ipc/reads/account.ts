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
  /** The id that tickets use; null: the service states none, so no action is possible. */
  id: z.string().nullable(),
  pairId: z.number().int(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']),
  /** Size in base units, unsigned. */
  size: Decimal.nullable(),
  /** The size as the service writes it, unsigned, if its unit is unknown. Only used in comparisons, never shown. */
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
 * Why a paginated list is incomplete. no_next_page: the service repeats a page cursor or sends none. unanswered: the request for a later page failed.
 * too_long: there are more pages than the app reads. unreadable: the app read every page, but some records are unreadable.
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
  /** Base units. */
  size: Decimal.nullable(),
  filledSize: Decimal.nullable(),
  orderValueUsdc: Decimal.nullable(),
  limitPrice: Decimal.nullable(),
  triggerPrice: Decimal.nullable(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
  marginMode: z.string().nullable(),
  leverage: Decimal.nullable(),
  /** true: the order only closes a position. */
  reduceOnly: z.boolean().nullable(),
  /** The position that the order closes; null: none or not stated. */
  positionId: z.string().nullable(),
  status: z.string().nullable(),
  clientOrderId: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type OpenOrder = z.infer<typeof OpenOrder>

/** One token of the collateral: the balance at the exchange and in the wallet. */
export const CollateralBalance = z.object({
  /** The symbol of the token. */
  asset: z.string(),
  /** The ERC-20 contract of the token; null: not stated. */
  contract: z.string().nullable(),
  /** The balance at the exchange, in units of the token. */
  balance: Decimal.nullable(),
  locked: Decimal.nullable(),
  withdrawable: Decimal.nullable(),
  /** The balance of the wallet on the chain. null: the contract is unknown, or the RPC did not answer. */
  walletBalance: Decimal.nullable(),
  /** The token's decimals, from the chain; null: the contract is unknown, or the RPC did not answer. */
  decimals: z.number().int().nullable(),
})
export type CollateralBalance = z.infer<typeof CollateralBalance>

export const Collateral = z.object({
  balances: z.array(CollateralBalance),
  /** Symbols of the tokens for deposits and withdrawals: USDC, and the protocol's own token if the service names it. */
  tokens: z.array(TokenSymbol),
  /** Whether the service supports a USDC deposit by EIP-2612 signature (Flow rules 4); null: the app could not read the public config. */
  permitOffered: z.boolean().nullable(),
  /** ETH balance of the wallet, for the gas of its own transactions; null: the RPC did not answer. */
  walletEth: Decimal.nullable(),
  /** Whether the wallet address holds code: its permits may then be invalid. null: the RPC did not answer. */
  contractWallet: z.boolean().nullable(),
  missing: Missing,
  unknownFields: UnknownFields,
  readAtMs: z.number(),
})
export type Collateral = z.infer<typeof Collateral>

/** The effect of an order on the account, according to the service. null: not stated. */
export const RiskPreview = z.object({
  /** null: not stated. */
  executable: z.boolean().nullable(),
  /** Why the order is not allowed. `text`: a sentence. `raw`: the service's own words. */
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

/** The routes by which and the time at which the app read the data. */
const viewed = { source: AccountSource, readAtMs: z.number() }

const whose = z.object({ watch: Watch })

/**
 * An account's data. `source` contains the routes that the app used. The app reads the connected wallet's account with an API key or, if it cannot
 * use one, by the public routes; `source` then has the reason. The app reads a watch-only wallet's account by the public routes only. Queries fail
 * with `no_wallet` if no wallet is connected, and with `not_found` for a wallet that is not watched.
 */
export const account = {
  'account.summary': query(whose, AccountSummary.extend(viewed), 'wallet'),
  'account.positions': query(whose, z.object({ positions: z.array(Position), missing: Missing, ...viewed }), 'wallet'),
  /**
   * The newest page of orders in any state. Older pages contribute only the orders that still wait to execute. `cut`: why some waiting orders may be
   * missing; null: the list of waiting orders is complete.
   */
  'account.orders': query(whose, z.object({ orders: z.array(OpenOrder), cut: PageCut.nullable(), ...viewed }), 'wallet'),
  'account.collateral': query(whose, Collateral.extend(viewed), 'wallet'),
  /**
   * Asks the service for an order's effect on the account, without preparing or changing anything. Fails with `bad_input` if the market does not
   * accept such an order, and with `api_key_required` or `scope_missing` if no key can read the account.
   */
  'account.riskPreview': query(z.object({ ticket: OrderTicket }), RiskPreview, 'wallet'),
} as const

/**
 * The thresholds for the app's own liquidation warning. The app must warn because the service never sends `liquidation.warning`. null: no warning.
 */
export const RiskThresholds = z.object({
  /** Warn if the health factor is below this. */
  healthBelow: Decimal.nullable(),
  /** Warn if the mark price of a position is closer to its liquidation price than this, in percent of the mark price. */
  distanceBelow: Decimal.nullable(),
})
export type RiskThresholds = z.infer<typeof RiskThresholds>

export const riskAlerts = {
  'account.alerts': query(z.object({ watch: Watch }), RiskThresholds, 'wallet'),
  /** Fails with `bad_input` for a threshold that is not above zero. */
  'account.saveAlerts': command(
    z.object({ watch: Watch, healthBelow: z.string().max(40).nullable(), distanceBelow: z.string().max(40).nullable() }),
    RiskThresholds,
    {
      invalidates: ['account.alerts'],
    },
  ),
} as const

export const WatchedWallet = z.object({
  /** In checksum form. */
  address: z.string(),
  name: z.string(),
})
export type WatchedWallet = z.infer<typeof WatchedWallet>

const changes = { invalidates: ['account.watched'] } as const

/** Wallets that this profile can view but not use. The app reads them by the unversioned public routes. */
export const watchedWallets = {
  'account.watched': query(z.object({}), z.object({ wallets: z.array(WatchedWallet) }), 'wallet'),
  /** Adds the wallet, or renames it. Fails with `bad_input`. */
  'account.watch': command(z.object({ address: z.string().max(200), name: z.string().max(200) }), WatchedWallet, changes),
  'account.unwatch': command(z.object({ address: z.string() }), z.object({}), changes),
} as const
