import type { Field, Numeric } from '../reader/field.ts'
import { readTime, unitIn } from '../reader/units.ts'
import { redact } from '../redact.ts'
import { areRelated, wordsOf } from './name-words.ts'
import { genericWords, neutralWords, qualifiers, subjects } from './vocabulary.ts'
import type { Node } from './walk.ts'

/** A property of the answer that the app suggests to the user for a missing field. */
export interface Suggestion {
  /** The path of the property, in the notation of a field map. */
  readonly path: string
  /** The property's value, shortened and without secrets. */
  readonly preview: string
  /**
   * Why the app suggests this property. `words`: its name shares words with the field's name. `form`: no other property has a value of this form, such
   * as a date or an address.
   */
  readonly why: 'words' | 'form'
}

/** A property of a record that the app did not recognise as a field, with its value in the first record. */
export interface Leaf {
  readonly node: Node
  readonly value: unknown
}

/** Words that help to compare names. `words`: the words of the resource's name. `known`: words at which to split a name without separators. */
interface Around {
  readonly words: readonly string[]
  readonly known: ReadonlySet<string>
}

const longestPreview = 80
const mostSuggestions = 5
/** Minimum similarity of two names. Below this, the name is not a reason to suggest the property. */
const leastLikeness = 0.2
const tie = 0.02

export const previewOf = (value: unknown): string => {
  const shown = redact(value)
  return (typeof shown === 'string' ? shown : (JSON.stringify(shown) ?? '')).slice(0, longestPreview)
}

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

/** Forms that only some text fields accept, each with the words in a field's name that indicate this form. */
const textForms: Partial<Readonly<Record<Form, ReadonlySet<string>>>> = {
  address: new Set(['address', 'wallet', 'owner', 'contract', 'account', 'router', 'spender', 'agent', 'trader', 'user']),
  hash: new Set(['hash', 'tx']),
  ip: new Set(['ip', 'allowlist', 'whitelist', 'cidr']),
  url: new Set(['url', 'endpoint', 'callback']),
}
const isId = (words: ReadonlySet<string>): boolean => words.has('id') || words.has('ref')

/** Whether a name only describes another value: `price_decimals` says how a price is written, but is not a price. */
const tellsOfOthers = (words: readonly string[]): boolean => words.includes('decimal') || words.includes('scale') || words.includes('exponent')

const momentWords: ReadonlySet<string> = new Set(['at', 'time', 'ms', 'milli', 'micro', 'nano', 'second'])

interface Want {
  readonly field: Field<unknown>
  /** The words of each alias of the field, without the unit. */
  readonly aliases: readonly ReadonlySet<string>[]
  /** The words of all aliases of the field together. */
  readonly words: ReadonlySet<string>
}

const namesUnit = (words: readonly string[]): boolean => {
  const { denomination, scale, ratio } = { ...unitIn(words, 'amount').unit, ratio: unitIn(words, 'ratio').unit.ratio }
  return denomination !== null || scale !== null || ratio !== null
}

function fitsUnit(target: Numeric['target'], words: readonly string[]): boolean {
  const { ratio } = unitIn(words, 'ratio').unit
  const { denomination, scale } = unitIn(words, 'amount').unit
  if (target === 'percent' || target === 'hourly') return denomination === null && scale === null
  if (ratio !== null) return false
  return target === 'factor' ? denomination === null : target !== 'tokens' || denomination === null
}

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
  // Suggest an IP address or a URL only for a field whose name says so, such as `ip` or `url`.
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
      // A 32-byte hash also fits an id field, because some ids are hashes.
      if (wanting !== undefined) return [...wanting].some((word) => words.has(word)) || (form === 'hash' && kind.name === 'id')
      if (form === 'number') return isId(words) && !tellsOfOthers(named) && Number.isInteger(Number(value))
      // Suggest ordinary text for any text field, except for fields that need an address or a hash.
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

/** How much a synonym counts in the comparison of two names. The same word counts 1. */
const relatedShare = 0.7
/**
 * Factors that lower the similarity of two names if one of them has an extra word with its own meaning, such as `previous`. The lower factor applies
 * if the extra word names another amount or comes last, as in `exec_fee`.
 */
const otherThing = 0.6
const otherNoun = 0.3

/** Removes the endings -ed and -ing, so that `marked` and `mark` become equal. */
const stem = (word: string): string => (word.length > 5 ? word.replace(/(?:ed|ing)$/, '') : word)

/**
 * How well the name `other` matches a word, from 0 to 1. It is 1 if the name contains the same word, and less if it contains another form of the
 * word or a synonym.
 */
function shareOf(word: string, other: ReadonlySet<string>): number {
  if (other.has(word)) return 1
  let best = 0
  for (const one of other) {
    if (stem(one) === stem(word)) return 0.9
    if (areRelated(one, word)) best = relatedShare
  }
  return best
}

/** Returns how similar two names are, from 0 to 1, by the share of words that both contain. */
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

/** Words for amounts that are separate from a position's own amounts. For example, the result of funding is not the result of the position. */
const ownAmounts: ReadonlySet<string> = new Set(['funding', 'fee', 'interest'])

/**
 * Whether a word changes the meaning of a name, such as `previous` or `quote`. If only one of two names contains such a word, the names probably
 * mean different things.
 */
const says = (word: string): boolean => qualifiers.has(word) || subjects.has(word) || genericWords.has(word) || otherSide.has(word)
const otherSide: ReadonlySet<string> = new Set(['quote', 'settle', 'settlement', 'base'])

/** Forms that identify a value even under an unknown name. */
const strongForms: ReadonlySet<Form> = new Set(['time', 'address', 'hash', 'ip', 'url'])

/** Words for events that may never happen, such as a revocation. A time under an unknown name more likely belongs to an event that always happens. */
const perhaps: ReadonlySet<string> = new Set(['revoked', 'disabled', 'used', 'expiry', 'until', 'next', 'cancelled'])

interface Pair {
  readonly want: number
  readonly leaf: number
  readonly score: number
  readonly why: Suggestion['why']
}

/**
 * Suggests properties for the missing fields, best first. Each property is suggested only for the field with the most similar name, and for fields
 * whose names are about equally similar. `leaves`: the properties that no field reads.
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

  // Then suggest by elimination: if exactly one property fits a remaining field by its form, suggest that property.
  const left = leaves.map((leaf, index) => (isEnvelope(leaf) || pairs.some((pair) => pair.leaf === index) ? null : leaf))
  const could = wants.map((want, index) =>
    byWords.some((pair) => pair.want === index) || want.field.kind.name === 'anything'
      ? []
      : left.flatMap((leaf, place) => {
          if (leaf === null || !fits(want, leaf)) return []
          const named = bare(leaf.node.segments.flat(), want.field.kind.family)
          const isTyped = strongForms.has(formOf(leaf.value)) || want.field.kind.family === 'time'
          // A plain number or text could belong to any field, so its form is not a reason to suggest it.
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

/** Whether a property only reports success or how long the answer took. Such a property belongs to no field. */
const isEnvelope = ({ node: { path }, value }: Leaf): boolean =>
  path.length === 1 &&
  /^(?:status|ok|success|code|ret_?code|msg|ret_?msg|message|took|request_?id|server_?time)$/i.test((path[0] ?? '').replaceAll('-', '_')) &&
  /^(?:ok|success|true|0|\d{1,3}|[a-z]{2,4}-[0-9a-f]+)$/i.test(String(value))

/** Whether a number is a time between 2015 and 2040. */
function isMoment(value: unknown): boolean {
  const read = readTime(value)
  return typeof read === 'number' && read > Date.UTC(2015) && read < Date.UTC(2040)
}
