import type { OperationNoteFact, PlainOperationNote } from '../ipc/reads/activity.ts'
import type { AuditRow } from '../ipc/reads/audit.ts'

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
  'app.import': 'Secret stored',
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

/** What became of an operation with a secret, or of the replacement of a key. */
const plain: Readonly<Record<PlainOperationNote, string>> = {
  // What was asked of the service
  answer_lost: 'The answer was lost.',
  answer_unreadable: 'The answer cannot be read.',
  key_may_exist: 'The answer was lost. A key may have been created.',
  key_may_exist_unread: 'The answer cannot be read. A key may have been created.',
  webhook_may_exist: 'The answer was lost. A webhook may have been created.',
  webhook_may_exist_unread: 'The answer cannot be read. A webhook may have been created.',
  secret_may_have_changed: 'The answer was lost. The old secret may have stopped working.',
  secret_may_have_changed_unread: 'The answer cannot be read. The old secret may have stopped working.',
  revoke_unanswered: 'The answer was lost. Revoking again is safe.',
  disable_unanswered: 'The answer was lost. Disabling again is safe.',
  confirmed: 'The service confirmed it.',
  disk_full: 'The disk is full. Nothing was sent.',
  stopped_before_sent: 'The app stopped before it was sent.',
  stopped_before_stored: 'The app stopped before it was stored.',
  stopped_before_answer_stored: 'The app stopped before the answer was stored.',

  // What the lists say afterwards
  listed_revoked: 'The list says that it is revoked.',
  listed_not_revoked: 'The list says that it is not revoked: the request never arrived.',
  listed_disabled: 'The list says that it is disabled.',
  listed_not_disabled: 'The list says that it is not disabled: the request never arrived.',
  listed_endless: 'The list does not say when it ends.',
  no_new_key: 'The service lists no new key: nothing was created.',
  no_new_key_sent_again: 'The service lists no new key. The same signature is sent again.',
  no_new_webhook: 'The service lists no new webhook: nothing was created.',
  secret_found: 'Its secret was found in the keychain.',
  new_secret_found: 'The new secret was found in the keychain.',
  key_over: 'Its key was revoked or given a fresh secret meanwhile.',
  key_revoked: 'Its key was revoked.',
  rotated_since: 'It was rotated again since.',
  webhook_over: 'It was disabled meanwhile.',

  // What the user decided
  dismissed: 'Dismissed by the user.',
  orphan_rotated: 'The key was rotated: it has a fresh secret here.',
  orphan_revoked: 'The key was revoked.',
  orphan_disabled: 'It was disabled.',
  handed_over: 'Handed over by your word.',

  // Of a replacement
  agent_granted: 'Its agent is granted.',
  without_agent: 'Without an agent, by your word.',
  by_your_word: 'By your word.',
  new_key_revoked: 'The key that came of it was revoked.',
  preparation_over: 'The preparation is over. Nothing was created.',
  nothing_created: 'Nothing was created.',
  here_again: 'It is here again.',
  old_key_listed_revoked: 'The list says that the old key is revoked.',
  lost_creation_empty: 'The list shows no key of the lost creation.',
  new_key_missing: 'The new key is gone.',

  // The grant of an agent, and the executor of a key
  grant_lost: 'The answer was lost. The same signature can be sent again.',
  grant_unread: 'The answer cannot be read. The same signature can be sent again.',
  grant_stored: 'The service stored it.',
  grant_listed: 'The list says that it is granted.',
  grant_not_listed: 'The list does not say that it was stored. Open the agent again to see.',
  signature_sent_again: 'The same signature is sent again.',
  executor_listed: 'The list says that it is bound.',
  executor_not_listed: 'The list does not name it: nothing was bound.',
}

const withFact: Readonly<Record<OperationNoteFact, (fact: string) => string>> = {
  expiry_asked: (days) => `To end ${days} days from now.`,
  expiry_unanswered: (days) => `The answer was lost. To end ${days} days from then; asking again is safe.`,
  expiry_confirmed: (days) => `The service confirmed it: ${days} days from now.`,
  listed_end: (time) => `The list says that it ends at ${time}.`,
  keychain_refused: (code) => `The keychain did not take it: ${code}.`,
  executor_unanswered: (executor) => `The answer was lost. The list tells whether ${executor} is bound.`,
  executor_bound: (executor) => `${executor} is bound.`,
  executor_differs: (executor) => `The service bound ${executor} instead.`,
  as_written: (text) => text,
}

/** The sentence of an `OperationNote`. The kind of a failure, and any other text, is given back. */
export function operationNoteText(note: string): string {
  if (Object.hasOwn(plain, note)) return plain[note as PlainOperationNote] // looked up above
  const [, code = '', fact = ''] = /^(\w+) (.*)$/s.exec(note) ?? []
  return Object.hasOwn(withFact, code) ? withFact[code as OperationNoteFact](fact) : note
}
