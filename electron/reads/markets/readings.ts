import type { FundingPoint, InterestPoint } from '../../../shared/ipc/reads/market-state.ts'
import { minute } from '../../../shared/time.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import { perFieldMap } from '../../service/field-names/per-field-map.ts'

/** What was read of the markets since the app was started, for pictures of what the service keeps no history of. */
export interface Readings {
  noteFunding(pairId: number, point: FundingPoint): void
  noteInterest(pairId: number, point: InterestPoint): void
  /** Oldest first. */
  funding(pairId: number): FundingPoint[]
  interest(pairId: number): InterestPoint[]
}

/** One point in so long, for a day. */
const spacingMs = 5 * minute
const mostPoints = 288

interface Timed {
  readonly atMs: number
}

function createSeries<T extends Timed>(answers: FieldMapBook['answers']) {
  const pairs = perFieldMap(answers, () => new Map<number, { readonly settled: T[]; newest: T }>())
  return {
    note: (pairId: number, point: T): void => {
      const series = pairs().get(pairId)
      if (series === undefined) {
        pairs().set(pairId, { settled: [point], newest: point })
        return
      }
      if (point.atMs <= series.newest.atMs) return
      series.newest = point
      const last = series.settled.at(-1)
      if (last !== undefined && point.atMs - last.atMs < spacingMs) return
      series.settled.push(point)
      if (series.settled.length > mostPoints) series.settled.shift()
    },
    list: (pairId: number): T[] => {
      const series = pairs().get(pairId)
      if (series === undefined) return []
      const last = series.settled.at(-1)
      return last === series.newest ? [...series.settled] : [...series.settled, series.newest]
    },
  }
}

export function createReadings(answers: FieldMapBook['answers']): Readings {
  const funding = createSeries<FundingPoint>(answers)
  const interest = createSeries<InterestPoint>(answers)
  return { noteFunding: funding.note, noteInterest: interest.note, funding: funding.list, interest: interest.list }
}
