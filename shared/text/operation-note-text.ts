/** What became of an operation with a secret, or of the replacement of a key, as the journal keeps it: a code, and behind a space the fact that belongs to it. */
const plain = {
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
} as const

const withFact = {
  expiry_asked: (days: string) => `To end ${days} days from now.`,
  expiry_unanswered: (days: string) => `The answer was lost. To end ${days} days from then; asking again is safe.`,
  expiry_confirmed: (days: string) => `The service confirmed it: ${days} days from now.`,
  listed_end: (time: string) => `The list says that it ends at ${time}.`,
  keychain_refused: (code: string) => `The keychain did not take it: ${code}.`,
} as const

export type OperationNote = keyof typeof plain | `${keyof typeof withFact} ${string}`

/** The sentence of a note. Earlier versions stored sentences, and failures are stored by their kind: both are shown as they are. */
export function operationNoteText(note: string): string {
  if (Object.hasOwn(plain, note)) return plain[note as keyof typeof plain] // looked up above
  const [, code = '', fact = ''] = /^(\w+) (.*)$/s.exec(note) ?? []
  return Object.hasOwn(withFact, code) ? withFact[code as keyof typeof withFact](fact) : note
}
