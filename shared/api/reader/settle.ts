import { absolute, fromUnits } from '../../decimal.ts'
import { type Around, saidAround } from '../names/around.ts'
import { redact } from '../redact.ts'
import { withReason } from '../unknown-fields.ts'
import type { Field, Fields, Values, Vote } from './field.ts'
import { toPercent } from './numbers.ts'
import type { Place } from './plan.ts'
import type { Resource } from './resource.ts'

/** A number whose unit the record does not name, until all records were read. */
export interface Open {
  readonly output: Record<string, unknown>
  readonly field: number
  readonly place: Place
  readonly raw: unknown
  readonly value: string
  /** What cannot be told without agreement. */
  readonly lacks: 'unit' | 'scale'
}

/** Numbers without a unit get the one that agrees with what stands beside them; it must be the same in every record. */
export function settle(of: Resource<Fields, unknown>, { open, around }: { readonly open: readonly Open[]; readonly around: Around }): void {
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
