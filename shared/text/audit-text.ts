import type { AuditRow } from '../ipc/reads/audit.ts'
import { operationNoteText } from './operation-note-text.ts'

/** The window and the exported file say the same of an event. */
const titles: Readonly<Record<string, string>> = {
  // The service's
  'session.created': 'Signed in',
  'session.refused': 'Sign-in refused',
  'key.prepared': 'Bot-ready key prepared',
  'key.created': 'Key created',
  'key.rotated': 'Secret rotated',
  'key.expiry_changed': 'End changed',
  'key.agent_created': 'Agent created',
  'key.agent_granted': 'Agent granted',
  'key.executor_bound': 'Executor bound',
  'key.payment_prepared': 'Execution payment prepared',
  'key.revoked': 'Key revoked',
  'webhook.created': 'Webhook created',
  'webhook.disabled': 'Webhook disabled',
  // This app's
  'app.create': 'Key created here',
  'app.rotate': 'Secret rotated here',
  'app.revoke': 'Key revoked here',
  'app.expiry': 'End changed here',
  'app.import': 'Secret taken in',
  'app.grant': 'Agent granted here',
  'app.webhook_create': 'Webhook created here',
  'app.webhook_disable': 'Webhook disabled here',
  'app.executor': 'Executor bound here',
  'secret.copied': 'Secret copied',
  'secret.revealed': 'Secret shown',
  'secret.saved': 'Secret saved to a file',
  'secret.run': 'Secret given to a command',
  'secret.handed_over': 'Secret handed over',
}

function readable(event: string): string {
  const words = event.replace(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const auditTitle = ({ title, event }: Pick<AuditRow, 'title' | 'event'>): string =>
  title !== '' ? title : ((Object.hasOwn(titles, event) ? titles[event] : undefined) ?? readable(event))

/** What more is known; null: nothing. */
export const auditDetailText = ({ detail }: Pick<AuditRow, 'detail'>): string | null =>
  detail === null
    ? null
    : detail
        .split(' · ')
        .map((part) => (part === 'by_terminal' ? 'from the terminal' : operationNoteText(part)))
        .join(' · ')
