import { z } from 'zod'
import { command, query } from '../define.ts'

/** Values that the service accepts, such as order types, in lower case. null if the service lists none; the app then allows all. */
const Words = z.array(z.string()).nullable()

export const Offers = z.object({
  orderTypes: Words,
  marginModes: Words,
  timesInForce: Words,
  /** Whether the service offers execution by executors, through `/orders/execute`; null if unknown. */
  delegated: z.boolean().nullable(),
  /** When the app last read these values, Unix ms; null if never. */
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
  /** Returns what the service accepts, according to `/meta` and `/api/dex/config` (Versioning 3). Sends requests only to the exchange. */
  'service.offers': query(
    z.object({
      /** true: read `/meta` and `/api/dex/config` again now, even if they were read recently. */
      again: z.boolean().optional(),
    }),
    Offers,
    'wallet',
  ),
  /** Lists how the service differs from what the app expects (`drifts`). `agreed`: the user has agreed to trade despite these differences. */
  'service.drift': query(z.object({}), z.object({ drifts: z.array(ServiceChange), agreed: z.boolean() }), 'wallet'),
  /**
   * Allows new trading actions despite the listed differences. Any further difference needs the user's agreement again. `drifts`: the differences
   * that the user saw.
   */
  'service.acceptChange': command(z.object({ drifts: z.array(ServiceChange).max(8) }), z.object({}), { invalidates: ['service.drift', 'app.attention'] }),
} as const

/** How much the app currently slows down polling. */
export const PollingRate = z.object({
  /** The reason for the current polling rate. refused: the service answered that it gets too many requests. */
  state: z.enum(['shown', 'hidden', 'asleep', 'refused']),
  /** The factor by which the app multiplies every polling interval. */
  factor: z.number(),
  /** The shortest interval between automatic reloads, in ms. */
  leastMs: z.number(),
  /** true if the app reloads nothing automatically. */
  stopped: z.boolean(),
})
export type PollingRate = z.infer<typeof PollingRate>

export const pollingRate = { 'app.pollingRate': query(z.object({}), PollingRate, 'app') } as const
