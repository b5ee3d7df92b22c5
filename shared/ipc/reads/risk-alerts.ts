import { z } from 'zod'
import { command, query } from '../define.ts'
import { Watch } from './account-history.ts'
import { Decimal } from './markets.ts'

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
