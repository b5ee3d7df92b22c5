import { z } from 'zod'
import { command, query } from '../define.ts'

/** Words as the service writes them, in lower case; null: it does not tell, and nothing is taken from the user. */
const Words = z.array(z.string()).nullable()

export const Offers = z.object({
  orderTypes: Words,
  marginModes: Words,
  timesInForce: Words,
  /** Delegated execution, through `/orders/execute`. */
  delegated: z.boolean().nullable(),
  /** Unix ms of the newest reading; null: nothing was read yet. */
  readAtMs: z.number().nullable(),
})
export type Offers = z.infer<typeof Offers>

/** One thing that the service publishes of itself and that is not what this app goes by. */
export const Drift = z.object({
  what: z.enum(['api_version', 'schema', 'router', 'scopes']),
  /** What the app goes by: the documented one, or the router that the user pinned. */
  expected: z.string(),
  /** null: it does not tell. */
  found: z.string().nullable(),
})
export type Drift = z.infer<typeof Drift>

export const service = {
  /** What the service takes, by `/meta` and `/api/dex/config` (Versioning 3). Asks nobody but the exchange. */
  'service.offers': query(
    z.object({
      /** Reads both now, however new they are. */
      again: z.boolean().optional(),
    }),
    Offers,
    'wallet',
  ),
  /** `agreed`: the user said to trade all the same. */
  'service.drift': query(z.object({}), z.object({ drifts: z.array(Drift), agreed: z.boolean() }), 'wallet'),
  /** New trading actions go on with what the service publishes now; another change asks again. `drifts`: those that the user saw. */
  'service.agreeToDrift': command(z.object({ drifts: z.array(Drift).max(8) }), z.object({}), { invalidates: ['service.drift', 'app.attention'] }),
} as const

/** How much slower than they ask for the views read again just now. */
export const PollingRate = z.object({
  /** refused: the service has answered that it is asked too often. */
  state: z.enum(['shown', 'hidden', 'asleep', 'refused']),
  /** Every interval is so many times as long. */
  factor: z.number(),
  /** And no shorter than this, ms. */
  leastMs: z.number(),
  /** Nothing is read again by itself. */
  stopped: z.boolean(),
})
export type PollingRate = z.infer<typeof PollingRate>

export const pollingRate = { 'app.pollingRate': query(z.object({}), PollingRate, 'app') } as const
