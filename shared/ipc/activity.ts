import { z } from 'zod'
import { query } from './define.ts'
import { RequestRecord } from './orders.ts'

export const SecretOperation = z.object({
  id: z.string(),
  kind: z.enum(['create', 'rotate', 'revoke', 'expiry', 'import', 'grant', 'executor']),
  label: z.string(),
  keyId: z.string().nullable(),
  state: z.enum(['PLANNED', 'SENT', 'STORED', 'VERIFIED', 'FAILED', 'UNKNOWN', 'SETTLED']),
  atMs: z.number(),
  updatedAtMs: z.number(),
  note: z.string().nullable(),
})
export type SecretOperation = z.infer<typeof SecretOperation>

export const activity = {
  'activity.requests': query(z.object({ limit: z.number().int().min(1).max(500) }), z.array(RequestRecord)),
  'activity.secrets': query(z.object({ limit: z.number().int().min(1).max(500) }), z.array(SecretOperation)),
} as const
