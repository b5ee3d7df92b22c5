import { z } from 'zod'
import { query } from '../define.ts'

export const SecretOperation = z.object({
  id: z.string(),
  kind: z.enum(['create', 'rotate', 'revoke', 'expiry', 'import', 'grant', 'executor', 'webhook_create', 'webhook_disable']),
  label: z.string(),
  /** Of the key, or of the webhook. */
  keyId: z.string().nullable(),
  state: z.enum(['PLANNED', 'SENT', 'STORED', 'VERIFIED', 'FAILED', 'UNKNOWN', 'SETTLED']),
  atMs: z.number(),
  updatedAtMs: z.number(),
  note: z.string().nullable(),
})
export type SecretOperation = z.infer<typeof SecretOperation>

export const activity = {
  'activity.secrets': query(z.object({ limit: z.number().int().min(1).max(500) }), z.array(SecretOperation), 'wallet'),
} as const
