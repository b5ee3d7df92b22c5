import type { Failure } from '../../../shared/ipc/failure.ts'
import type { FundingPoint, InterestPoint } from '../../../shared/ipc/reads/market-state.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import { type FieldMapService, perFieldMap } from '../../service/field-names/field-map.ts'
import type { ApiAnswer, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'

export interface MarketReadsDeps {
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly wallet: Pick<WalletReport, 'current'>
}

export interface Sourced<T> {
  readonly value: T
  readonly source: 'versioned' | 'public'
  readonly readAtMs: number
}

type Ask<C, T> = (credential: C) => Promise<Result<ApiAnswer<T>, ApiFailure>>

export interface MarketReads {
  /**
   * Reads by the versioned route if a key of the connected wallet has `market:read`, otherwise by the public route (Versioning 4). `twin` is `null`
   * if there is no public route.
   */
  read<T>(versioned: Ask<KeyCredential, T>, twin: Ask<null, T> | null): Promise<Result<Sourced<T>, Failure>>
  /** Reads a route for which the API document lists only a public variant. */
  open<T>(ask: Ask<null, T>): Promise<Result<Sourced<T>, Failure>>
}

export function createMarketReads({ credentials, wallet }: MarketReadsDeps): MarketReads {
  const key = async (): Promise<Result<KeyCredential, Failure>> => {
    const connected = wallet.current()
    return connected === null ? fail({ kind: 'api_key_required', scope: 'market:read' }) : credentials.forScope(connected.address, 'market:read')
  }
  const open: MarketReads['open'] = async (ask) => {
    const answer = await ask(null)
    return answer.ok ? ok({ value: answer.value.value, source: 'public', readAtMs: answer.value.receivedAtMs }) : fail(answer.failure.failure)
  }
  return {
    open,
    read: async (versioned, twin) => {
      const credential = await key()
      if (!credential.ok && twin === null) return credential
      if (credential.ok) {
        const answer = await versioned(credential.value)
        if (answer.ok) return ok({ value: answer.value.value, source: 'versioned', readAtMs: answer.value.receivedAtMs })
        // If the service refuses the key, try the public route, because public data may still be available.
        if (twin === null || !keyRefused(answer.failure.failure)) return fail(answer.failure.failure)
      }
      return twin === null ? fail({ kind: 'api_key_required', scope: 'market:read' }) : open(twin)
    },
  }
}

export const keyRefused = (failure: Failure): boolean =>
  failure.kind === 'ip_not_allowed' ||
  failure.kind === 'scope_missing' ||
  failure.kind === 'api_key_required' ||
  (failure.kind === 'refused' && (failure.status === 401 || failure.status === 403))

/** Market values that the app has read since it started. Charts use them if the service has no history. */
export interface Readings {
  noteFunding(pairId: number, point: FundingPoint): void
  noteInterest(pairId: number, point: InterestPoint): void
  /** Returns the funding rates that the app has read, oldest first. */
  funding(pairId: number): FundingPoint[]
  interest(pairId: number): InterestPoint[]
}

/** Minimum time between two stored values of a market. The app keeps the values of one day. */
const spacingMs = 5 * minute
const mostPoints = 288

interface Timed {
  readonly atMs: number
}

function createSeries<T extends Timed>(answers: FieldMapService['answers']) {
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

export function createReadings(answers: FieldMapService['answers']): Readings {
  const funding = createSeries<FundingPoint>(answers)
  const interest = createSeries<InterestPoint>(answers)
  return { noteFunding: funding.note, noteInterest: interest.note, funding: funding.list, interest: interest.list }
}
