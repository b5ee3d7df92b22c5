import { secretPrefixes } from './redact.ts'

/** The kinds of secrets that the service issues. */
export type IssuedSecret = keyof typeof secretPrefixes

/** No space, control character or line break: one line of any file, header and command. */
const visibleAscii = /^[\x21-\x7e]+$/
/** Characters after the prefix: fewer could not be told from words in a log. */
const shortest = 13
/** Characters in all. A session may carry claims. */
const longest: Readonly<Record<IssuedSecret, number>> = { key: 256, webhook: 256, session: 4_096 }

/** Whether a value is a whole secret of its kind. The app never stores or hands on anything else as one. */
export function isSecret(kind: IssuedSecret, value: unknown): value is string {
  const prefix = secretPrefixes[kind]
  return (
    typeof value === 'string' &&
    value.startsWith(prefix) &&
    value.length >= prefix.length + shortest &&
    value.length <= longest[kind] &&
    visibleAscii.test(value)
  )
}
