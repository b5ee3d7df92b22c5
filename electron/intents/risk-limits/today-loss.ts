import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import { add, maximum, negate } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { TodayLoss } from '../../../shared/ipc/intents/guards.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, day } from '../../../shared/time.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'

export interface TodayLossDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  /** The service's time. */
  readonly clock: Clock
}

/** Beyond so many pages of 200 a day is not added up. */
const mostPages = 10

interface Dated {
  readonly amount: string | null
  readonly atMs: number | null
}

/** Realised profit and loss of today's closed positions, less the fees of today's trades: since midnight UTC, by the service's time. */
export function createTodayLoss({ api, credentials, clock }: TodayLossDeps) {
  /** The sum of the rows since then; null: one of them has no amount, no time or another form, or not all of them are told. */
  async function sumSince(sinceMs: number, read: (cursor: number | null) => Promise<Result<Page<Dated>, Failure>>): Promise<Result<string | null, Failure>> {
    let sum = '0'
    let cursor: number | null = null
    for (let pages = 0; pages < mostPages; pages += 1) {
      const answer = await read(cursor)
      if (!answer.ok) return answer
      const { items, hasMore, nextCursor, unreadable } = answer.value
      if (unreadable !== null) return ok(null)
      for (const { amount, atMs } of items) {
        if (atMs === null) return ok(null)
        if (atMs < sinceMs) continue
        if (amount === null) return ok(null)
        sum = add(sum, amount)
      }
      const oldest = items.at(-1)?.atMs ?? null
      const newest = items.at(0)?.atMs ?? null
      // Newest first: nothing after it is of today. In any other order everything is read.
      const past = oldest !== null && newest !== null && oldest < sinceMs && oldest <= newest
      if (past || !hasMore) return ok(sum)
      if (nextCursor === null) return ok(null)
      cursor = nextCursor
    }
    return ok(null)
  }

  const rowsOf = <T>(answer: Result<ApiAnswer<Page<T>>, ApiFailure>, row: (item: T) => Dated): Result<Page<Dated>, Failure> =>
    answer.ok ? ok({ ...answer.value.value, items: answer.value.value.items.map(row) }) : fail(answer.failure.failure)

  const asked = (credential: KeyCredential, cursor: number | null) =>
    ({ params: {}, query: { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }, body: undefined, credential }) as const

  return async (wallet: string): Promise<TodayLoss> => {
    const sinceMs = Math.floor(clock.now() / day) * day
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return { known: false, why: 'No key on this computer may read the account.', sinceMs }
    const [realised, fees] = await Promise.all([
      sumSince(sinceMs, async (cursor) =>
        rowsOf(await api.call(endpoints.getPositionHistory, asked(credential.value, cursor)), ({ realisedPnlUsdc, closedAtMs }) => ({
          amount: realisedPnlUsdc,
          atMs: closedAtMs,
        })),
      ),
      sumSince(sinceMs, async (cursor) =>
        rowsOf(await api.call(endpoints.getTrades, asked(credential.value, cursor)), ({ feeUsdc, atMs }) => ({ amount: feeUsdc, atMs })),
      ),
    ])
    if (!realised.ok || !fees.ok) return { known: false, why: 'The service did not tell what was closed and paid today.', sinceMs }
    if (realised.value === null || fees.value === null)
      return { known: false, why: 'What the service told of today’s closed positions and fees cannot be added up.', sinceMs }
    return { known: true, lossUsdc: maximum('0', add(negate(realised.value), fees.value)), sinceMs }
  }
}
