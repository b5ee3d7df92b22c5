import type { AuditRow } from '../ipc/reads/audit.ts'
import { catalogue, plural, textOf } from './catalogue.ts'

/** Titles of audit rows, keyed by the event's name. The window and the exported file use the same texts. */
export const auditEvents = catalogue('auditEvents', {
  // Events from the service's log
  'session.created': 'Signed in',
  'session.refused': 'Sign-in refused',
  'key.prepared': 'Bot-ready key prepared',
  'key.created': 'Key created',
  'key.rotated': 'Secret rotated',
  'key.expiry_changed': 'Expiry changed',
  'key.agent_created': 'Agent created',
  'key.agent_granted': 'Agent’s grant stored',
  'key.executor_bound': 'Executor bound',
  'key.payment_prepared': 'Execution payment prepared',
  'key.revoked': 'Key revoked',
  'webhook.created': 'Webhook created',
  'webhook.disabled': 'Webhook disabled',
  // Events from the app's own journal
  'app.create': 'Key created here',
  'app.rotate': 'Secret rotated here',
  'app.revoke': 'Key revoked here',
  'app.expiry': 'Expiry changed here',
  'app.import': 'Secret stored',
  'app.grant': 'Agent’s grant signed here',
  'app.webhook_create': 'Webhook created here',
  'app.webhook_disable': 'Webhook disabled here',
  'app.executor': 'Executor bound here',
  'secret.copied': 'Secret copied',
  'secret.revealed': 'Secret shown',
  'secret.saved': 'Secret saved to a file',
  'secret.run': 'Secret given to a command',
  'secret.handed_over': 'Secret handed over',
})

/** Sentences about the outcome of an operation with a secret or of a key replacement, keyed by `OperationNote`. */
export const operationNotes = catalogue('operationNotes', {
  answer_lost: 'The response was lost.',
  answer_unreadable: 'The response cannot be read.',
  key_may_exist: 'The response was lost. A key may have been created.',
  key_may_exist_unread: 'The response cannot be read. A key may have been created.',
  webhook_may_exist: 'The response was lost. A webhook may have been created.',
  webhook_may_exist_unread: 'The response cannot be read. A webhook may have been created.',
  secret_may_have_changed: 'The response was lost. The old secret may have stopped working.',
  secret_may_have_changed_unread: 'The response cannot be read. The old secret may have stopped working.',
  revoke_unanswered: 'The response was lost. It is safe to revoke the key again.',
  disable_unanswered: 'The response was lost. It is safe to disable the webhook again.',
  confirmed: 'The service confirmed the change.',
  disk_full: 'The disk is full. Nothing was sent.',
  stopped_before_sent: 'The app stopped before the request was sent.',
  stopped_before_stored: 'The app stopped before the secret was stored.',
  stopped_before_answer_stored: 'The app stopped before the response was stored.',

  // What the lists of keys and webhooks show after a request of unknown outcome
  listed_revoked: 'The service lists the key as revoked.',
  listed_not_revoked: 'The service does not list the key as revoked: the request never arrived.',
  listed_disabled: 'The service lists the webhook as disabled.',
  listed_not_disabled: 'The service does not list the webhook as disabled: the request never arrived.',
  listed_endless: 'The service’s list does not say when the key expires.',
  no_new_key: 'The service lists no new key: nothing was created.',
  no_new_key_sent_again: 'The service lists no new key. The app sends the same signature again.',
  no_new_webhook: 'The service lists no new webhook: nothing was created.',
  secret_found: 'The secret was found in the keychain.',
  new_secret_found: 'The new secret was found in the keychain.',
  key_over: 'The key was revoked or rotated in the meantime.',
  key_revoked: 'The key was revoked.',
  rotated_since: 'The key has been rotated again since.',
  webhook_over: 'The webhook was disabled in the meantime.',

  // Decisions of the user
  dismissed: 'You dismissed the lost response.',
  orphan_rotated: 'The key was rotated: its new secret is stored here.',
  orphan_revoked: 'The key was revoked.',
  orphan_disabled: 'The webhook was disabled.',
  handed_over: 'You confirmed the handover.',

  // Outcomes of the steps of a key replacement
  agent_granted: 'The key’s agent has its grant.',
  without_agent: 'You chose to continue without an agent.',
  by_your_word: 'You confirmed the handover.',
  use_in_audit: 'The exchange’s audit showed a call of the bot with the new key.',
  moved_in_gateway: 'The gateway’s bots moved to the new key.',
  new_key_revoked: 'The new key was revoked.',
  preparation_over: 'The preparation expired. Nothing was created.',
  nothing_created: 'Nothing was created.',
  here_again: 'The secret is stored here again.',
  old_key_listed_revoked: 'The service lists the old key as revoked.',
  lost_creation_empty: 'The service lists no key from the lost creation.',
  new_key_missing: 'The new key is missing.',

  grant_lost: 'The response was lost. The same signature can be sent again.',
  grant_unread: 'The response cannot be read. The same signature can be sent again.',
  grant_stored: 'The service stored the grant.',
  grant_listed: 'The service lists the agent’s grant.',
  grant_not_listed: 'The list does not say that the grant was stored. Open the agent again to check.',
  signature_sent_again: 'The app sends the same signature again.',
  executor_listed: 'The service lists the executor as bound.',
  executor_not_listed: 'The service does not list the executor.',

  // Sentences that contain a detail, such as a date
  expiry_asked: (days: string) =>
    plural(Number(days), { one: `The key is to expire ${days} day from now.`, other: `The key is to expire ${days} days from now.` }),
  expiry_unanswered: (days: string) =>
    plural(Number(days), {
      one: `The response was lost. The key was to expire ${days} day from then. It is safe to try again.`,
      other: `The response was lost. The key was to expire ${days} days from then. It is safe to try again.`,
    }),
  expiry_confirmed: (days: string) =>
    plural(Number(days), { one: `The service confirmed the expiry: ${days} day from now.`, other: `The service confirmed the expiry: ${days} days from now.` }),
  listed_end: (time: string) => `The service’s list says that the key expires at ${time}.`,
  keychain_refused: (code: string) => `The keychain did not store the secret: ${code}.`,
  executor_unanswered: (executor: string) => `The response was lost. The service’s list shows whether ${executor} is bound.`,
  executor_bound: (executor: string) => `${executor} is bound.`,
  executor_differs: (executor: string) => `The service bound ${executor} instead.`,
  as_written: (text: string) => text,

  by_terminal: 'from the terminal',
})

function readable(event: string): string {
  const words = event.replace(/[._-]+/g, ' ').trim()
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export const auditTitle = ({ title, event }: Pick<AuditRow, 'title' | 'event'>): string =>
  title !== '' ? title : (textOf(auditEvents, event) ?? readable(event))

/** Returns the details of an audit row as text; null: the row has none. */
export const auditDetailText = ({ detail }: Pick<AuditRow, 'detail'>): string | null =>
  detail === null ? null : detail.split(' · ').map(operationNoteText).join(' · ')

/** Returns the sentence for an `OperationNote`. Kinds of failure, and any other text, are returned unchanged. */
export function operationNoteText(note: string): string {
  const plain = textOf(operationNotes, note)
  if (typeof plain === 'string') return plain
  const [, code = '', fact = ''] = /^(\w+) (.*)$/s.exec(note) ?? []
  const withFact = textOf(operationNotes, code)
  return typeof withFact === 'function' ? withFact(fact) : note
}
