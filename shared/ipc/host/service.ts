import { z } from 'zod'
import { command, query } from '../define.ts'

/** Values that the service accepts, in lower case, such as order types; null if the service does not list them, so that the app allows all. */
const Words = z.array(z.string()).nullable()

export const Offers = z.object({
  orderTypes: Words,
  marginModes: Words,
  timesInForce: Words,
  /** Whether the service offers delegated execution, through `/orders/execute`. */
  delegated: z.boolean().nullable(),
  /** Unix ms of the latest reading; null if there was none. */
  readAtMs: z.number().nullable(),
})
export type Offers = z.infer<typeof Offers>

/** A difference between what the service publishes about itself and what the app expects. */
export const ServiceChange = z.object({
  what: z.enum(['api_version', 'schema', 'router', 'scopes']),
  /** What the app expects: the documented value, or the router that the user trusts. */
  expected: z.string(),
  /** What the service publishes; null if it publishes nothing. */
  found: z.string().nullable(),
})
export type ServiceChange = z.infer<typeof ServiceChange>

export const service = {
  /** What the service accepts, according to `/meta` and `/api/dex/config` (Versioning 3). Contacts only the exchange. */
  'service.offers': query(
    z.object({
      /** true: reads `/meta` and `/api/dex/config` now, even if the last reading is recent. */
      again: z.boolean().optional(),
    }),
    Offers,
    'wallet',
  ),
  /** Lists what differs from the app's expectations (`drifts`). `agreed`: the user chose to trade despite these differences. */
  'service.drift': query(z.object({}), z.object({ drifts: z.array(ServiceChange), agreed: z.boolean() }), 'wallet'),
  /**
   * Allows new trading actions despite the changes shown; any further change needs the user's consent again. `drifts`: the changes that the user
   * saw.
   */
  'service.acceptChange': command(z.object({ drifts: z.array(ServiceChange).max(8) }), z.object({}), { invalidates: ['service.drift', 'app.attention'] }),
} as const

/** How much the app currently slows down polling. */
export const PollingRate = z.object({
  /** refused: the service answered that it gets too many requests. */
  state: z.enum(['shown', 'hidden', 'asleep', 'refused']),
  /** The app multiplies every interval by this. */
  factor: z.number(),
  /** The shortest interval between automatic reloads, in ms. */
  leastMs: z.number(),
  /** true if the app reloads nothing automatically. */
  stopped: z.boolean(),
})
export type PollingRate = z.infer<typeof PollingRate>

export const pollingRate = { 'app.pollingRate': query(z.object({}), PollingRate, 'app') } as const
