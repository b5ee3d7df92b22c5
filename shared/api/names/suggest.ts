import type { Field, Numeric } from '../reader/field.ts'
import { readTime, unitIn } from '../reader/units.ts'
import { redact } from '../redact.ts'
import { areRelated, wordsOf } from './name-words.ts'
import { genericWords, neutralWords, qualifiers, subjects } from './vocabulary.ts'
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

/** What a value is by its form, under any name. */
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
const textForms: Partial<Readonly<Record<Form, ReadonlySet<string>>>> = {
  address: new Set(['address', 'wallet', 'owner', 'contract', 'account', 'router', 'spender', 'agent', 'trader', 'user']),
  hash: new Set(['hash', 'tx']),
  ip: new Set(['ip', 'allowlist', 'whitelist', 'cidr']),
  url: new Set(['url', 'endpoint', 'callback']),
}
const isId = (words: ReadonlySet<string>): boolean => words.has('id') || words.has('ref')

/** `price_decimals` tells how a price is written, and is none. */
const tellsOfOthers = (words: readonly string[]): boolean => words.includes('decimal') || words.includes('scale') || words.includes('exponent')

const momentWords: ReadonlySet<string> = new Set(['at', 'time', 'ms', 'milli', 'micro', 'nano', 'second'])

interface Want {
  readonly field: Field<unknown>
  /** The words of each of its names, without its unit. */
  readonly aliases: readonly ReadonlySet<string>[]
  /** All of them. */
  readonly words: ReadonlySet<string>
}

/** Whether a name says in what its number is. */
const namesUnit = (words: readonly string[]): boolean => {
  const { denomination, scale, ratio } = { ...unitIn(words, 'amount').unit, ratio: unitIn(words, 'ratio').unit.ratio }
  return denomination !== null || scale !== null || ratio !== null
}

/** Whether a number whose name says this unit can be the field's. */
function fitsUnit(target: Numeric['target'], words: readonly string[]): boolean {
  const { ratio } = unitIn(words, 'ratio').unit
  const { denomination, scale } = unitIn(words, 'amount').unit
  if (target === 'percent' || target === 'hourly') return denomination === null && scale === null
  if (ratio !== null) return false
  return target === 'factor' ? denomination === null : target !== 'tokens' || denomination === null
}

/** Whether a value of this form can be the field's. */
function fits({ field: { kind }, words }: Want, { node, value }: Leaf): boolean {
  const form = formOf(value)
  const named = node.segments.flat()
  if (kind.numeric !== null)
    return (
      form === 'number' &&
      !tellsOfOthers(named) &&
      fitsUnit(kind.numeric.target, named) &&
      (kind.numeric.target !== 'price' || /^\+?[\d.]*[1-9]/.test(String(value).trim()))
    )
  if (kind.says !== undefined && !kind.says(value)) return false
  // Where it comes from, or goes to, is nothing else.
  if ((form === 'ip' || form === 'url') && ![...words].some((word) => textForms[form]?.has(word))) return false
  const read = kind.read(value, () => {}, {})
  if (read === undefined || read === null) return false
  if (kind.family === 'time') return form === 'time' || form === 'number'
  switch (kind.name) {
    case 'flag':
      return form !== 'number' || !(tellsOfOthers(named) || named.some((word) => momentWords.has(word)))
    case 'count':
      return form === 'number' && (!tellsOfOthers(named) || words.has('decimal'))
    case 'text':
    case 'label':
    case 'id': {
      const wanting = textForms[form]
      // An id may be written as 32 bytes.
      if (wanting !== undefined) return [...wanting].some((word) => words.has(word)) || (form === 'hash' && kind.name === 'id')
      if (form === 'number') return isId(words) && !tellsOfOthers(named) && Number.isInteger(Number(value))
      // A field that holds an address or a hash holds no other text.
      return form === 'text' && ![textForms.address, textForms.hash].some((of) => [...words].every((word) => of?.has(word)))
    }
    default:
      return true
  }
}

const prepositions: ReadonlySet<string> = new Set(['in', 'at', 'to', 'by', 'on', 'per', 'for', 'and', 'after', 'before'])
const weightOf = (word: string): number =>
  prepositions.has(word)
    ? 0.1
    : word === 'value' || word === 'display'
      ? 0.2
      : genericWords.has(word)
        ? 0.4
        : neutralWords.has(word)
          ? 0.15
          : qualifiers.has(word) || subjects.has(word)
            ? 0.7
            : 1

/** Of a word that is only related to one, so much counts as in common. */
const relatedShare = 0.7
/** A name that says another thing besides is less likely meant, and one that ends on it, as `exec_fee` does, is hardly. */
const otherThing = 0.6
const otherNoun = 0.3

/** `marked` is of `mark`. */
const stem = (word: string): string => (word.length > 5 ? word.replace(/(?:ed|ing)$/, '') : word)

/** How much of a word another name has: 1 is the word itself. */
function shareOf(word: string, other: ReadonlySet<string>): number {
  if (other.has(word)) return 1
  let best = 0
  for (const one of other) {
    if (stem(one) === stem(word)) return 0.9
    if (areRelated(one, word)) best = relatedShare
  }
  return best
}

/** Words in common, of all that either has: 0 to 1. */
function likeness(alias: ReadonlySet<string>, leaf: ReadonlySet<string>): number {
  let both = 0
  let all = 0
  for (const word of alias) {
    both += weightOf(word) * shareOf(word, leaf)
    all += weightOf(word)
  }
  let other = 1
  const last = [...leaf].at(-1)
  for (const word of leaf) {
    const share = shareOf(word, alias)
    all += weightOf(word) * (1 - share)
    if (share > 0 || !says(word)) continue
    const isOther = ownAmounts.has(word) || (word === last && word !== 'value' && genericWords.has(word))
    other = Math.min(other, isOther ? otherNoun : otherThing)
  }
  return all === 0 ? 0 : (both / all) * other
}

/** What is paid or earned for a reason of its own: the result of funding is not that of the position. */
const ownAmounts: ReadonlySet<string> = new Set(['funding', 'fee', 'interest'])

/** Words that say what a value is; another field's name says so too. */
const says = (word: string): boolean => qualifiers.has(word) || subjects.has(word) || genericWords.has(word) || otherSide.has(word)
const otherSide: ReadonlySet<string> = new Set(['quote', 'settle', 'settlement', 'base'])

/** Their values say what they are. */
const strongForms: ReadonlySet<Form> = new Set(['time', 'address', 'hash', 'ip', 'url'])

/** Happened perhaps: a time under an unknown name is first of all that of what always happens. */
const perhaps: ReadonlySet<string> = new Set(['revoked', 'disabled', 'used', 'expiry', 'until', 'next', 'cancelled'])

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
export function suggest(wanting: readonly Field<unknown>[], leaves: readonly Leaf[], { words, known }: Around): readonly (readonly Suggestion[])[] {
  const own = new Set(words.flatMap((word) => wordsOf(word, known)))
  const bare = (all: readonly string[], family: Field<unknown>['kind']['family']): ReadonlySet<string> => {
    const { rest } = unitIn(all, family)
    const left = rest.filter((word) => !own.has(word))
    return new Set(left.length === 0 ? rest : left)
  }
  const wants = wanting.map((field): Want => {
    const aliases = field.aliases.map((alias) => bare(wordsOf(alias, known), field.kind.family))
    return { field, aliases, words: new Set(aliases.flatMap((alias) => [...alias])) }
  })
  const pairs: Pair[] = []
  wants.forEach((one, want) => {
    const { family, numeric } = one.field.kind
    leaves.forEach(({ node, value }, leaf) => {
      if (isEnvelope({ node, value }) || !fits(one, { node, value })) return
      const last = bare(node.segments.at(-1) ?? [], family)
      const whole = bare(node.segments.flat(), family)
      const like = Math.max(0, ...one.aliases.map((alias) => Math.max(likeness(alias, whole), likeness(alias, last) * 0.9)))
      const score = numeric !== null && isMoment(value) ? like / 2 : like
      if (score >= leastLikeness) pairs.push({ want, leaf, score, why: 'words' })
    })
  })
  pairs.sort((a, b) => b.score - a.score)
  const best = (of: 'want' | 'leaf', index: number): number => pairs.find((pair) => pair[of] === index)?.score ?? 0
  const byWords = pairs.filter(({ leaf, score }) => score > best('leaf', leaf) - tie)

  // By elimination: one field is left that could hold what stands in one place that is left.
  const left = leaves.map((leaf, index) => (isEnvelope(leaf) || pairs.some((pair) => pair.leaf === index) ? null : leaf))
  const could = wants.map((want, index) =>
    byWords.some((pair) => pair.want === index) || want.field.kind.name === 'anything'
      ? []
      : left.flatMap((leaf, place) => {
          if (leaf === null || !fits(want, leaf)) return []
          const named = bare(leaf.node.segments.flat(), want.field.kind.family)
          const isTyped = strongForms.has(formOf(leaf.value)) || want.field.kind.family === 'time'
          // A bare number says nothing at all, and neither does a text.
          const form = formOf(leaf.value)
          if (!isTyped && (form === 'text' || (form === 'number' && !namesUnit(leaf.node.segments.flat())))) return []
          return !isTyped && [...named].some((word) => says(word) && shareOf(word, want.words) === 0) ? [] : [place]
        }),
  )
  const isPerhaps = (want: number): boolean => [...(wants[want]?.words ?? [])].some((word) => perhaps.has(word))
  could.forEach((places, want) => {
    const [place] = places
    if (place === undefined || places.length > 1) return
    const rivals = could.flatMap((other, index) => (index !== want && other.includes(place) ? [index] : []))
    if (rivals.length === 0 || (!isPerhaps(want) && rivals.every(isPerhaps))) byWords.push({ want, leaf: place, score: 0, why: 'form' })
  })
  return wants.map((_, want) =>
    byWords
      .filter((pair) => pair.want === want)
      .slice(0, mostSuggestions)
      .map(({ leaf, why }) => ({ path: leaves[leaf]?.node.path.join('.') ?? '', preview: previewOf(leaves[leaf]?.value), why })),
  )
}

/** What says of an answer that it came, and in what time. */
const isEnvelope = ({ node: { path }, value }: Leaf): boolean =>
  path.length === 1 &&
  /^(?:status|ok|success|code|ret_?code|msg|ret_?msg|message|took|request_?id|server_?time)$/i.test((path[0] ?? '').replaceAll('-', '_')) &&
  /^(?:ok|success|true|0|\d{1,3}|[a-z]{2,4}-[0-9a-f]+)$/i.test(String(value))

/** A number that is a time of these years. */
function isMoment(value: unknown): boolean {
  const read = readTime(value)
  return typeof read === 'number' && read > Date.UTC(2015) && read < Date.UTC(2040)
}
