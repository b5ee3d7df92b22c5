import type { InvalidField } from '../api/invalid-fields.ts'
import { areRelated, spelledWords, wordsOf } from '../api/names/name-words.ts'
import { saysUnit } from '../api/reader/units.ts'
import { entryIssue } from './check-entry.ts'
import type { AssumedRequest, SentField } from './sent-names.ts'

/** A sent field that the service may know by another name. */
export interface NameCandidate {
  readonly request: AssumedRequest
  readonly field: string
  /** The name that the app sent. */
  readonly sent: string
}

/**
 * What a refusal reveals: the service's name for a field that the app sent under an assumed name. Concerns names only; never changes a value or a
 * unit.
 */
export interface NameOffer {
  /** The name that the service asks for. null: the service does not know a sent name and suggests no other. */
  readonly asks: string | null
  /** At least one candidate, best first. */
  readonly candidates: readonly NameCandidate[]
  /** true if the two names are only spelled differently: they have the same words, and no other name is possible. */
  readonly respelling: boolean
}

const noWords: ReadonlySet<string> = new Set()
/** Splits a name into words, replacing synonyms by one common word. */
const meant = (name: string): readonly string[] => wordsOf(name, noWords)

const genericWords: ReadonlySet<string> = new Set(['id', 'price', 'size', 'amount', 'value', 'name', 'type'])

const mostCandidates = 8

const sameWords = (one: readonly string[], other: readonly string[]): boolean => one.toSorted().join(' ') === other.toSorted().join(' ')

/** Whether a name is an abbreviation: `oid` of `order_id`, `coid` of `client_order_id`. */
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

/** Whether two one-word names are synonyms: `coin` and `token`. For longer names one word is not enough evidence: `user` is not `client_order_id`. */
function isPlainFor(asked: string, sent: string): boolean {
  const [one = '', ...more] = spelledWords(asked)
  const [other = '', ...others] = spelledWords(sent)
  return more.length + others.length === 0 && areRelated(one, other)
}

/**
 * Returns how alike two names are. 2: the same name in another spelling. Otherwise the share of common words, from 0 up to 1. `pairId` and `order_id`
 * are not alike: a generic word such as `id` does not count, unless one of the names has no other word.
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
 * Compares two paths from the end: the path to the field in the refusal, and the path to the object around the sent field. Returns the number of
 * equal steps. null if the refusal means another part of the body.
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

/** Whether the app may send the field under this name. The rules are those for a name that the user types. */
const mayBe = ({ request, field, name }: SentField, asked: string, sent: readonly SentField[]): boolean =>
  entryIssue({ part: 'payloads', of: request, field, at: asked, unit: null, from: 'refusal' }, {}) === null &&
  // A new name must not change the unit that the name states.
  spelledWords(asked).every((word) => !saysUnit(word) || spelledWords(name).includes(word)) &&
  !sent.some((other) => other.request === request && other.name === asked)

function offerFor(asked: InvalidField, unknown: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  // The app already sent exactly this name, so the service must object to the value, or expect the field in another object.
  const here = placed(sent, asked.path)
  if (here.some(({ name }) => name === asked.name)) return null
  const able = here.filter((field) => mayBe(field, asked.name, sent))
  const refused = able.filter(({ name }) => unknown.some((one) => one.name === name))
  const alike = (refused.length > 0 ? refused : able)
    .map((field) => ({ field, likeness: Math.max(likeness(asked.name, field.name), likeness(asked.name, field.field)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
  const byWords = alike.filter((one) => one.likeness > 0)
  // A field whose name shares no word with the requested name is a candidate in two cases only. Either the service also refuses a sent name, or the
  // app sent only one field and the service asks for a generic name such as `id`.
  const isOnly = sent.length === 1 && meant(asked.name).every((word) => genericWords.has(word))
  const fitting = byWords.length > 0 ? byWords : refused.length > 0 || isOnly ? alike : []
  const candidates = distinct(fitting.map(({ field }) => candidateOf(field))).slice(0, mostCandidates)
  const [first, second] = fitting
  if (candidates.length === 0 || first === undefined) return null
  const respelled = first.likeness === 2 && (second === undefined || second.likeness < 2 || candidates.length === 1)
  return { asks: asked.name, candidates, respelling: respelled && asked.problem === 'missing' }
}

/** Removes duplicates, because the items of a batch send the same field many times. */
const distinct = (candidates: readonly NameCandidate[]): readonly NameCandidate[] => [
  ...new Map(candidates.map((candidate) => [`${candidate.request} ${candidate.field}`, candidate])).values(),
]

/**
 * Returns what a refusal reveals about the sent names; null if nothing. `invalid`: the fields that the refusal names. `sent`: the fields sent under
 * undocumented names; only these are ever renamed.
 */
export function nameOffer(invalid: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  const unknown = invalid.filter(({ problem, name }) => problem === 'unknown' && sent.some((field) => field.name === name))
  // If the refusal names a field exactly and the app never sent it, the service is asking for that field.
  const asked = invalid.filter(
    ({ problem, isExact, name }) => problem === 'missing' || (problem === 'other' && isExact && !sent.some((field) => field.name === name)),
  )
  const offers = asked.flatMap((one) => offerFor(one, unknown, sent) ?? [])
  const [best] = offers.toSorted((a, b) => Number(b.respelling) - Number(a.respelling))
  // If the service asks for several names, the app must not guess which name belongs to which field. The user decides.
  if (best !== undefined) return { ...best, respelling: best.respelling && new Set(asked.map(({ name }) => name)).size === 1 }
  const lost = distinct(sent.filter(({ name }) => unknown.some((one) => one.name === name)).map(candidateOf))
  return lost.length === 0 ? null : { asks: null, candidates: lost.slice(0, mostCandidates), respelling: false }
}
