import { z } from 'zod'
import { query } from '../define.ts'

/** How much slower than they ask for the views read again just now. */
export const Pace = z.object({
  /** refused: the service has answered that it is asked too often. */
  state: z.enum(['shown', 'hidden', 'asleep', 'refused']),
  /** Every interval is so many times as long. */
  factor: z.number(),
  /** And no shorter than this, ms. */
  leastMs: z.number(),
  /** Nothing is read again by itself. */
  stopped: z.boolean(),
})
export type Pace = z.infer<typeof Pace>

export const pace = { 'app.pace': query(z.object({}), Pace, 'app') } as const
