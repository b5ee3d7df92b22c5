import { z } from 'zod'
import { command, query } from '../define.ts'
import { Decimal } from '../reads/markets.ts'

/** Limits that the user sets on new risk, for one profile and wallet. A field is null if the user set no such limit. */
export const RiskLimits = z.object({
  /** Largest notional of one order, in USDC. */
  orderValueUsdc: Decimal.nullable(),
  leverage: z.number().int().min(1).nullable(),
  /** Maximum realised loss per UTC day in USDC, including fees. */
  dailyLossUsdc: Decimal.nullable(),
  /** Ids of the markets in which orders may add risk; null: all markets. */
  markets: z.array(z.number().int()).max(512).nullable(),
})
export type RiskLimits = z.infer<typeof RiskLimits>

export const TodayLoss = z.discriminatedUnion('known', [
  /** Realised loss since midnight UTC in USDC, fees included; 0 if the day has made a profit so far. */
  z.object({ known: z.literal(true), lossUsdc: Decimal, sinceMs: z.number() }),
  /**
   * Why the loss is unknown. no_key: no API key can read the account. not_told: the service did not report all closed positions and fees.
   * not_added_up: the reported amounts cannot be added up.
   */
  z.object({ known: z.literal(false), why: z.enum(['no_key', 'not_told', 'not_added_up']), sinceMs: z.number() }),
])
export type TodayLoss = z.infer<typeof TodayLoss>

/**
 * Calls for the user's risk limits. Main checks the limits before it sends anything that adds risk. They never block an action that ends or reduces
 * risk.
 */
export const riskLimits = {
  /**
   * Returns the risk limits. `lost`: the journal with the limits was damaged; until the user sets or waives them again, the app sends no orders that
   * add risk. `loosenWith`: the phrase that the user must type to raise or remove a limit. Fails with `no_wallet` if no wallet is connected.
   */
  'riskLimits.get': query(z.object({}), z.object({ limits: RiskLimits, lost: z.boolean(), loosenWith: z.string() }), 'wallet'),
  'riskLimits.today': query(z.object({}), TodayLoss, 'wallet'),
  /**
   * Saves the risk limits. To raise or remove a limit, or to replace lost limits, `typed` must equal `loosenWith`; otherwise the call fails with
   * `bad_input` for the field `typed`. Lowering or adding a limit needs no typed phrase.
   */
  'riskLimits.save': command(z.object({ limits: RiskLimits, typed: z.string().max(200).nullable() }), RiskLimits, {
    invalidates: ['riskLimits.get', 'riskLimits.today'],
  }),
} as const
