import { secretPrefixes } from './redact.ts'

export type SecretKind = keyof typeof secretPrefixes

/** What follows the prefix: visible ASCII, so that a secret is one line of any file, header and command, and long enough to be found in a log. */
const rest = /^[\x21-\x7e]+$/
const shortest = 13
/** Characters in all. A session may carry claims. */
const longest: Readonly<Record<SecretKind, number>> = { key: 256, webhook: 256, session: 4_096 }

/** Whether a value is a secret of its kind as a whole. What is not is never kept, written or handed on. */
export function isSecret(kind: SecretKind, value: unknown): value is string {
  const prefix = secretPrefixes[kind]
  return typeof value === 'string' && value.startsWith(prefix) && value.length >= prefix.length + shortest && value.length <= longest[kind] && rest.test(value)
}
