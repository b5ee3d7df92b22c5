import { z } from 'zod'
import { command, query } from '../define.ts'
import { signInQueries } from '../intents/intent-queries.ts'
import { ChallengeProblem, Check, SignRequest } from '../intents/signing.ts'
import { UnknownFields } from '../missing.ts'

export const SessionStatus = z.object({
  state: z.enum(['none', 'active', 'ending', 'ended']),
  wallet: z.string().nullable(),
  expiresAtMs: z.number().nullable(),
  /** The developer profile, as the service sent it at the sign-in. */
  developer: UnknownFields,
})
export type SessionStatus = z.infer<typeof SessionStatus>

export const ChallengeView = z.object({
  id: z.string(),
  wallet: z.string(),
  /** The sign-in message exactly as received. The renderer makes its control and bidi characters visible. */
  message: z.string(),
  bytes: z.number(),
  checks: z.array(Check),
  passed: z.number(),
  verdict: z.enum(['pass', 'confirm', 'block']),
  /** The problem because of which the app blocks the sign-in message; null unless the verdict is `block`. */
  problem: ChallengeProblem.nullable(),
  expiresAtMs: z.number(),
  issuedAtMs: z.number(),
})
export type ChallengeView = z.infer<typeof ChallengeView>

export const session = {
  'session.status': query(z.object({}), SessionStatus, 'wallet'),
  'session.challenge': command(z.object({}), ChallengeView),
  /** Approves sending the sign-in message to the wallet. `acceptFormat`: the user accepts a message format that is new to the app. */
  'session.ask': command(z.object({ id: z.string(), acceptFormat: z.boolean() }), SignRequest),
  'session.complete': command(z.object({ id: z.string(), signature: z.string().max(65_536) }), SessionStatus, {
    invalidates: signInQueries,
  }),
  'session.end': command(z.object({}), SessionStatus, { invalidates: signInQueries }),
} as const
