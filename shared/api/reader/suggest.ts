import { redact } from '../redact.ts'
import type { Field } from './field.ts'
import { wordsOf } from './names.ts'
import { readTime } from './times.ts'
import { unitIn } from './units.ts'
import { genericWords, neutralWords } from './vocabulary.ts'
import type { Node } from './walk.ts'

/** A place that may be the one that is meant. */
export interface Suggestion {
  /** As a field map names it. */
  readonly path: string
  /** The value there, secrets cut out, shortened. */
  readonly preview: string
  /** words: its name shares words. form: nothing else has this form. */
  readonly why: 'words' | 'form'
}

/** A place that no field is read from, with the first value that it has. */
export interface Leaf {
  readonly node: Node
  readonly value: unknown
}

export interface Wanting {
  readonly field: Field<unknown>
  readonly name: string
}

/** What is known of the resource. */
interface Around {
  readonly words: readonly string[]
  readonly known: ReadonlySet<string>
}

const longestPreview = 80
const mostSuggestions = 5
/** A name that shares less than this with what a field is called says nothing. */
const leastLikeness = 0.2
/** Two candidates as like as that cannot be told apart. */
const tie = 0.02

export const previewOf = (value: unknown): string => {
  const shown = redact(value)
  return (typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')).slice(0, longestPreview)
}

/** What a value is by its looks, whatever its name. */
type Form = 'time' | 'number' | 'flag' | 'address' | 'hash' | 'ip' | 'url' | 'list' | 'record' | 'text'

const number = /^[+-]?\d*\.?\d+(?:e[+-]?\d+)?%?$/i
const isoTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d/

function formOf(value: unknown): Form {
  if (typeof value === 'boolean') return 'flag'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'object') return 'record'
  const written = String(value).trim()
  if (isoTime.test(written)) return 'time'
  if (number.test(written)) return 'number'
  if (/^0x[0-9a-f]{40}$/i.test(written)) return 'address'
  if (/^0x[0-9a-f]{64}$/i.test(written)) return 'hash'
  if (/^https?:\/\//i.test(written)) return 'url'
  if (/^(?:\d{1,3}\.){3}\d{1,3}(?:\/\d+)?$/.test(written) || /^[0-9a-f]*:[0-9a-f:]+$/i.test(written)) return 'ip'
  return 'text'
}

/** Forms that only some texts have, and the words by which a field is one of them. */
const ofForm: readonly (readonly [Form, ReadonlySet<string>])[] = [
  ['address', new Set(['address', 'wallet', 'owner', 'contract', 'account', 'router', 'spender', 'agent', 'executor', 'trader', 'user'])],
  ['hash', new Set(['hash', 'tx'])],
  ['ip', new Set(['ip', 'ips', 'allowlist', 'whitelist', 'cidr'])],
  ['url', new Set(['url', 'endpoint', 'callback'])],
]
const isId = (words: ReadonlySet<string>): boolean => words.has('id') || words.has('key') || words.has('ref')

/** Whether a value of this form can be the field's. */
function fits({ kind }: Field<unknown>, wanted: ReadonlySet<string>, value: unknown, leafWords: readonly string[]): boolean {
  const form = formOf(value)
  if (kind.numeric !== null) return form === 'number' && !tellsOfOthers(leafWords)
  const read = kind.read(value, () => {}, {})
  if (read === undefined || read === null) return false
  if (kind.family === 'time') return form === 'time' || (form === 'number' && readTime(value) !== undefined)
  switch (kind.name) {
    case 'flag':
      return form === 'flag' || (form === 'number' && !tellsOfOthers(leafWords)) || form === 'text'
    case 'count':
      return form === 'number' && !tellsOfOthers(leafWords)
    case 'id':
      return form === 'number' || form === 'text' || form === 'hash'
    case 'text':
    case 'label': {
      const special = ofForm.find(([one]) => one === form)
      if (special !== undefined) return [...wanted].some((word) => special[1].has(word))
      if (form === 'number' || form === 'time' || form === 'flag') return form === 'number' && isId(wanted)
      return form === 'text' ? !ofForm.some(([one, words]) => one === 'hash' && [...wanted].every((word) => words.has(word))) : true
    }
    default:
      return true
  }
}

/** `price_decimals` tells how a price is written, and is none. */
const tellsOfOthers = (words: readonly string[]): boolean => words.includes('decimal') || words.includes('scale') || words.includes('exponent')

const weightOf = (word: string): number => (genericWords.has(word) ? 0.4 : neutralWords.has(word) ? 0.15 : 1)
const sum = (words: Iterable<string>): number => [...words].reduce((so, word) => so + weightOf(word), 0)

/** Words in common, of all that either has: 0 to 1. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  const both = sum([...a].filter((word) => b.has(word)))
  const all = sum(new Set([...a, ...b]))
  return all === 0 ? 0 : both / all
}

interface Pair {
  readonly want: number
  readonly leaf: number
  readonly score: number
  readonly why: Suggestion['why']
}

/**
 * Which places may hold the fields that are missing, best first. A place goes to the field that it is most like; another is offered it only where none wants
 * it more. `leaves`: places that nothing is read from.
 */
export function suggest(wanting: readonly Wanting[], leaves: readonly Leaf[], { words, known }: Around): readonly (readonly Suggestion[])[] {
  const own = new Set(words.flatMap((word) => wordsOf(word, known)))
  const bare = (all: readonly string[], family: Field<unknown>['kind']['family']): ReadonlySet<string> => {
    const { rest } = unitIn(all, family)
    const left = rest.filter((word) => !own.has(word))
    return new Set(left.length === 0 ? rest : left)
  }
  const aliasesOf = wanting.map(({ field }) => field.aliases.map((alias) => bare(wordsOf(alias, known), field.kind.family)))
  const pairs: Pair[] = []
  wanting.forEach(({ field }, want) => {
    const aliases = aliasesOf[want] ?? []
    const wanted = new Set(aliases.flatMap((alias) => [...alias]))
    leaves.forEach(({ node, value }, leaf) => {
      const all = node.segments.flat()
      if (!fits(field, wanted, value, all)) return
      const last = bare(node.segments.at(-1) ?? [], field.kind.family)
      const whole = bare(all, field.kind.family)
      const score = Math.max(0, ...aliases.map((alias) => Math.max(likeness(alias, whole), likeness(alias, last) * 0.9)))
      if (score >= leastLikeness) pairs.push({ want, leaf, score, why: 'words' })
    })
  })
  pairs.sort((a, b) => b.score - a.score)
  const best = (of: 'want' | 'leaf', index: number): number => pairs.find((pair) => pair[of] === index)?.score ?? 0
  return wanting.map((_, want) =>
    pairs
      .filter((pair) => pair.want === want && pair.score > best('leaf', pair.leaf) - tie)
      .slice(0, mostSuggestions)
      .map(({ leaf, why }) => ({ path: leaves[leaf]?.node.path.join('.') ?? '', preview: previewOf(leaves[leaf]?.value), why })),
  )
}
