import { absolute, shifted } from '../../decimal.ts'
import { shownIn } from '../names/resource-by-value.ts'
import { type Around, aroundOf, saidAround, valueAt } from '../names/walk.ts'
import { redact } from '../redact.ts'
import { withReason } from '../unknown-fields.ts'
import {
  type Complain,
  type Field,
  type Fields,
  type Habits,
  type Numeric,
  type ReadContext,
  type Reason,
  scaledTargets,
  type Values,
  type Vote,
} from './field.ts'
import { cutText, isRecord, longestText } from './kinds.ts'
import { readNumber, toPercent } from './numbers.ts'
import { isAmount, type Place, type Plan, type Shown } from './plan.ts'
import { type EvidenceOf, knownOf, noEvidence, readNumeric, type Unclear, unknownText } from './read-number.ts'
import type { Read, Resource } from './resource.ts'

/** State shared by all records of one resource while the app reads one answer. */
export interface Run {
  readonly context: ReadContext
  readonly evidence: EvidenceOf
  readonly scaleless: ReadonlySet<Numeric['target']> | null
  readonly open: Open[]
  /** Units and decimals that objects around the list state. They apply to all numbers in the list's records. */
  readonly around: Around
  /** For each field that the app recognised by its values: the path of the property that contains the field. */
  readonly shown: Shown | undefined
}

const ignore: Complain = () => {}

/** Maximum number of unreadable records for which the app collects the reasons. The user sees the reasons of far fewer. */
const mostExplained = 100

/** Reads the records of one resource in one answer. A unit or scale found in one record applies to all of them. */
export function readRecords<F extends Fields, T>(
  of: Resource<F, T>,
  given: readonly unknown[],
  context: ReadContext,
  complain: Complain,
): { readonly items: (T | undefined)[] } {
  const sources = withoutWide(given)
  const shown = shownIn(of, sources, context.fieldMap)
  const around = aroundOf(context.around)
  const newRun = (scaleless: Run['scaleless']): Run => ({ context, evidence: noEvidence(), scaleless, open: [], around, shown })
  let run = newRun(null)
  let outputs = sources.map((source) => readRecord(of, source, run, ignore))
  // Kinds of numbers (prices, USDC amounts) whose integers may be scaled by an unstated number of decimals.
  const scaleless = new Set<Numeric['target']>(
    (Object.keys(run.evidence) as Numeric['target'][]).filter((target) => run.evidence[target].large && !run.evidence[target].pointed),
  ) // the cast is safe: the keys of `evidence` are targets
  for (const target of scaledBefore(run.evidence, context.habits)) scaleless.add(target)
  if (scaleless.size > 0) {
    run = newRun(scaleless)
    outputs = sources.map((source) => readRecord(of, source, run, ignore))
  }
  settle(of, run)
  if (of.doubts !== undefined)
    outputs.forEach((output, index) => {
      if (output !== undefined) readElsewhere(of, sources[index], output, run)
    })
  let again: Run | null = null
  let explained = 0
  const items = outputs.map((output, index) => {
    if (output === undefined) {
      // Read the unreadable record again, this time collecting the reasons. Readable records skip this work.
      if (explained < mostExplained) {
        again ??= newRun(scaleless)
        readRecord(of, sources[index], again, (path, issue) => complain([index, ...path], issue))
      }
      explained += 1
      return undefined
    }
    const found = output as Read<F> // the cast is safe: `readRecord` filled in every field
    return of.finish === undefined ? (found as unknown as T) : of.finish(found, (path, issue) => complain([index, ...path], issue)) // the cast is safe: without `finish`, `T` is `Read<F>`
  })
  return { items }
}

/** A record with more names than this is wide. No known service sends lists of wide records with different names. */
const mostUsualNames = 64
/** The maximum number of names in the wide records of one list, counted once for neighbouring records with the same names. */
const mostWideNames = 2_000

/**
 * Leaves out wide records with too many different names in total, because the app would match each name with all fields. The app does not read these
 * records.
 */
function withoutWide(sources: readonly unknown[]): readonly unknown[] {
  if (sources.length === 1) return sources
  let [spent, last]: [number, readonly string[]] = [0, []]
  let kept: unknown[] | null = null
  for (let index = 0; index < sources.length; index += 1) {
    const source = sources[index]
    if (!isRecord(source)) continue
    const names = Object.keys(source)
    if (names.length <= mostUsualNames || (names.length === last.length && names.every((name, place) => name === last[place]))) continue
    last = names
    spent += names.length
    if (spent <= mostWideNames) continue
    kept ??= sources.slice()
    kept[index] = undefined
    last = []
  }
  return kept ?? sources
}

/**
 * Returns the kinds of numbers (price, USDC) that this service writes as integers with unstated decimals, as earlier answers showed. The app then
 * never reads a small integer as an unscaled number.
 */
function scaledBefore(evidence: EvidenceOf, habits: Habits | undefined): readonly Numeric['target'][] {
  if (habits === undefined) return []
  return scaledTargets.filter((target) => {
    const known = habits.scaled[target]
    known.pointed ||= evidence[target].pointed
    known.large ||= evidence[target].huge
    return known.large && !known.pointed
  })
}

function readRecord(of: Resource<Fields, unknown>, source: unknown, run: Run, complain: Complain): Record<string, unknown> | undefined {
  if (!isRecord(source)) {
    complain([], 'not an object of the expected kind')
    return undefined
  }
  const plan = of.planOf(source, run.context.fieldMap, run.shown)
  if (plan.lacks >= 0) {
    complain([of.list[plan.lacks]?.aliases[0] ?? of.fieldNames[plan.lacks] ?? ''], 'missing')
    return undefined
  }
  // A copy of a record in which every field is null: filling it in is faster than adding one field after another.
  const output: Record<string, unknown> = { ...of.blank }
  const values = Object.values(source)
  const { list, fieldNames } = of
  let known: boolean[] | null = null
  const unclear: Unclear[] = []
  const worths: [name: string, value: string][] = []
  const none: string[] = []
  for (const index of plan.sought) {
    const field = list[index] as Field<unknown> // the cast is safe: `index` is the index of a field
    const name = fieldNames[index] as string // the cast is safe: each field has a name
    const choices = plan.places[index] as readonly Place[] // the cast is safe: each field has an entry in `places`
    let place = choices[0] as Place // the cast is safe: a field that is sought has a place
    let held = heldAt(place, source, values)
    if (choices.length > 1) {
      for (let next = 1; (held === null || held === undefined) && next < choices.length; next += 1) {
        place = choices[next] as Place // the cast is safe: `next` is below the length of `choices`
        held = heldAt(place, source, values)
      }
      const { says } = field.kind
      if (says !== undefined && !says(held)) {
        const saying = choices.find((choice) => says(heldAt(choice, source, values)))
        if (saying !== undefined) [place, held] = [saying, heldAt(saying, source, values)]
      }
    }
    if (held === null || held === undefined) {
      if (field.required) {
        complain([field.aliases[0] ?? name], 'missing')
        return undefined
      }
      // The property has the field's name and is null, so the field has no value. It does not count as an unknown field.
      if (held === null) none.push(name)
      continue
    }
    let value = readField(field, place, held, source, run, output, index)
    // If the value has the wrong form for the field, try the next property that matches the field.
    if (choices.length > 1 && isOfOtherForm(value)) {
      for (let next = choices.indexOf(place) + 1; isOfOtherForm(value) && next > 0 && next < choices.length; next += 1) {
        const other = choices[next] as Place // the cast is safe: `next` is below the length of `choices`
        const there = heldAt(other, source, values)
        const said = there === null || there === undefined ? undefined : readField(field, other, there, source, run, output, index)
        if (!isOfOtherForm(said)) [place, held, value] = [other, there, said]
      }
    }
    const reason = value === undefined ? 'form' : value instanceof Unread ? value.reason : null
    // Keep a number without a stated scale, because other figures of the record may still show the scale.
    const written = reason === 'scale' && name === of.writes ? readNumber(held)?.value : undefined
    if (written !== undefined) {
      run.open.push({ output, field: index, place, raw: held, value: written, lacks: 'scale' })
      continue
    }
    const inUsdc = value instanceof Unread ? value.usdc : null
    const worth = inUsdc === null ? undefined : of.inUsdc?.[name]
    if (inUsdc !== null && worth !== undefined && !isOfOthers(plan, index, place.name)) {
      worths.push([worth, inUsdc])
      continue
    }
    const differs = reason === null && place.level > 0 && choices.length > 1 && hasRival(field, place, choices, value, source, run)
    if (reason !== null || differs) {
      if (field.required) {
        if (value === undefined) field.kind.read(held, (path, issue) => complain([...place.path, ...path], issue), run.context)
        complain(place.path, 'not readable')
        return undefined
      }
      known ??= plan.usual.slice()
      known[place.tells] = false
      unclear.push({ name: place.name, reason: differs ? 'conflict' : (reason ?? 'form') })
      continue
    }
    output[name] = value
    if (value === null) none.push(name)
    if (place !== choices[0]) known ??= plan.usual.slice()
  }
  for (const [name, value] of worths) output[name] ??= absolute(value)
  const stated = of.tellsNone === undefined ? [] : none.filter((name) => of.tellsNone?.includes(name))
  if (stated.length > 0) output.none = stated
  output.unknownFields = unknownText(source, values, plan, known === null ? plan.usual : knownOf(of.fieldNames, plan, output, source, unclear), unclear)
  return output
}

/** The value at this place. `values`: the record’s own values, in order. */
const heldAt = ({ path, top }: Place, source: Readonly<Record<string, unknown>>, values: readonly unknown[]): unknown =>
  path.length === 1 ? values[top] : valueAt(source, path)

/** Whether this property is the best match for another field. If so, the app must not read the property as this field. */
const isOfOthers = ({ places }: Plan, field: number, place: string): boolean => places.some((others, other) => other !== field && others[0]?.name === place)

class Unread {
  readonly reason: Reason
  /** The number's value in USDC, if the number is in USDC and not in the field's own unit; otherwise null. */
  readonly usdc: string | null
  constructor(reason: Reason, usdc: string | null = null) {
    this.reason = reason
    this.usdc = usdc
  }
}

const isOfOtherForm = (value: unknown): boolean => value === undefined || (value instanceof Unread && value.reason === 'form')

function readField(
  field: Field<unknown>,
  place: Place,
  held: unknown,
  source: Readonly<Record<string, unknown>>,
  run: Run,
  output: Record<string, unknown> | null,
  index: number,
): unknown {
  const { numeric, cut, takes } = field.kind
  if (typeof held === 'string' && held.length > longestText && takes === 'leaf')
    return cut === true ? field.kind.read(cutText(held), ignore, run.context) : undefined
  if (numeric === null) return field.kind.read(held, ignore, run.context)
  const found = readNumeric(held, numeric, place, source, run)
  if (found.kind === 'unclear') return new Unread(found.reason)
  if (found.kind === 'usdc') return new Unread('unit', found.value)
  if (found.kind === 'open' && output !== null) run.open.push({ output, field: index, place, raw: held, value: found.value, lacks: 'unit' })
  return found.value
}

/**
 * Drops each field value that contradicts the record's other fields (`doubts`), and reads the field from the next property without a contradiction.
 * Dropped values are listed under unknown fields.
 */
function readElsewhere(of: Resource<Fields, unknown>, source: unknown, output: Record<string, unknown>, run: Run): void {
  const doubted = () => of.doubts?.(output as Values<Fields>) ?? [] // the cast is safe: `readRecord` filled in every field
  for (const name of doubted()) {
    const index = of.fieldNames.indexOf(name)
    const record = source as Readonly<Record<string, unknown>> // the cast is safe: only objects are readable as records
    for (const place of of.planOf(record, run.context.fieldMap, run.shown).places[index] ?? []) {
      const held = valueAt(record, place.path)
      if (held === null || held === undefined) continue
      const said = readField(of.list[index] as Field<unknown>, place, held, record, run, null, index) // the cast is safe: `index` is the index of a field
      output[name] = said instanceof Unread ? null : (said ?? null)
      if (output[name] !== null && !doubted().includes(name)) break
      output.unknownFields = withReason((output.unknownFields as string | null) ?? null, place.name, redact(held), 'unit') // the cast is safe: unknown fields are text or null
      output[name] = null
    }
  }
}

const tellsScale = ({ beside }: Place, source: Readonly<Record<string, unknown>>): boolean =>
  beside.some(({ path, says }) => says === 'scale' && valueAt(source, path) != null)

/**
 * Whether another property matches the field equally well but has a different value. The app then trusts neither value. A top-level property with
 * the field's exact name always wins instead.
 */
function hasRival(
  field: Field<unknown>,
  place: Place,
  choices: readonly Place[],
  value: unknown,
  source: Readonly<Record<string, unknown>>,
  run: Run,
): boolean {
  for (const other of choices) {
    // An amount and a ratio of the same name do not conflict, because they measure different things.
    if (place.unit.ratio !== null && other.unit.ratio === null) continue
    // A stated scale makes this amount more reliable than a number without a stated scale.
    if (isAmount(field) && tellsScale(place, source) && !tellsScale(other, source)) continue
    if (other === place || other.alias !== place.alias || other.level !== place.level) continue
    const held = valueAt(source, other.path)
    if (held === null || held === undefined) continue
    const said = readField(field, other, held, source, run, null, 0)
    if (!(said instanceof Unread) && said !== undefined && JSON.stringify(said) !== JSON.stringify(value)) return true
  }
  return false
}

/** A number of unknown unit or scale. It is decided after all records have been read. */
interface Open {
  readonly output: Record<string, unknown>
  readonly field: number
  readonly place: Place
  readonly raw: unknown
  readonly value: string
  /** Whether the number's unit or its scale is unknown. Only other figures of the record can show it. */
  readonly lacks: 'unit' | 'scale'
}

/**
 * Decides the unit or scale of numbers that do not state it, from other figures in the same record. A decision counts only if all records of the
 * list agree.
 */
function settle(of: Resource<Fields, unknown>, { open, around }: { readonly open: readonly Open[]; readonly around: Around }): void {
  // A number of unknown unit must not help to decide other numbers. So clear all these numbers first.
  for (const { output, field } of open) output[of.fieldNames[field] ?? ''] = null
  // Decide field by field, so that a decided field can help to decide the next field.
  for (const field of new Set(open.map((one) => one.field).sort((a, b) => a - b))) settleField(of, field, open, around)
}

function settleField(of: Resource<Fields, unknown>, field: number, open: readonly Open[], around: Around): void {
  const name = of.fieldNames[field] ?? ''
  const here = open.filter((one) => one.field === field)
  const judge = of.agree?.[name]
  const votes = new Map<string, { vote: Vote; count: number }>()
  for (const { output, place, value } of here) {
    const sum = votes.get(place.name)
    if (sum !== undefined && sum.count >= enoughVotes) continue
    const said = saidAround(around, of.list[field] as Field<unknown>, place.path, of.matcher.known) // the cast is safe: `field` is an index of `of.list`
    const vote = said ?? judge?.(output as Values<Fields>, value) ?? null // the cast is safe: `readRecord` filled in every field
    if (vote === null) continue
    if (sum === undefined) votes.set(place.name, { vote, count: 1 })
    else {
      sum.count += 1
      if (sum.vote !== vote) sum.vote = 'otherwise'
    }
  }
  for (const { output, place, value, raw, lacks } of here) {
    const vote = votes.get(place.name)?.vote ?? null
    const worth = vote === 'usdc' && lacks === 'unit' ? of.inUsdc?.[name] : undefined
    if (worth !== undefined) output[worth] ??= absolute(value)
    if (worth !== undefined && name !== of.writes) continue
    if (vote === 'as_named' && lacks === 'unit') output[name] = value
    else if (typeof vote === 'number' && !value.includes('.')) output[name] = shifted(value, vote)
    else if (vote !== null && typeof vote !== 'number' && vote !== 'otherwise' && vote !== 'usdc' && vote !== 'as_named') output[name] = toPercent(value, vote)
    else {
      if (name === of.writes) output.written = absolute(value)
      output.unknownFields = withReason((output.unknownFields as string | null) ?? null, place.name, redact(raw), lacks) // the cast is safe: unknown fields are text or null
    }
  }
}

/** If this many records agree on a unit, the app assumes the same unit for all other records of the list. */
const enoughVotes = 100
