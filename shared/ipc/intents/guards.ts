import { z } from 'zod'
import { command, query } from '../define.ts'
import { Decimal } from '../reads/markets.ts'

/** The user's own limits on new risk, of one profile and wallet. Null: no such rail. */
export const GuardRails = z.object({
  /** Largest notional of one order, USDC. */
  orderValueUsdc: Decimal.nullable(),
  leverage: z.number().int().min(1).nullable(),
  /** Largest realised loss of a UTC day, fees included, USDC. */
  dailyLossUsdc: Decimal.nullable(),
  /** Ids of the markets in which risk may be taken; null: all. */
  markets: z.array(z.number().int()).max(512).nullable(),
})
export type GuardRails = z.infer<typeof GuardRails>

export const TodayLoss = z.discriminatedUnion('known', [
  /** Realised since midnight UTC, fees included; 0 where the day stands above zero. USDC. */
  z.object({ known: z.literal(true), lossUsdc: Decimal, sinceMs: z.number() }),
  /** No key may read the account; the service did not tell what was closed and paid; or what it told cannot be added up. */
  z.object({ known: z.literal(false), why: z.enum(['no_key', 'not_told', 'not_added_up']), sinceMs: z.number() }),
])
export type TodayLoss = z.infer<typeof TodayLoss>

/** Checked in main before anything that adds risk is sent; what ends or lessens risk is never held back. */
export const guards = {
  /** `lost`: the journal that held them was damaged, and new risk waits until they are set or waived. `loosenWith`: what has to be typed to raise or remove a rail. Fails with `no_wallet` where no wallet's rails can be shown. */
  'guards.rails': query(z.object({}), z.object({ rails: GuardRails, lost: z.boolean(), loosenWith: z.string() }), 'wallet'),
  'guards.today': query(z.object({}), TodayLoss, 'wallet'),
  /** Fails with `bad_input` of `typed` where a rail is raised or removed, or lost ones are settled, and the name is not typed. Tightening takes none. */
  'guards.save': command(z.object({ rails: GuardRails, typed: z.string().max(200).nullable() }), GuardRails, { invalidates: ['guards.rails', 'guards.today'] }),
} as const
