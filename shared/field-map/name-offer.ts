import type { InvalidField } from '../api/invalid-fields.ts'
import { areRelated, spelledWords, wordsOf } from '../api/names/name-words.ts'
import { saysUnit } from '../api/reader/units.ts'
import { entryIssue } from './check-entry.ts'
import type { AssumedRequest, SentField } from './sent-names.ts'

/** A field that may be the one that the service asks for under another name. */
export interface NameCandidate {
  readonly request: AssumedRequest
  readonly field: string
  /** As it was sent. */
  readonly sent: string
}

/** What a refusal teaches: a name of the service for a field that was sent under an assumed one. Names only; a value or a unit is never changed. */
export interface NameOffer {
  /** The name that the service asks for. null: it does not know a name that was sent, and says no other. */
  readonly asks: string | null
  /** Best first, at least one. */
  readonly candidates: readonly NameCandidate[]
  /** Whether it is nothing but another spelling of the first: the same words, and no other name is in question. */
  readonly respelling: boolean
}

const noWords: ReadonlySet<string> = new Set()
/** With one word for each thing. */
const meant = (name: string): readonly string[] => wordsOf(name, noWords)

const genericWords: ReadonlySet<string> = new Set(['id', 'price', 'size', 'amount', 'value', 'name', 'type'])

const mostCandidates = 8

const sameWords = (one: readonly string[], other: readonly string[]): boolean => one.toSorted().join(' ') === other.toSorted().join(' ')

/** `oid` is `order_id`, and `coid` is `client_order_id`. */
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

/** `coin` is `token`. Of longer names a word says too little: `user` is no `client_order_id`. */
function isPlainFor(asked: string, sent: string): boolean {
  const [one = '', ...more] = spelledWords(asked)
  const [other = '', ...others] = spelledWords(sent)
  return more.length + others.length === 0 && areRelated(one, other)
}

/** 2: another spelling. Otherwise the words in common, of all that either has; 0 up to 1. `pairId` is not like `order_id`: a word that many names have makes no two alike, unless one has no other. */
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

/** How much of the path to what was refused is the path to what was sent. null: it names another place. */
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

/** Whether the field may be sent under the name: the same rules as for one that the user types. */
const mayBe = ({ request, field, name }: SentField, asked: string, sent: readonly SentField[]): boolean =>
  entryIssue({ part: 'payloads', of: request, field, at: asked, unit: null, from: 'refusal' }, {}) === null &&
  // What the app says of the unit today may not be said otherwise tomorrow.
  spelledWords(asked).every((word) => !saysUnit(word) || spelledWords(name).includes(word)) &&
  !sent.some((other) => other.request === request && other.name === asked)

function offerFor(asked: InvalidField, unknown: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  // It was sent under this very name: its value is in question, or its place.
  const here = placed(sent, asked.path)
  if (here.some(({ name }) => name === asked.name)) return null
  const able = here.filter((field) => mayBe(field, asked.name, sent))
  const refused = able.filter(({ name }) => unknown.some((one) => one.name === name))
  const alike = (refused.length > 0 ? refused : able)
    .map((field) => ({ field, likeness: Math.max(likeness(asked.name, field.name), likeness(asked.name, field.field)) }))
    .toSorted((a, b) => b.likeness - a.likeness)
  const byWords = alike.filter((one) => one.likeness > 0)
  // What shares no word with it is offered only where the service itself refuses that name, or asks a request of one field for an id, a name or a value.
  const isOnly = sent.length === 1 && meant(asked.name).every((word) => genericWords.has(word))
  const fitting = byWords.length > 0 ? byWords : refused.length > 0 || isOnly ? alike : []
  const candidates = distinct(fitting.map(({ field }) => candidateOf(field))).slice(0, mostCandidates)
  const [first, second] = fitting
  if (candidates.length === 0 || first === undefined) return null
  const respelled = first.likeness === 2 && (second === undefined || second.likeness < 2 || candidates.length === 1)
  return { asks: asked.name, candidates, respelling: respelled && asked.problem === 'missing' }
}

/** The items of a batch send one field many times. */
const distinct = (candidates: readonly NameCandidate[]): readonly NameCandidate[] => [
  ...new Map(candidates.map((candidate) => [`${candidate.request} ${candidate.field}`, candidate])).values(),
]

/**
 * What a refusal says of the names that were sent; null: nothing. `invalid`: the fields that it names. `sent`: the fields that were sent under names
 * that the document does not show: no other is ever offered another name.
 */
export function nameOffer(invalid: readonly InvalidField[], sent: readonly SentField[]): NameOffer | null {
  const unknown = invalid.filter(({ problem, name }) => problem === 'unknown' && sent.some((field) => field.name === name))
  // One that is named exactly and was never sent is asked for, whatever is said of it.
  const asked = invalid.filter(
    ({ problem, isExact, name }) => problem === 'missing' || (problem === 'other' && isExact && !sent.some((field) => field.name === name)),
  )
  const offers = asked.flatMap((one) => offerFor(one, unknown, sent) ?? [])
  const [best] = offers.toSorted((a, b) => Number(b.respelling) - Number(a.respelling))
  // Two names that are missing: which is the other's is not for the app to say by itself.
  if (best !== undefined) return { ...best, respelling: best.respelling && new Set(asked.map(({ name }) => name)).size === 1 }
  const lost = distinct(sent.filter(({ name }) => unknown.some((one) => one.name === name)).map(candidateOf))
  return lost.length === 0 ? null : { asks: null, candidates: lost.slice(0, mostCandidates), respelling: false }
}
