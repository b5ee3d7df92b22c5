import { z } from 'zod'
import { command, query } from '../define.ts'
import { EnvOutcome } from '../keys/secrets.ts'
import { Missing, UnknownFields } from '../missing.ts'
import { inspection } from './inspection.ts'

export const WebhookSummary = z.object({
  id: z.string(),
  /** null: not stated. */
  url: z.string().nullable(),
  /** Event names, or only `*`; null: not stated. */
  events: z.array(z.string()).nullable(),
  status: z.enum(['active', 'disabled', 'unknown']),
  createdAtMs: z.number().nullable(),
  /** Where the signing secret is stored. Same values as in `KeySummary`. */
  secret: z.enum(['keychain', 'memory', 'elsewhere']),
  unknownFields: UnknownFields,
})
export type WebhookSummary = z.infer<typeof WebhookSummary>

/** A webhook creation whose response was lost, with the webhooks that it may have created. */
export const UnmatchedWebhook = z.object({
  operationId: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  startedAtMs: z.number(),
  /** Webhooks that may be the created one. If there are several, the app does not know which. */
  candidates: z.array(WebhookSummary),
  /** What was missing from the list of webhooks when the app searched it for candidates. A webhook missing from the list could be the created one. */
  missing: Missing,
})
export type UnmatchedWebhook = z.infer<typeof UnmatchedWebhook>

const Id = z.object({ webhookId: z.string() })
const changes = { invalidates: ['webhooks.list', 'webhooks.kept', 'lab.state', 'webhooks.unmatched', 'app.attention', 'activity.secrets'] } as const

export const webhooks = {
  'webhooks.list': query(
    z.object({}),
    z.object({ webhooks: z.array(WebhookSummary), missing: Missing, active: z.number().nullable(), limit: z.number(), readAtMs: z.number() }),
    'wallet',
  ),
  /**
   * Creates a webhook, after resolving the URL's host. Fails with `bad_input` for field `url` if one of the host's addresses is not public. Returns
   * only after the app stored the signing secret in the keychain and read it back, or kept it in memory (`secret: 'memory'`).
   */
  'webhooks.create': command(z.object({ url: z.string().max(2_048), events: z.array(z.string().max(64)).min(1).max(32) }), WebhookSummary, changes),
  /** Disables a webhook. Safe to repeat. The app deletes the secret from the keychain only after the service has confirmed. */
  'webhooks.disable': command(Id, z.object({}), changes),
  /** Disables the webhook and creates a new one with the same URL and events. Useful if the old signing secret is not on this computer. */
  'webhooks.createAgain': command(Id, WebhookSummary, changes),
  'webhooks.unmatched': query(z.object({}), z.array(UnmatchedWebhook), 'wallet'),
  'webhooks.resolveUnmatched': command(
    z.object({ operationId: z.string(), webhookId: z.string().nullable(), action: z.enum(['create_again', 'disable', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret from memory to the keychain, after the keychain refused it. */
  'webhooks.retryStore': command(Id, z.object({}), changes),
  /** Like `keys.copySecret`, for the webhook's signing secret. */
  'webhooks.copySecret': command(Id, z.object({ clearsAtMs: z.number() })),
  /** Like `secrets.reveal`, for the webhook's signing secret. */
  'webhooks.reveal': command(Id, z.object({ closesAtMs: z.number() })),
  /** Like `secrets.saveEnv`, but writes `SVC_WEBHOOK_SECRET`. The user answers questions about the file through `secrets.answerEnv`. */
  'webhooks.saveEnv': command(Id, EnvOutcome),
  ...inspection,
} as const
