import { z } from 'zod'
import { command, query } from '../define.ts'

export const PanicState = z.discriminatedUnion('state', [
  z.object({ state: z.literal('idle') }),
  z.object({
    /** running: requests are leaving. stopped: it ended with keys left, or the app was closed; `panic.resume` goes on. done: every key was answered for. */
    state: z.enum(['running', 'stopped', 'done']),
    id: z.string(),
    startedAtMs: z.number(),
    endedAtMs: z.number().nullable(),
    total: z.number().int(),
    revoked: z.number().int(),
    /** The service refused, or does not know the key. Not asked again by itself. */
    refused: z.number().int(),
    /** Not asked yet, or without an answer. */
    left: z.number().int(),
    /** Why it stopped; null while it runs and once it is done. */
    waitsFor: z.enum(['sign_in', 'wallet', 'service', 'restart']).nullable(),
  }),
])
export type PanicState = z.infer<typeof PanicState>

export const PanicRow = z.object({
  keyId: z.string(),
  label: z.string(),
  /** waiting: not asked yet. unknown: asked, and the answer was lost; it is asked again. */
  outcome: z.enum(['waiting', 'revoked', 'refused', 'unknown']),
  /** In the service's words or this app's; null where there is nothing to say. */
  detail: z.string().nullable(),
  requestId: z.string().nullable(),
  /** Of the answer, or of the last try. */
  atMs: z.number().nullable(),
  /** The key is revoked and its secret could not be removed from the keychain. It is worth nothing any more. */
  leftInKeychain: z.boolean(),
})
export type PanicRow = z.infer<typeof PanicRow>

const changes = {
  invalidates: ['panic.state', 'panic.report', 'keys.list', 'keys.orphans', 'replacements.list', 'markets.list', 'app.attention', 'activity.secrets'],
} as const

/** Revokes many keys at once, below the service's 10 requests a second (LIM-01). Nothing on this computer holds it back. */
export const panic = {
  'panic.state': query(z.object({}), PanicState, 'wallet'),
  /** `typed`: the words of `shared/phrases.ts` for that many keys. Answers at once; `panic.state` tells how it goes. */
  'panic.start': command(z.object({ keyIds: z.array(z.string()).min(1).max(64), typed: z.string() }), PanicState, changes),
  'panic.resume': command(z.object({}), PanicState, changes),
  /** Of the last one; empty where there was none. In the order of asking. */
  'panic.report': query(z.object({}), z.array(PanicRow), 'wallet'),
  /** A table with commas, where the user chooses. `path` null: the dialog was closed. */
  'panic.saveReport': command(z.object({}), z.object({ path: z.string().nullable() })),
} as const
