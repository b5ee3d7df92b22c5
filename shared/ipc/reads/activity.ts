import { z } from 'zod'
import { query } from '../define.ts'
import { FailureKind } from '../failure.ts'

/** Codes of notes without details. `shared/text/audit-text.ts` has a sentence for each code. */
export const PlainOperationNote = z.enum([
  'answer_lost',
  'answer_unreadable',
  'key_may_exist',
  'key_may_exist_unread',
  'webhook_may_exist',
  'webhook_may_exist_unread',
  'secret_may_have_changed',
  'secret_may_have_changed_unread',
  'revoke_unanswered',
  'disable_unanswered',
  'confirmed',
  'disk_full',
  'stopped_before_sent',
  'stopped_before_stored',
  'stopped_before_answer_stored',
  // What the lists of keys and webhooks show after a request of unknown outcome
  'listed_revoked',
  'listed_not_revoked',
  'listed_disabled',
  'listed_not_disabled',
  'listed_endless',
  'no_new_key',
  'no_new_key_sent_again',
  'no_new_webhook',
  'secret_found',
  'new_secret_found',
  'key_over',
  'key_revoked',
  'rotated_since',
  'webhook_over',
  // Decisions of the user
  'dismissed',
  'orphan_rotated',
  'orphan_revoked',
  'orphan_disabled',
  'handed_over',
  // Outcomes of the steps of a key replacement
  'agent_granted',
  'without_agent',
  'by_your_word',
  'use_in_audit',
  'moved_in_gateway',
  'new_key_revoked',
  'preparation_over',
  'nothing_created',
  'here_again',
  'old_key_listed_revoked',
  'lost_creation_empty',
  'new_key_missing',
  'grant_lost',
  'grant_unread',
  'grant_stored',
  'grant_listed',
  'grant_not_listed',
  'signature_sent_again',
  'executor_listed',
  'executor_not_listed',
])
export type PlainOperationNote = z.infer<typeof PlainOperationNote>

/**
 * Codes of notes with a detail. In a note, a space and the detail (such as a date) follow the code. as_written: the detail is a finished sentence
 * that an earlier version of the app stored.
 */
const OperationNoteFact = z.enum([
  'expiry_asked',
  'expiry_unanswered',
  'expiry_confirmed',
  'listed_end',
  'keychain_refused',
  'executor_unanswered',
  'executor_bound',
  'executor_differs',
  'as_written',
])
export type OperationNoteFact = z.infer<typeof OperationNoteFact>

/**
 * The outcome of an operation or a replacement: a code, a code with a detail, or the kind of failure. The journal stores notes, so do not rename a
 * code.
 */
export const OperationNote = z.union([PlainOperationNote, z.templateLiteral([OperationNoteFact, ' ', z.string()]), FailureKind])
export type OperationNote = z.infer<typeof OperationNote>

export const SecretOperation = z.object({
  id: z.string(),
  kind: z.enum(['create', 'rotate', 'revoke', 'expiry', 'import', 'grant', 'executor', 'webhook_create', 'webhook_disable']),
  label: z.string(),
  /** The id of the key, or of the webhook if the operation concerns a webhook. */
  keyId: z.string().nullable(),
  state: z.enum(['PLANNED', 'SENT', 'STORED', 'VERIFIED', 'FAILED', 'UNKNOWN', 'SETTLED']),
  atMs: z.number(),
  updatedAtMs: z.number(),
  note: OperationNote.nullable(),
})
export type SecretOperation = z.infer<typeof SecretOperation>

export const activity = {
  'activity.secrets': query(z.object({ limit: z.number().int().min(1).max(500) }), z.array(SecretOperation), 'wallet'),
} as const
