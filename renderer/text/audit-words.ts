import type { AuditKind, AuditRow } from '../../shared/ipc/reads/audit.ts'
import { auditDetailText } from '../../shared/text/audit-text.ts'
import type { IconName } from '../kit/icons/icon.tsx'

/** What happened, as a picture and as a word to filter by. */
export const auditKinds: Readonly<Record<AuditKind, { readonly icon: IconName; readonly word: string }>> = {
  sign_in: { icon: 'user', word: 'Sign-ins' },
  key_created: { icon: 'key', word: 'Keys created' },
  key_rotated: { icon: 'rotate', word: 'Secrets rotated' },
  key_revoked: { icon: 'trash', word: 'Keys revoked' },
  expiry_changed: { icon: 'clock', word: 'Ends changed' },
  agent: { icon: 'bot', word: 'Agents' },
  executor: { icon: 'chip', word: 'Executors' },
  payment: { icon: 'coins', word: 'Payments' },
  secret_used: { icon: 'copy', word: 'Secrets used' },
  call: { icon: 'activity', word: 'Calls' },
  webhook: { icon: 'webhook', word: 'Webhooks' },
  other: { icon: 'doc', word: 'Other' },
}

/** Who did it, from where, and what more is known: the line under a row's title. */
export function auditDetail(row: AuditRow): string {
  const where = row.source === 'app' ? 'This computer' : row.origin === 'here' ? 'By this app' : row.origin === 'elsewhere' ? 'Not by this app' : null
  return [where, row.ip === null ? null : `from ${row.ip}`, auditDetailText(row)].filter((part) => part !== null && part !== '').join(', ')
}
