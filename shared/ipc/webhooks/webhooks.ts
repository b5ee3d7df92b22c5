import { z } from 'zod'
import { command, query } from '../define.ts'
import { EnvOutcome } from '../keys/secrets.ts'
import { Missing, UnknownFields } from '../missing.ts'
import { inspection } from './inspection.ts'

export const WebhookSummary = z.object({
  id: z.string(),
  /** The URL to which the service delivers; null if the service does not state it. */
  url: z.string().nullable(),
  /** Names of the subscribed events, or only `*` for all; null if not stated. */
  events: z.array(z.string()).nullable(),
  status: z.enum(['active', 'disabled', 'unknown']),
  createdAtMs: z.number().nullable(),
  /**
   * Where the signing secret is. keychain: stored in the keychain. memory: the keychain failed, so the secret is lost when the app quits. elsewhere:
   * not on this computer.
   */
  secret: z.enum(['keychain', 'memory', 'elsewhere']),
  unknownFields: UnknownFields,
})
export type WebhookSummary = z.infer<typeof WebhookSummary>

/** A creation of a webhook whose response was lost, with the webhooks that it may have created. */
export const UnmatchedWebhook = z.object({
  operationId: z.string(),
  url: z.string(),
  events: z.array(z.string()),
  startedAtMs: z.number(),
  /** Webhooks that the call may have created. If there are several, the app does not know which is right. */
  candidates: z.array(WebhookSummary),
  /** What was missing from the list of webhooks when the app searched for candidates. The created webhook may be among the missing entries. */
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
   * Creates a webhook. First resolves the URL's host, and fails with `bad_input` for field `url` if one of the host's addresses is not public.
   * Returns only after the signing secret was stored in the keychain and read back, or kept in memory (`secret: 'memory'`).
   */
  'webhooks.create': command(z.object({ url: z.string().max(2_048), events: z.array(z.string().max(64)).min(1).max(32) }), WebhookSummary, changes),
  /**
   * Disables a webhook. Safe to repeat. The app deletes the secret from the keychain only after the service has confirmed. `leftInKeychain`: the
   * webhook is disabled, but the keychain did not delete its signing secret.
   */
  'webhooks.disable': command(Id, z.object({ leftInKeychain: z.boolean() }), changes),
  /** Disables the webhook and creates a new one with the same URL and events. Useful if the old signing secret is not on this computer. */
  'webhooks.createAgain': command(Id, WebhookSummary, changes),
  'webhooks.unmatched': query(z.object({}), z.array(UnmatchedWebhook), 'wallet'),
  'webhooks.resolveUnmatched': command(
    z.object({ operationId: z.string(), webhookId: z.string().nullable(), action: z.enum(['create_again', 'disable', 'dismiss']) }),
    z.object({}),
    changes,
  ),
  /** Tries again to move a secret from memory to the keychain. */
  'webhooks.retryStore': command(Id, z.object({}), changes),
  /**
   * Main copies the webhook's signing secret to the clipboard. Main clears the clipboard after 30 s, on lock and on quit, unless the user has copied
   * something else since.
   */
  'webhooks.copySecret': command(Id, z.object({ clearsAtMs: z.number() })),
  /** Shows the webhook's signing secret in a separate window; the page never receives the secret. */
  'webhooks.reveal': command(Id, z.object({ closesAtMs: z.number() })),
  /**
   * Saves the webhook's signing secret as `SVC_WEBHOOK_SECRET` to a file with mode 0600. The user answers questions about the file with
   * `secrets.answerEnv`.
   */
  'webhooks.saveEnv': command(Id, EnvOutcome),
  ...inspection,
} as const
