import { z } from 'zod'
import { command, query } from '../define.ts'
import { Decimal } from '../reads/markets.ts'

/** The user's own limits on new risk, for one profile and wallet. null: no such limit. */
export const RiskLimits = z.object({
  /** Largest notional of one order, in USDC. */
  orderValueUsdc: Decimal.nullable(),
  leverage: z.number().int().min(1).nullable(),
  /** Maximum realised loss per UTC day in USDC, including fees. */
  dailyLossUsdc: Decimal.nullable(),
  /** Ids of the markets where the user may take risk; null: all. */
  markets: z.array(z.number().int()).max(512).nullable(),
})
export type RiskLimits = z.infer<typeof RiskLimits>

export const TodayLoss = z.discriminatedUnion('known', [
  /** Realised loss since midnight UTC in USDC, fees included; 0 if the day is in profit. */
  z.object({ known: z.literal(true), lossUsdc: Decimal, sinceMs: z.number() }),
  /**
   * Why the loss is unknown. no_key: no key may read the account. not_told: the service did not report the closed positions and fees.
   * not_added_up: the reported figures cannot be summed.
   */
  z.object({ known: z.literal(false), why: z.enum(['no_key', 'not_told', 'not_added_up']), sinceMs: z.number() }),
])
export type TodayLoss = z.infer<typeof TodayLoss>

/** Main checks these limits before it sends anything that adds risk. They never block an action that ends or reduces risk. */
export const riskLimits = {
  /**
   * `lost`: the journal with the limits was damaged, and new risk waits until the user sets or waives them. `loosenWith`: the text that the user
   * types to raise or remove a limit. Fails with `no_wallet` if there is no wallet whose limits could be shown.
   */
  'riskLimits.get': query(z.object({}), z.object({ limits: RiskLimits, lost: z.boolean(), loosenWith: z.string() }), 'wallet'),
  'riskLimits.today': query(z.object({}), TodayLoss, 'wallet'),
  /**
   * Fails with `bad_input` for `typed` if the change raises or removes a limit, or resolves lost limits, without the typed name. Tightening needs no
   * typed name.
   */
  'riskLimits.save': command(z.object({ limits: RiskLimits, typed: z.string().max(200).nullable() }), RiskLimits, {
    invalidates: ['riskLimits.get', 'riskLimits.today'],
  }),
} as const
