import { spelledWords } from '../api/names/name-words.ts'
import { saysUnit } from '../api/reader/units.ts'
import { firstHidden } from '../signing/wording.ts'
import type { AnswerFields } from './answer-fields.ts'
import { type EntryIssue, type MapEntry, mapLimits } from './field-map-entries.ts'
import { assumedFields, documentedBeside, documentedRequests, isAssumedRequest } from './sent-names.ts'

export const reservedNames: readonly string[] = ['__proto__', 'constructor', 'prototype']

const wireName = /^[A-Za-z][A-Za-z0-9_-]*$/
const step = /^\S(?:.*\S)?$/u
const mostSteps = 64

/** Normalises a name, so that `orderId` and `order_id` become equal. */
const canonical = (name: string): string => name.replace(/[_-]/g, '').toLowerCase()

function requestIssue({ of, field, at, unit }: MapEntry): EntryIssue | null {
  if (documentedRequests.includes(of)) return 'documented_request'
  if (!isAssumedRequest(of)) return 'unknown_request'
  const fields = assumedFields[of]
  const documented = documentedBeside(of)
  if (documented.includes(field)) return 'documented_field'
  if (!fields.includes(field)) return 'unknown_field'
  if (unit !== null) return 'no_unit'
  if (at.length > mapLimits.nameCharacters) return 'too_long'
  if (!wireName.test(at)) return 'bad_name'
  if (documented.some((name) => canonical(name) === canonical(at))) return 'documented_name'
  if (fields.some((other) => other !== field && canonical(other) === canonical(at))) return 'taken'
  // Renaming `amount_usdc` to `amount` is allowed, because `amount` states no unit. Renaming `size` to `size_usdc` is not allowed, because the
  // number would then mean something else.
  const said = spelledWords(at).filter(saysUnit)
  const own = spelledWords(field).filter(saysUnit)
  return said.every((word) => own.includes(word)) ? null : 'other_unit'
}

function answerIssue({ of, field, at, unit, from }: MapEntry, answers: AnswerFields): EntryIssue | null {
  const fields = Object.hasOwn(answers, of) ? answers[of] : undefined
  if (fields === undefined) return 'unknown_resource'
  const known = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (known === undefined) return 'unknown_field'
  if (known.documented) return 'documented_field'
  if (known.guarded && from !== 'check') return 'guarded_field'
  if (at.length > mapLimits.pathCharacters) return 'too_long'
  const steps = at.split('.')
  if (steps.length > mostSteps || !steps.every((one) => step.test(one))) return 'bad_path'
  if (unit === null) return null
  if (known.units === 'none') return 'no_unit'
  return unit.length <= mapLimits.unitCharacters && unitFits(unit, known.units) ? null : 'bad_unit'
}

/** Returns the problem of a single entry, without comparing it with other entries; null if there is none. */
export function entryIssue(entry: MapEntry, answers: AnswerFields): EntryIssue | null {
  for (const text of [entry.of, entry.field, entry.at, entry.unit ?? '']) if (firstHidden(text) !== null || /[\n\r\t]/.test(text)) return 'hidden_characters'
  if ([entry.of, entry.field, ...entry.at.split('.')].some((name) => reservedNames.includes(name))) return 'reserved_name'
  return entry.part === 'payloads' ? requestIssue(entry) : answerIssue(entry, answers)
}

/** Returns the problems of a whole field map, keyed by entry index. Also finds two fields of one request that would get the same name. */
export function mapIssues(entries: readonly MapEntry[], answers: AnswerFields): ReadonlyMap<number, EntryIssue> {
  const issues = new Map<number, EntryIssue>()
  const sent = new Map<string, number>()
  entries.forEach((entry, place) => {
    const issue = entryIssue(entry, answers)
    if (issue !== null) issues.set(place, issue)
    if (entry.part !== 'payloads') return
    const name = `${entry.of} ${entry.at}`
    if (sent.has(name) && !issues.has(place)) issues.set(place, 'taken')
    sent.set(name, place)
  })
  return issues
}

/**
 * Returns the entries that the user may export to a file. Leaves out fields that the app compares before signing: an imported file must not change
 * them, and the user should set each one while looking at the actual answer.
 */
export const shareable = (entries: readonly MapEntry[], answers: AnswerFields): readonly MapEntry[] =>
  entries.filter((entry) => entryIssue({ ...entry, from: 'file' }, answers) === null)

const words = { amount: ['usdc', 'base'], ratio: ['percent', 'fraction', 'bps'] } as const

/**
 * Whether the unit is valid for this kind of field: a known unit word, alone or followed by the number of decimals in an integer, such as `usdc e6`.
 */
function unitFits(unit: string, units: 'amount' | 'ratio'): boolean {
  const [word = '', scale, ...more] = unit.split(' ')
  return more.length === 0 && words[units].some((known) => known === word) && (scale === undefined || /^e([1-9]|1[0-9]|2[0-9]|30)$/.test(scale))
}
