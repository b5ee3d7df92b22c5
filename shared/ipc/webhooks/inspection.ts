import { z } from 'zod'
import { longestPasted } from '../../webhooks/pasted.ts'
import { query } from '../define.ts'
import { InputIssue } from '../failure.ts'

/** The secrets with which to verify a pasted delivery: all signing secrets stored here, only that of one webhook, or none. */
const Against = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept') }),
  z.object({ kind: z.literal('webhook'), webhookId: z.string().max(200) }),
  z.object({ kind: z.literal('nothing') }),
])

const Webhook = z.object({ id: z.string(), url: z.string() })

/**
 * A problem with a webhook delivery. It never contains any part of a secret or of a valid signature. `shared/text/delivery-text.ts` has the texts.
 */
export const DeliveryIssue = z.discriminatedUnion('code', [
  z.object({ code: z.literal('headers_missing'), names: z.array(z.string()) }),
  /** The delivery's signing time is too far from now. `byS`: how many seconds it is in the past (`too_old`) or in the future (`ahead`). */
  z.object({ code: z.enum(['too_old', 'ahead']), byS: z.number(), toleranceS: z.number() }),
  z.object({
    code: z.enum([
      'timestamp_unread',
      'age_unset',
      'signature_form',
      'no_secret',
      'other_signature',
      'not_json',
      'no_object',
      'no_id',
      'no_type',
      'no_time',
      'beyond_calendar',
      'no_data',
      'no_revoked_id',
      'other_id',
      'other_type',
    ]),
  }),
])
export type DeliveryIssue = z.infer<typeof DeliveryIssue>

/** A delivery that was read, with the result of each check and its content. */
export const InspectionRead = z.object({
  kind: z.literal('read'),
  form: z.enum(['headers', 'curl', 'har']),
  /** All deliveries in the pasted text. Only a HAR file can contain more than one. */
  found: z.array(z.object({ title: z.string(), event: z.string().nullable() })),
  /** Index of the delivery that the fields below describe. */
  index: z.number(),
  /**
   * Result of all checks together. old: the signature is valid, but the delivery is too old. unknown: the app had no secret to verify the signature,
   * and found no problem except possibly the age.
   */
  verdict: z.enum(['right', 'old', 'wrong', 'unknown']),
  /** The checks, in the order in which a receiver should make them. `issue`: the problem found. */
  checks: z.array(
    z.object({
      step: z.enum(['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type']),
      result: z.enum(['passed', 'failed', 'unknown']),
      issue: DeliveryIssue.nullable(),
    }),
  ),
  /** The webhook whose secret signed the delivery; null: none of the tried secrets did. */
  signer: Webhook.nullable(),
  tried: z.number(),
  /** Why the app did not try all stored secrets; null if it tried all. chosen: the user chose to try only some. */
  untried: z.enum(['chosen', 'none_kept', 'not_here', 'keychain_locked', 'keychain_failed']).nullable(),
  /**
   * The body of the delivery. Copying may have changed line breaks, so the app verifies several variants of the pasted body. `body` is the variant
   * with a valid signature, if one exists.
   */
  body: z.object({
    bytes: z.number(),
    text: z.string(),
    reading: z.enum(['pasted', 'without_break', 'with_break', 'crlf', 'lf']),
    /**
     * true: the signature is valid only for the body without whitespace between JSON values. So something reformatted the body after the service had
     * sent it.
     */
    reformatted: z.boolean(),
  }),
  /** The headers as pasted, beginning with the service's own headers. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** When the sender signed this attempt, according to X-Svc-Timestamp. */
  sentAtMs: z.number().nullable(),
  /** The delivery's age at the time of the check; negative: signed in the future. */
  ageMs: z.number().nullable(),
  /** The event in the body; null: the body is unreadable. */
  event: z
    .object({
      id: z.string(),
      type: z.string(),
      /** When the event happened, according to its `created_at`. */
      createdAtMs: z.number(),
      revokedEventId: z.string().nullable(),
      /** The whole body, indented for reading, with every digit of its numbers unchanged; null: nested too deeply. */
      whole: z.string().nullable(),
    })
    .nullable(),
})

export const Inspection = z.discriminatedUnion('kind', [
  /** The app cannot read the pasted text. `issue`: which part is unreadable. */
  z.object({ kind: z.literal('unreadable'), issue: InputIssue }),
  InspectionRead,
])
export type Inspection = z.infer<typeof Inspection>

export const inspection = {
  /**
   * Verifies the signature and content of a delivery that the user pasted. Secrets stay in main, and nothing is sent or stored. `index`: which
   * delivery to verify, if the pasted text contains several.
   */
  'webhooks.inspect': query(
    z.object({ text: z.string().max(longestPasted), against: Against, index: z.number().int().min(0).max(100_000) }),
    Inspection,
    'wallet',
  ),
  /** Returns the webhooks of all wallets whose signing secrets are stored here. */
  'webhooks.kept': query(z.object({}), z.array(Webhook), 'wallet'),
} as const
