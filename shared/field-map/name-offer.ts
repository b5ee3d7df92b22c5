import type { InvalidField } from '../api/invalid-fields.ts'
import { areRelated, spelledWords, wordsOf } from '../api/names/name-words.ts'
import { saysUnit } from '../api/reader/units.ts'
import { entryIssue } from './check-entry.ts'
import type { AssumedRequest, SentField } from './sent-names.ts'

/** A sent field that the service may know by another name. */
export interface NameCandidate {
  readonly request: AssumedRequest
  readonly field: string
  readonly sent: string
}

/**
 * What a refusal reveals about field names: the service expects another name for a field that the app sent under an assumed name. Affects only
 * names, never values or units.
 */
export interface NameOffer {
  /** The field name that the service asks for. null: the service rejects a sent name without asking for another. */
  readonly asks: string | null
  /** The sent fields that the requested name may mean, best first. At least one. */
  readonly candidates: readonly NameCandidate[]
  /** true if the requested name is only another spelling of the sent name, and no other field fits. */
  readonly respelling: boolean
}

const noWords: ReadonlySet<string> = new Set()
/** Splits a name into words, and replaces synonyms with a common word. */
const meant = (name: string): readonly string[] => wordsOf(name, noWords)

const genericWords: ReadonlySet<string> = new Set(['id', 'price', 'size', 'amount', 'value', 'name', 'type'])

const mostCandidates = 8

const sameWords = (one: readonly string[], other: readonly string[]): boolean => one.toSorted().join(' ') === other.toSorted().join(' ')

/** Whether the requested name abbreviates the sent name: `oid` for `order_id`, `coid` for `client_order_id`. */
function isShortFor(asked: string, sent: string): boolean {
  const words = spelledWords(sent)
  const last = words.at(-1) ?? ''
  return (
    words.length > 1 &&
    asked.toLowerCase() ===
      `${words
        .slice(0, -1)
        .map((word) => word.charAt(0))
        .join('')}${last}`
  )
}

/**
 * Whether two names of one word each are synonyms, such as `coin` and `token`. Longer names need more in common than one synonym: `user` does not
 * mean `client_order_id`.
 */
function isPlainFor(asked: string, sent: string): boolean {
  const [one = '', ...more] = spelledWords(asked)
  const [other = '', ...others] = spelledWords(sent)
  return more.length + others.length === 0 && areRelated(one, other)
}

/**
 * Returns how similar two names are. 2: the same name in another spelling. Otherwise the share of common words, from 0 to 1. Generic words such as
 * `id` count only if one of the names has no other word, so `pairId` and `order_id` are not similar.
 */
function likeness(asked: string, sent: string): number {
  if (sameWords(spelledWords(asked), spelledWords(sent))) return 2
  const a = new Set(meant(asked))
  const b = new Set(meant(sent))
  const both = [...a].filter((word) => b.has(word))
  const alike = both.length === Math.min(a.size, b.size) || both.some((word) => !genericWords.has(word))
  if (both.length === 0 && isShortFor(asked, sent)) return 0.5
  if (alike && both.length > 0) return both.length / new Set([...a, ...b]).size
  return isPlainFor(asked, sent) ? 0.1 : 0
}

/**
 * Compares the path in a refusal, without the field's name, with the path of the object that contains the sent field. Compares from the end, step by
 * step. Returns the number of equal steps; null if the refusal concerns another part of the body.
 */
function sharedPath(refused: readonly string[], within: readonly string[]): number | null {
  const above = refused.slice(0, -1)
  if (above.length === 0) return 0
  const ends = (longer: readonly string[], shorter: readonly string[]): boolean =>
    shorter.every((step, place) => longer[longer.length - shorter.length + place] === step)
  return above.length >= within.length ? (ends(above, within) ? within.length : null) : ends(within, above) ? above.length : null
}

function placed(sent: readonly SentField[], refused: readonly string[]): readonly SentField[] {
  const ranked = sent.flatMap((field) => {
    const rank = sharedPath(refused, field.within)
    return rank === null ? [] : [{ field, rank }]
  })
  const best = Math.max(...ranked.map(({ rank }) => rank), 0)
  return ranked.filter(({ rank }) => rank === best).map(({ field }) => field)
}

const candidateOf = ({ request, field, name }: SentField): NameCandidate => ({ request, field, sent: name })

/** Whether the app may send the field under this name. The same rules apply to a name that the user types. */
const mayBe = ({ request, field, name }: SentField, asked: string, sent: readonly SentField[]): boolean =>
  entryIssue({ part: 'payloads', of: request, field, at: asked, unit: null, from: 'refusal' }, {}) === null &&
  // The new name must not state another unit than the sent name.
  spelledWords(asked).every((word) => !saysUnit(word) || spelledWords(name).includes(word)) &&
  !sent.some((other) => other.request === request && other.name === asked)

function offerFor(asked: InvalidField, unknown: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  // If the app already sent exactly this name, the service rejects the value or the field's place in the body. A new name cannot help.
  const here = placed(sent, asked.path)
  if (here.some(({ name }) => name === asked.name)) return null
  const able = here.filter((field) => mayBe(field, asked.name, sent))
  const refused = able.filter(({ name }) => unknown.some((one) => one.name === name))
  const alike = (refused.length > 0 ? refused : able)
    .map((field) => ({ field, likeness: Math.max(likeness(asked.name, field.name), likeness(asked.name, field.field)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
  const byWords = alike.filter((one) => one.likeness > 0)
  // If no sent name shares a word with the requested name, fields become candidates in two cases only: the service rejected their names, or the app
  // sent a single field and the service asks for a generic name such as `id`.
  const isOnly = sent.length === 1 && meant(asked.name).every((word) => genericWords.has(word))
  const fitting = byWords.length > 0 ? byWords : refused.length > 0 || isOnly ? alike : []
  const candidates = distinct(fitting.map(({ field }) => candidateOf(field))).slice(0, mostCandidates)
  const [first, second] = fitting
  if (candidates.length === 0 || first === undefined) return null
  const respelled = first.likeness === 2 && (second === undefined || second.likeness < 2 || candidates.length === 1)
  return { asks: asked.name, candidates, respelling: respelled && asked.problem === 'missing' }
}

/** Removes duplicates, because a batch sends the same field in each of its items. */
const distinct = (candidates: readonly NameCandidate[]): readonly NameCandidate[] => [
  ...new Map(candidates.map((candidate) => [`${candidate.request} ${candidate.field}`, candidate])).values(),
]

/**
 * Returns what a refusal reveals about the sent field names; null if nothing. `invalid`: the fields that the refusal names. `sent`: the fields that
 * were sent under undocumented names, because only these can be renamed.
 */
export function nameOffer(invalid: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  const unknown = invalid.filter(({ problem, name }) => problem === 'unknown' && sent.some((field) => field.name === name))
  // A refusal asks for a field if it calls the field missing, or if it names exactly a field that the app did not send.
  const asked = invalid.filter(
    ({ problem, isExact, name }) => problem === 'missing' || (problem === 'other' && isExact && !sent.some((field) => field.name === name)),
  )
  const offers = asked.flatMap((one) => offerFor(one, unknown, sent) ?? [])
  const [best] = offers.toSorted((a, b) => Number(b.respelling) - Number(a.respelling))
  // If the service asks for several names, the app cannot know which sent field each name means. So the user must decide.
  if (best !== undefined) return { ...best, respelling: best.respelling && new Set(asked.map(({ name }) => name)).size === 1 }
  const lost = distinct(sent.filter(({ name }) => unknown.some((one) => one.name === name)).map(candidateOf))
  return lost.length === 0 ? null : { asks: null, candidates: lost.slice(0, mostCandidates), respelling: false }
}
