import { z } from 'zod'
import { command, query } from '../define.ts'

/** Words as the service writes them, in lower case; null: it does not say, and the app restricts nothing. */
const Words = z.array(z.string()).nullable()

export const Offers = z.object({
  orderTypes: Words,
  marginModes: Words,
  timesInForce: Words,
  /** Delegated execution, through `/orders/execute`. */
  delegated: z.boolean().nullable(),
  /** Unix ms of the latest reading; null: none yet. */
  readAtMs: z.number().nullable(),
})
export type Offers = z.infer<typeof Offers>

/** Something that the service publishes about itself and that differs from what the app expects. */
export const ServiceChange = z.object({
  what: z.enum(['api_version', 'schema', 'router', 'scopes']),
  /** What the app expects: the documented value, or the router that the user trusts. */
  expected: z.string(),
  /** null: the service does not say. */
  found: z.string().nullable(),
})
export type ServiceChange = z.infer<typeof ServiceChange>

export const service = {
  /** What the service accepts, according to `/meta` and `/api/dex/config` (Versioning 3). Contacts only the exchange. */
  'service.offers': query(
    z.object({
      /** Reads both now, even if the last reading is recent. */
      again: z.boolean().optional(),
    }),
    Offers,
    'wallet',
  ),
  /** `agreed`: the user chose to trade anyway. */
  'service.drift': query(z.object({}), z.object({ drifts: z.array(ServiceChange), agreed: z.boolean() }), 'wallet'),
  /**
   * Lets new trading actions continue with what the service publishes now; a further change needs a new consent. `drifts`: the changes that the user
   * saw.
   */
  'service.acceptChange': command(z.object({ drifts: z.array(ServiceChange).max(8) }), z.object({}), { invalidates: ['service.drift', 'app.attention'] }),
} as const

/** How much the app currently slows down the polling of the views. */
export const PollingRate = z.object({
  /** refused: the service answered that it gets too many requests. */
  state: z.enum(['shown', 'hidden', 'asleep', 'refused']),
  /** The app multiplies every interval by this. */
  factor: z.number(),
  /** The shortest interval, in ms. */
  leastMs: z.number(),
  /** The app reloads nothing automatically. */
  stopped: z.boolean(),
})
export type PollingRate = z.infer<typeof PollingRate>

export const pollingRate = { 'app.pollingRate': query(z.object({}), PollingRate, 'app') } as const
