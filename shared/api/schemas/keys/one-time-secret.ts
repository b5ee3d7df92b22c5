import { eventGroups, everyEvent } from '../../../webhooks/events.ts'
import { canonical, wordClass, wordsOf } from '../../names/name-words.ts'
import type { Kind } from '../../reader/field.ts'
import { text, texts } from '../../reader/kinds.ts'
import { type IssuedSecret, isSecret } from '../../redact.ts'
import { scopes as documentedScopes } from '../../scopes.ts'
import { walk } from './grant-answer.ts'

/** `secretWords`: words in the names of secrets. `otherWords`: words in names of other values, such as `prefix` for a part of a secret. */
const secretWords: ReadonlySet<string> = new Set(['secret', 'key', 'token', 'value', 'credential', 'plaintext'])
const otherWords: ReadonlySet<string> = new Set([
  'id',
  'prefix',
  'hint',
  'masked',
  'mask',
  'preview',
  'old',
  'previous',
  'former',
  'public',
  'label',
  'name',
  'ref',
])
const known: ReadonlySet<string> = new Set([...secretWords, ...otherWords])

/** Minimum length of a secret under an undocumented name. A shorter text may be only the beginning of a secret. */
const shortest = 24

/**
 * Finds the secret in an answer by its documented prefix. First looks for the documented field name anywhere in the answer. Otherwise accepts the
 * only complete secret under a name that suggests a secret. `undefined` if there is no secret, if there are several, or if the secret is malformed.
 */
export function secretIn(body: unknown, { name, kind }: { readonly name: string; readonly kind: IssuedSecret }): string | undefined {
  const named = new Set<string>()
  const alike = new Set<string>()
  walk(body, (value, path) => {
    if (!isSecret(kind, value)) return true
    const last = path.at(-1) ?? ''
    const words = wordsOf(last, known)
    if (canonical(last) === canonical(name)) named.add(value)
    else if (value.length >= shortest && /^[\w.~-]+$/.test(value) && words.some((word) => secretWords.has(word)) && !words.some((word) => otherWords.has(word)))
      alike.add(value)
    return true
  })
  const [only, ...more] = named.size > 0 ? named : alike
  return more.length === 0 ? only : undefined
}

/** Kinds of fields in keys and webhooks, such as statuses and scopes. The app recognises these fields by their values, even under unknown names. */

type CredentialState = 'active' | 'expired' | 'revoked'

const states = wordClass<CredentialState>(['key status', 'key state', 'webhook status', 'status', 'state', 'key', 'webhook'], {
  active: ['enabled', 'live', 'valid', 'ok', 'usable', 'in use', 'on', 'running', 'working'],
  expired: ['lapsed', 'ended', 'out of date'],
  revoked: ['disabled', 'deleted', 'inactive', 'removed', 'deactivated', 'withdrawn', 'cancelled', 'canceled', 'closed', 'off', 'paused', 'stopped'],
})
export const stateOfCredential = states

/** Words that mean a status only in a field whose name means a status. For example, `live` can also mean an environment. */
const common: ReadonlySet<unknown> = new Set(['live', 'ok', 'on', 'off', 'closed', 'valid', 'running', 'working'])
export const credentialState: Kind<string> = {
  ...text,
  says: (value, name = []) => states(value) !== undefined && (!common.has(String(value).toLowerCase()) || ['status', 'state'].includes(name.at(-1) ?? '')),
}

const allOf = (known: ReadonlySet<string>) => (value: unknown) => {
  const said = texts.read(value, () => {}, {})
  return said != null && said.length > 0 && said.every((word) => known.has(word))
}
export const events: Kind<string[]> = {
  ...texts,
  says: allOf(new Set([everyEvent, ...eventGroups.flatMap((group) => group.events.map(({ name }) => name))])),
}
export const scopes: Kind<string[]> = { ...texts, says: allOf(new Set(documentedScopes)) }

const ipv4 = /^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d{1,2})?$/
const ipv6 = /^(?=.*:.*:)[0-9a-fA-F:.]{2,45}(?:\/\d{1,3})?$/
const isIp = (value: unknown): boolean => typeof value === 'string' && (ipv4.test(value) || ipv6.test(value))
/** An IP address as text. The value does not show whose address it is; only the field's name does. */
export const ip: Kind<string> = { ...text, read: (value) => (isIp(value) ? String(value) : undefined) }

export const url: Kind<string> = { ...text, says: (value) => typeof value === 'string' && /^https?:\/\/[^\s/]+\S*$/i.test(value) }
