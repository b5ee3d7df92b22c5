import { z } from 'zod'
import { command, query } from '../define.ts'
import { EnvOutcome } from '../keys/secrets.ts'
import { Missing, UnknownFields } from '../missing.ts'
import { inspection } from './inspection.ts'

export const WebhookSummary = z.object({
  id: z.string(),
  /** null: the service did not say. */
  url: z.string().nullable(),
  /** Names, or `*` alone; null: the service did not say. */
  events: z.array(z.string()).nullable(),
  status: z.enum(['active', 'disabled', 'unknown']),
  createdAtMs: z.number().nullable(),
  /** Of the signing secret, as in `KeySummary`. */
  secret: z.enum(['keychain', 'memory', 'elsewhere']),
  unknownFields: UnknownFields,
})
export type WebhookSummary = z.infer<typeof WebhookSummary>

/** A creation whose answer was lost, with what may have come of it. */
export const WebhookOrphan = z.object({
  operationId: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  startedAtMs: z.number(),
  /** More than one means that it is not known which. */
  candidates: z.array(WebhookSummary),
  /** Of the list that they were looked for in: where it lacks any, one of those may be it. */
  missing: Missing,
})
export type WebhookOrphan = z.infer<typeof WebhookOrphan>

const Id = z.object({ webhookId: z.string() })
const changes = { invalidates: ['webhooks.list', 'webhooks.kept', 'lab.state', 'webhooks.orphans', 'app.attention', 'activity.secrets'] } as const

export const webhooks = {
  'webhooks.list': query(
    z.object({}),
    z.object({ webhooks: z.array(WebhookSummary), missing: Missing, active: z.number().nullable(), limit: z.number(), readAtMs: z.number() }),
    'wallet',
  ),
  /**
   * Looks the host up first: `bad_input` with field `url` where an address of it is not public. Answers only after the signing secret is in the
   * keychain and was read back, or is kept in memory (`secret: 'memory'`).
   */
  'webhooks.create': command(z.object({ url: z.string().max(2_048), events: z.array(z.string().max(64)).min(1).max(32) }), WebhookSummary, changes),
  /** Repeating is safe. The secret leaves the keychain only after the service confirmed. */
  'webhooks.disable': command(Id, z.object({}), changes),
  /** Disables it and makes another with the same URL and events: the way to a fresh secret where this one is not here. */
  'webhooks.createAgain': command(Id, WebhookSummary, changes),
  'webhooks.orphans': query(z.object({}), z.array(WebhookOrphan), 'wallet'),
  'webhooks.settleOrphan': command(
    z.object({ operationId: z.string(), webhookId: z.string().nullable(), action: z.enum(['create_again', 'disable', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret that the keychain refused out of memory. */
  'webhooks.retryStore': command(Id, z.object({}), changes),
  /** As `keys.copySecret`. */
  'webhooks.copySecret': command(Id, z.object({ clearsAtMs: z.number() })),
  /** As `secrets.reveal`. */
  'webhooks.reveal': command(Id, z.object({ closesAtMs: z.number() })),
  /** As `secrets.saveEnv`, with `SVC_WEBHOOK_SECRET`. Questions are answered with `secrets.answerEnv`. */
  'webhooks.saveEnv': command(Id, EnvOutcome),
  ...inspection,
} as const
