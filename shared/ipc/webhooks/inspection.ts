import { z } from 'zod'
import { longestPasted } from '../../webhooks/pasted.ts'
import { query } from '../define.ts'
import { InputIssue } from '../failure.ts'

/** What a pasted delivery is checked with: every signing secret that is kept here, that of one webhook, or none. */
const Against = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('kept') }),
  z.object({ kind: z.literal('webhook'), webhookId: z.string().max(200) }),
  z.object({ kind: z.literal('nothing') }),
])

const Webhook = z.object({ id: z.string(), url: z.string() })

/** What is wrong with a delivery: `shared/text/delivery-text.ts` says it. Holds nothing of the secret and no signature that would be right. */
export const DeliveryIssue = z.discriminatedUnion('code', [
  z.object({ code: z.literal('headers_missing'), names: z.array(z.string()) }),
  /** Of the signing, which is so long ago or ahead. */
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

/** A delivery, what each step of the check says of it, and what it says itself. */
export const InspectionRead = z.object({
  kind: z.literal('read'),
  form: z.enum(['headers', 'curl', 'har']),
  /** Every delivery that was found; more than one only in a HAR. */
  found: z.array(z.object({ title: z.string(), event: z.string().nullable() })),
  /** Which of them the rest is about. */
  index: z.number(),
  /**
   * old: signed rightly, and only its age is wrong. unknown: nothing checked it against a secret, and nothing else is wrong but perhaps its age.
   */
  verdict: z.enum(['right', 'old', 'wrong', 'unknown']),
  /** In the order in which a receiver checks. `issue`: what is wrong. */
  checks: z.array(
    z.object({
      step: z.enum(['headers', 'timestamp', 'age', 'signature form', 'signature', 'body', 'event id', 'event type']),
      result: z.enum(['passed', 'failed', 'unknown']),
      issue: DeliveryIssue.nullable(),
    }),
  ),
  /** Whose secret signed it; null: none that was tried. */
  signer: Webhook.nullable(),
  /** How many secrets were tried. */
  tried: z.number(),
  /** Why the signature was not checked, or not with every secret. */
  untried: z.enum(['chosen', 'none_kept', 'not_here', 'keychain_locked', 'keychain_failed']).nullable(),
  /** The body whose bytes were checked: of a right signature the one that it fits. */
  body: z.object({
    bytes: z.number(),
    text: z.string(),
    reading: z.enum(['pasted', 'without_break', 'with_break', 'crlf', 'lf']),
    /** The signature is that of the same JSON without its spaces: what was pasted is not what was sent. */
    reformatted: z.boolean(),
  }),
  /** As they came, those of the service first. */
  headers: z.array(z.object({ name: z.string(), value: z.string() })),
  /** When this attempt was signed, by X-Svc-Timestamp. */
  sentAtMs: z.number().nullable(),
  /** How long ago that was at the check; negative: in the future. */
  ageMs: z.number().nullable(),
  /** null: the body could not be read. */
  event: z
    .object({
      id: z.string(),
      type: z.string(),
      /** null: no moment that a calendar has. */
      createdAtMs: z.number(),
      revokedEventId: z.string().nullable(),
      /** The body indented, its numbers digit by digit as they came; null: it nests too deep. */
      whole: z.string().nullable(),
    })
    .nullable(),
})

export const Inspection = z.discriminatedUnion('kind', [
  /** `issue`: what of the pasted text cannot be read. */
  z.object({ kind: z.literal('unreadable'), issue: InputIssue }),
  InspectionRead,
])
export type Inspection = z.infer<typeof Inspection>

export const inspection = {
  /** Checks a delivery that somebody copied. Secrets stay in main; nothing is sent and nothing is kept. `index`: which of several. */
  'webhooks.inspect': query(
    z.object({ text: z.string().max(longestPasted), against: Against, index: z.number().int().min(0).max(100_000) }),
    Inspection,
    'wallet',
  ),
  /** The webhooks whose signing secrets are kept here, of whatever wallet. */
  'webhooks.kept': query(z.object({}), z.array(Webhook), 'wallet'),
} as const
