import { canonical, wordsOf } from '../../names/name-words.ts'
import { type IssuedSecret, isSecret } from '../../secret-form.ts'
import { walk } from './grant-answer.ts'

/** Words of a name under which a secret stands, and those of names under which only a part of it does, or something else. */
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

/** Shorter ones are the beginning of a secret. */
const shortest = 24

/**
 * The secret of an answer, which begins as documented: under its documented name wherever that stands, else the only whole one under a name of a
 * secret. undefined: none, several, or one that is not in the form of a secret.
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
