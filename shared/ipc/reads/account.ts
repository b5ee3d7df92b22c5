import { z } from 'zod'
import { command, query } from '../define.ts'
import { OrderTicket } from '../intents/tickets.ts'
import { TokenSymbol } from '../intents/token-symbol.ts'
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
  /** What its tickets name it by; null: the service does not tell, and nothing can be asked for it. */
  id: z.string().nullable(),
  pairId: z.number().int(),
  symbol: z.string().nullable(),
  side: z.enum(['long', 'short']),
  /** Base units, unsigned. */
  size: Decimal.nullable(),
  /** Where nothing tells its unit: the size as the service writes it, unsigned. It is compared, and shown nowhere. */
  rawSize: Decimal.optional(),
  notionalUsdc: Decimal.nullable(),
  entryPrice: Decimal.nullable(),
  markPrice: Decimal.nullable(),
  liquidationPrice: Decimal.nullable(),
  leverage: Decimal.nullable(),
  marginMode: z.string().nullable(),
  /** USDC that stand behind it. */
  marginUsdc: Decimal.nullable(),
  unrealisedPnl: Decimal.nullable(),
  takeProfit: Decimal.nullable(),
  stopLoss: Decimal.nullable(),
})
export type Position = z.infer<typeof Position>

/**
 * Why a paginated list could not be read to its end: the service repeats a cursor or names none, a later page did not come, or there are more pages than
 * the app reads; unreadable: it was, and some of its records cannot be read.
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
  /** It closes a position, and opens none. */
  reduceOnly: z.boolean().nullable(),
  /** The position that it closes. */
  positionId: z.string().nullable(),
  status: z.string().nullable(),
  clientOrderId: z.string().nullable(),
  atMs: z.number().nullable(),
})
export type OpenOrder = z.infer<typeof OpenOrder>

/** One token of the collateral, as the service keeps it and as the wallet holds it. */
export const CollateralBalance = z.object({
  /** Its symbol. */
  asset: z.string(),
  /** Its ERC-20 contract; null: not told. */
  contract: z.string().nullable(),
  /** What the exchange holds for the wallet, in the token. */
  balance: Decimal.nullable(),
  locked: Decimal.nullable(),
  withdrawable: Decimal.nullable(),
  /** Outside the exchange, by the chain. null: the contract is not known, or the RPC did not answer. */
  walletBalance: Decimal.nullable(),
  /** The token's own, by the chain; null as above. */
  decimals: z.number().int().nullable(),
})
export type CollateralBalance = z.infer<typeof CollateralBalance>

export const Collateral = z.object({
  balances: z.array(CollateralBalance),
  /** Symbols of what can be put in and taken out: USDC, and the protocol's own token where the service names it. */
  tokens: z.array(TokenSymbol),
  /** Whether USDC may be deposited by EIP-2612 signature (Flow rules 4); null: the public config could not be read. */
  permitOffered: z.boolean().nullable(),
  /** ETH of the wallet, for the gas of its own transactions; null: the RPC did not answer. */
  walletEth: Decimal.nullable(),
  /** Whether code stands at the wallet's address: its permits may count for nothing. null: the RPC did not answer. */
  contractWallet: z.boolean().nullable(),
  missing: Missing,
  unknownFields: UnknownFields,
  readAtMs: z.number(),
})
export type Collateral = z.infer<typeof Collateral>

/** What an order would do to the account, by the service's own word. What it did not say is null. */
export const RiskPreview = z.object({
  /** null: it did not say. */
  executable: z.boolean().nullable(),
  /** Why not, in words and as the service said it. */
  reason: z.object({ text: z.string(), raw: z.string() }).nullable(),
  entryPrice: Decimal.nullable(),
  liquidationPrice: Decimal.nullable(),
  marginUsdc: Decimal.nullable(),
  /** Percent of the equity. */
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

/** What one wallet has, whichever way it was read. */
const viewed = { source: AccountSource, readAtMs: z.number() }

const whose = z.object({ watch: Watch })

/**
 * The connected wallet's account with a key, else by the public routes; or a watch-only wallet's, by those. None of the reads fails for want of
 * a key: `source` says what kept one from being used. They fail with `no_wallet`, and with `not_found` for a wallet that is not watched.
 */
export const account = {
  'account.summary': query(whose, AccountSummary.extend(viewed), 'wallet'),
  'account.positions': query(whose, z.object({ positions: z.array(Position), missing: Missing, ...viewed }), 'wallet'),
  /** The newest page of any state, and of the older ones those that wait. `cut`: why some of these may be missing; null: none is. */
  'account.orders': query(whose, z.object({ orders: z.array(OpenOrder), cut: PageCut.nullable(), ...viewed }), 'wallet'),
  'account.collateral': query(whose, Collateral.extend(viewed), 'wallet'),
  /**
   * Prepares and changes nothing. Fails with `bad_input` where the market does not take such an order, and with `api_key_required` or
   * `scope_missing` when no key can read the account.
   */
  'account.riskPreview': query(z.object({ ticket: OrderTicket }), RiskPreview, 'wallet'),
} as const

/** When to tell that an account comes close to liquidation: the service never does (`liquidation.warning` is never emitted). null: not watched. */
export const RiskThresholds = z.object({
  /** A health factor below this. */
  healthBelow: Decimal.nullable(),
  /** A position whose mark is nearer to its liquidation price than this, in percent of the mark. */
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
  /** Checksummed. */
  address: z.string(),
  name: z.string(),
})
export type WatchedWallet = z.infer<typeof WatchedWallet>

const changes = { invalidates: ['account.watched'] } as const

/** Wallets that this profile looks at and can do nothing with (Unversioned public routes). */
export const watchedWallets = {
  'account.watched': query(z.object({}), z.object({ wallets: z.array(WatchedWallet) }), 'wallet'),
  /** Adds it, or gives it another name. Fails with `bad_input`. */
  'account.watch': command(z.object({ address: z.string().max(200), name: z.string().max(200) }), WatchedWallet, changes),
  'account.unwatch': command(z.object({ address: z.string() }), z.object({}), changes),
} as const
