import { absolute, fromUnits } from '../../decimal.ts'
import { redact } from '../redact.ts'
import { boundFields, withReason } from '../unknown-fields.ts'
import { type Around, aroundOf, saidAround } from './around.ts'
import { shownIn } from './by-value.ts'
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
import type { FieldMap } from './field-map.ts'
import { cutText, isRecord, longestText, time } from './kinds.ts'
import { createMatcher, type Matcher } from './match.ts'
import { readNumber, toPercent } from './numbers.ts'
import { hasShape, type Place, type Plan, type Planned, planFor, type Shown } from './plan.ts'
import { type EvidenceOf, noEvidence, readNumeric } from './read-number.ts'
import { valueAt } from './walk.ts'

/** What a record was read as, with what nobody read of it. */
export type Read<F extends Fields> = Values<F> & {
  /** Fields that this app does not know, and those that it could not read with the reason, as JSON text, bounded (`boundFields`); null where there are none. */
  unknownFields: string | null
  /** The number that the resource keeps as it is written, without its sign, where its unit cannot be told. */
  written?: string
}

/** In which unit a number must be, by what stands beside it; null: that does not tell. */
type Agreement<F extends Fields> = { readonly [K in keyof F]?: Judge<F>['judge'] }
/** A method, so that a resource of certain fields is one of any fields. */
interface Judge<F extends Fields> {
  judge(found: Values<F>, value: string): Vote
}

export interface ResourceSpec<F extends Fields, T> {
  /** How field maps and the service check name it. */
  readonly name: string
  /** Words that stand for it in names: `position_size` of a position is its size. */
  readonly words: readonly string[]
  /** What is assumed, in a sentence; null: it belongs to another resource's. */
  readonly sentence: string | null
  /** Where the document says that it is not shown. */
  readonly source: string
  readonly fields: F
  /** Tells the unit of a number that names none. */
  readonly agree?: Agreement<F>
  /** Fields that hold numbers of others where those turn out to be in USDC. */
  readonly inUsdc?: { readonly [K in keyof F]?: keyof F & string }
  /** A number that is of use without its unit. */
  readonly writes?: keyof F & string
  /** Makes of what was read what the app uses. undefined: it is not a record of this kind. */
  finish?(found: Read<F>, complain: Complain): T | undefined
  /** Orders in which a list of values holds the fields; the first that fits every row is meant. */
  readonly tuples?: readonly (readonly (keyof F & string)[])[]
  /** Whether a row in one of those orders can be true. */
  fits?(found: Values<F>): boolean
  /** Of a record that is known by its key: the field that the key is, and the one that a bare value is. */
  readonly keyed?: { readonly key: keyof F & string; readonly value?: keyof F & string }
}

export interface Resource<F extends Fields = Fields, T = unknown> extends ResourceSpec<F, T> {
  readonly matcher: Matcher
  readonly list: readonly Field<unknown>[]
  readonly fieldNames: readonly string[]
  /** Fields that some values tell by themselves. */
  readonly telling: readonly number[]
  readonly times: readonly number[]
  planOf(source: Readonly<Record<string, unknown>>, fieldMap: FieldMap | undefined, shown?: Shown): Plan
}

/** Shapes that one resource keeps: rows of a list have the same names, save for a few variants. */
const mostPlans = 8
/** Objects with more names than that are not from the service that we know. */
const mostNames = 64

export function resource<F extends Fields, T = Read<F>>(spec: ResourceSpec<F, T>): Resource<F, T> {
  const fieldNames = Object.keys(spec.fields)
  const list = Object.values(spec.fields)
  const matcher = createMatcher([...spec.words], spec.fields)
  const planner = (mapped: Planned['mapped'], shown: Shown = {}) => {
    const plans: Plan[] = []
    // A record is read several times over, and most of a list have one shape, also where its plan is not kept.
    const ofRecord = new WeakMap<object, Plan>()
    let last: WeakRef<Plan> | null = null
    return (source: Readonly<Record<string, unknown>>): Plan => {
      for (const plan of plans) if (hasShape(source, plan.shape)) return plan
      const known = ofRecord.get(source) ?? last?.deref()
      if (known !== undefined && hasShape(source, known.shape)) return known
      const plan = planFor(source, { list, names: fieldNames, matcher, mapped, shown })
      ofRecord.set(source, plan)
      last = new WeakRef(plan)
      // A name that may hold a secret does not stay in memory.
      if (plan.told.length <= mostNames && plan.labels !== null) {
        plans.unshift(plan)
        if (plans.length > mostPlans) plans.pop()
      }
      return plan
    }
  }
  const unmapped = planner(undefined)
  const byMap = new WeakMap<FieldMap, ReturnType<typeof planner>>()
  const byShown = new Map<string, ReturnType<typeof planner>>()
  return {
    ...spec,
    matcher,
    list,
    fieldNames,
    telling: list.flatMap(({ kind }, index) => (kind.says === undefined ? [] : [index])),
    times: list.flatMap(({ kind }, index) => (kind === time ? [index] : [])),
    planOf: (source, fieldMap, shown) => {
      const mapped = fieldMap === undefined || !Object.hasOwn(fieldMap, spec.name) ? undefined : fieldMap[spec.name]
      if (shown !== undefined) {
        const key = JSON.stringify([shown, mapped ?? null])
        const made = byShown.get(key) ?? planner(mapped, shown)
        if (byShown.size >= mostPlans) byShown.clear()
        byShown.set(key, made)
        return made(source)
      }
      if (fieldMap === undefined || mapped === undefined) return unmapped(source)
      const made = byMap.get(fieldMap) ?? planner(mapped)
      byMap.set(fieldMap, made)
      return made(source)
    },
  }
}

/** A number whose unit the record does not name, until all records were read. */
interface Open {
  readonly output: Record<string, unknown>
  readonly field: number
  readonly place: Place
  readonly raw: unknown
  readonly value: string
  /** What cannot be told without agreement. */
  readonly lacks: 'unit' | 'scale'
}

/** One reading of one answer's records of a kind. */
export interface Run {
  readonly context: ReadContext
  readonly evidence: EvidenceOf
  readonly scaleless: ReadonlySet<Numeric['target']> | null
  readonly open: Open[]
  /** What stands around the records says of all numbers in them. */
  readonly around: Around
  /** Fields that the values of the records tell. */
  readonly shown: Shown | undefined
}

const ignore: Complain = () => {}

/** Reads records of one resource that came together: what one of them tells of units and scales holds for all. */
export function readRecords<F extends Fields, T>(
  of: Resource<F, T>,
  sources: readonly unknown[],
  context: ReadContext,
  complain: Complain,
): { readonly items: (T | undefined)[] } {
  const shown = shownIn(of, sources, context.fieldMap)
  let run = newRun(context, null, shown)
  let outputs = sources.map((source) => readRecord(of, source, run, ignore))
  // Integers that may carry decimals, and nothing beside them that says otherwise.
  const scaleless = new Set<Numeric['target']>(
    (Object.keys(run.evidence) as Numeric['target'][]).filter((target) => run.evidence[target].large && !run.evidence[target].pointed),
  ) // its keys are targets
  for (const target of scaledBefore(run.evidence, context.habits)) scaleless.add(target)
  if (scaleless.size > 0) {
    run = newRun(context, scaleless, shown)
    outputs = sources.map((source) => readRecord(of, source, run, ignore))
  }
  settle(of, run)
  const items = outputs.map((output, index) => {
    if (output === undefined) {
      // Read again, since only a bad record needs the reasons.
      readRecord(of, sources[index], newRun(context, scaleless, shown), (path, issue) => complain([index, ...path], issue))
      return undefined
    }
    const found = output as Read<F> // `blank` and the reading filled every name of the fields; TypeScript cannot follow that
    return of.finish === undefined ? (found as unknown as T) : of.finish(found, (path, issue) => complain([index, ...path], issue)) // without `finish`, T is what was read
  })
  return { items }
}

/** A small integer is no price, or no amount in USDC, where the service wrote others with decimals that it does not name, and never one with a point. */
function scaledBefore(evidence: EvidenceOf, habits: Habits | undefined): readonly Numeric['target'][] {
  if (habits === undefined) return []
  return scaledTargets.filter((target) => {
    const known = habits.scaled[target]
    known.pointed ||= evidence[target].pointed
    known.large ||= evidence[target].huge
    return known.large && !known.pointed
  })
}

const newRun = (context: ReadContext, scaleless: Run['scaleless'], shown: Run['shown']): Run => ({
  context,
  evidence: noEvidence(),
  scaleless,
  open: [],
  around: aroundOf(context.around),
  shown,
})

function readRecord(of: Resource<Fields, unknown>, source: unknown, run: Run, complain: Complain): Record<string, unknown> | undefined {
  if (!isRecord(source)) {
    complain([], 'not an object of the expected kind')
    return undefined
  }
  const plan = of.planOf(source, run.context.fieldMap, run.shown)
  const output: Record<string, unknown> = {}
  const values = Object.values(source)
  const read = (place: Place): unknown => (place.path.length === 1 ? values[place.top] : valueAt(source, place.path))
  const { list, fieldNames } = of
  let known: boolean[] | null = null
  const unclear: { readonly name: string; readonly reason: Reason }[] = []
  const worths: [name: string, value: string][] = []
  const fail = (place: Place | undefined, field: Field<unknown>, name: string): undefined => {
    complain(place?.path ?? [field.aliases[0] ?? name], place === undefined ? 'missing' : 'not readable')
    return undefined
  }
  for (let index = 0; index < list.length; index += 1) {
    const field = list[index] as Field<unknown> // below the length
    const name = fieldNames[index] as string // one for each field
    const choices = plan.places[index] as readonly Place[] // as above
    output[name] = null
    let place = choices[0]
    let held = place === undefined ? undefined : read(place)
    for (let next = 1; (held === null || held === undefined) && next < choices.length; next += 1) {
      place = choices[next]
      held = place === undefined ? undefined : read(place)
    }
    const { says } = field.kind
    if (says !== undefined && choices.length > 1 && !says(held)) {
      const saying = choices.find((choice) => says(read(choice)))
      if (saying !== undefined) [place, held] = [saying, read(saying)]
    }
    if (place === undefined || held === null || held === undefined) {
      if (field.required) return fail(undefined, field, name)
      // Null under a known name is missing, not unknown.
      continue
    }
    let value = readField(field, place, held, source, run, output, index)
    // What is of another form is not the value; another place may hold it.
    for (let next = choices.indexOf(place) + 1; isOfOtherForm(value) && next > 0 && next < choices.length; next += 1) {
      const other = choices[next] as Place // below the length
      const there = read(other)
      const said = there === null || there === undefined ? undefined : readField(field, other, there, source, run, output, index)
      if (!isOfOtherForm(said)) [place, held, value] = [other, there, said]
    }
    const reason = value === undefined ? 'form' : value instanceof Unread ? value.reason : null
    // Without its scale it may still be told by agreement.
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
    const differs = reason === null && place.level > 0 && hasRival(field, place, choices, value, source, run)
    if (reason !== null || differs) {
      if (field.required) {
        if (value === undefined) field.kind.read(held, (path, issue) => complain([...(place?.path ?? []), ...path], issue), run.context)
        return fail(place, field, name)
      }
      known ??= plan.usual.slice()
      known[place.tells] = false
      unclear.push({ name: place.name, reason: differs ? 'conflict' : (reason ?? 'form') })
      continue
    }
    output[name] = value
    if (place !== choices[0]) known ??= plan.usual.slice()
  }
  for (const [name, value] of worths) output[name] ??= absolute(value)
  output.unknownFields = unknownText(source, values, plan, known === null ? plan.usual : knownOf(of, plan, output, source, unclear), unclear)
  return output
}

/** What another field reads there is that field's. */
const isOfOthers = ({ places }: Plan, field: number, place: string): boolean => places.some((others, other) => other !== field && others[0]?.name === place)

class Unread {
  readonly reason: Reason
  /** What it is in USDC. */
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

/** Whether another place of the same name says something else. An exact name at the top is above that. */
function hasRival(
  field: Field<unknown>,
  place: Place,
  choices: readonly Place[],
  value: unknown,
  source: Readonly<Record<string, unknown>>,
  run: Run,
): boolean {
  for (const other of choices) {
    // An amount is no rival of a share that says that it is one.
    if (place.unit.ratio !== null && other.unit.ratio === null) continue
    if (other === place || other.alias !== place.alias || other.level !== place.level) continue
    const held = valueAt(source, other.path)
    if (held === null || held === undefined) continue
    const said = readField(field, other, held, source, run, null, 0)
    if (!(said instanceof Unread) && said !== undefined && JSON.stringify(said) !== JSON.stringify(value)) return true
  }
  return false
}

/** Numbers without a unit get the one that agrees with what stands beside them; it must be the same in every record. */
function settle(of: Resource<Fields, unknown>, { open, around }: Run): void {
  // What is open is no evidence for others: it is taken out before anyone votes.
  for (const { output, field } of open) output[of.fieldNames[field] ?? ''] = null
  // Field after field, so that one that was told can tell of the next.
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
    const said = saidAround(around, of.list[field] as Field<unknown>, place.path, of.matcher.known) // an index of the list
    const vote = said ?? judge?.(output as Values<Fields>, value) ?? null // filled by the reading
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
    else if (typeof vote === 'number' && !value.includes('.')) output[name] = fromUnits(BigInt(value), vote)
    else if (vote !== null && typeof vote !== 'number' && vote !== 'otherwise' && vote !== 'usdc' && vote !== 'as_named') output[name] = toPercent(value, vote)
    else {
      if (name === of.writes) output.written = absolute(value)
      output.unknownFields = withReason((output.unknownFields as string | null) ?? null, place.name, redact(raw), lacks) // always text or null
    }
  }
}

/** Records that agree on a unit, after which the rest of the list is taken to be written alike. */
const enoughVotes = 100

/** Which parts of a record were read, where not every field was at its best place. */
function knownOf(
  of: Resource<Fields, unknown>,
  { known, places }: Plan,
  output: Readonly<Record<string, unknown>>,
  source: Readonly<Record<string, unknown>>,
  unclear: readonly { readonly name: string }[],
): readonly boolean[] {
  const read = known.slice()
  const unread = new Set(unclear.map(({ name }) => name))
  for (const [index, choices] of places.entries()) {
    const used = choices.find(({ path }) => valueAt(source, path) !== null && valueAt(source, path) !== undefined)
    if (used === undefined || unread.has(used.name)) continue
    const found = output[of.fieldNames[index] ?? '']
    if (found !== undefined) read[used.tells] = true
  }
  return read
}

/** Printable ASCII that JSON writes as it is. */
const unescaped = /^[ !#-[\]-~]*$/

/** `JSON.stringify`, without its own cost for the short words that most unknown fields hold. */
const jsonOf = (value: unknown): string => (typeof value === 'string' && unescaped.test(value) ? `"${value}"` : JSON.stringify(value))

/** Parts of a record that nobody read, as JSON text, secrets cut out, since they are shown; those that are null carry nothing and are left out. */
function unknownText(
  source: Readonly<Record<string, unknown>>,
  values: readonly unknown[],
  { told, labels }: Plan,
  known: readonly boolean[],
  unclear: readonly { readonly name: string; readonly reason: Reason }[],
): string | null {
  let written = ''
  for (let index = 0; index < told.length; index += 1) {
    const part = told[index]
    if (known[index] || part === undefined) continue
    const value = part.path.length === 1 ? values[part.top] : valueAt(source, part.path)
    if (value === null || value === undefined) continue
    if (labels === null) return unknownOf(source, told, known, unclear)
    written += `${written === '' ? '{' : ','}${labels[index]}:${jsonOf(redact(value))}`
  }
  return withReasons(written === '' ? null : boundFields(`${written}}`), unclear)
}

/** The same where a name itself needs cutting. */
const unknownOf = (
  source: Readonly<Record<string, unknown>>,
  told: Plan['told'],
  known: readonly boolean[],
  unclear: readonly { readonly name: string; readonly reason: Reason }[],
): string | null => {
  const rest = Object.fromEntries(
    told.flatMap(({ path, name }, index) => {
      const value = valueAt(source, path)
      // The last name is what says whether the value is a secret.
      return known[index] || value === null || value === undefined ? [] : [[name, redactNamed(path.at(-1) ?? name, value)]]
    }),
  )
  return withReasons(boundFields(JSON.stringify(redact(rest))), unclear)
}

const redactNamed = (name: string, value: unknown): unknown => Object.values(redact({ [name]: value }) as Record<string, unknown>)[0] // an object of one name

const withReasons = (text: string | null, unclear: readonly { readonly name: string; readonly reason: Reason }[]): string | null =>
  // What is shown unread is of another form; the other reasons need saying.
  unclear.reduce((so, { name, reason }) => (reason === 'form' ? so : withReason(so, name, undefined, reason)), text)
