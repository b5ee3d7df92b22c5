import { z } from 'zod'
import type { Missing } from '../../ipc/missing.ts'
import { interval } from '../../ipc/reads/markets.ts'
import { limits } from '../limits.ts'
import { type AnswerReader, answerReader, inspectList, type ListRead, listIn, type Unreadable } from '../reader/answer.ts'
import { type Complain, documentedMay, type Fields, type ReadContext } from '../reader/field.ts'
import { count, flag } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Resource, resource } from '../reader/resource.ts'

/** The documented pagination envelope. In the answer, it is nested under the name of the endpoint. */
export interface Page<T> {
  readonly items: T[]
  /** Records that the app could not read; null if all records were readable. */
  readonly unreadable: Unreadable | null
  /** The `cursor` of the next request; null on the last page. */
  readonly nextCursor: number | null
  readonly hasMore: boolean
}

const envelope = resource({
  name: 'page',
  words: ['page', 'paging', 'pagination'],
  sentence: null,
  source: '',
  // The API document names only `next_cursor` (section “Other resource shapes”). The other names are for routes whose pages it does not show.
  fields: {
    nextCursor: documentedMay(['next_cursor', 'next', 'cursor_next', 'next_page'], count),
    hasMore: documentedMay(['has_more', 'has_next', 'more', 'has_next_page'], flag),
  },
})

/**
 * Returns what a list without pages is missing: unreadable records, and whether the answer announces more records. The API document shows no way
 * to request further records.
 */
export function missingOf({ unreadable, around }: Pick<ListRead<unknown>, 'unreadable' | 'around'>): Missing {
  const [found] = readRecords(envelope, [around], {}, () => {}).items
  return { unreadable: unreadable?.count ?? 0, more: found?.hasMore ?? found?.nextCursor != null }
}

/** Reads a page. Also accepts an envelope that is not nested, and a plain list. */
export function readPage<F extends Fields, T>(
  of: Resource<F, T>,
  names: readonly string[],
  json: unknown,
  complain: Complain,
  context: ReadContext,
): Page<T> | undefined {
  const list = listIn(of, names, json, complain, context)
  if (list === undefined) return undefined
  const [found] = readRecords(envelope, [list.around], {}, () => {}).items
  const nextCursor = found?.nextCursor ?? null
  return { items: list.items, unreadable: list.unreadable, nextCursor, hasMore: found?.hasMore ?? nextCursor !== null }
}

export const pageOf = <F extends Fields, T>(names: readonly string[], of: Resource<F, T>): AnswerReader<Page<T>> =>
  answerReader(
    (json, complain, context) => readPage(of, names, json, complain, context),
    (json, fieldMap) => [inspectList(of, names, json, fieldMap)],
  )

/** Schemas for requests, in the service's field names. The app checks each request against its schema before sending it. */
export const noParams = z.object({})
export const noQuery = z.object({})
export const noBody = z.undefined()

export const Address = z.string().regex(/^0x[0-9a-fA-F]{40}$/, 'not a wallet address')
export const HexSignature = z.string().regex(/^0x([0-9a-fA-F]{2})+$/, 'not a signature')
export const TransactionHash = z.string().regex(/^0x[0-9a-fA-F]{64}$/, 'not a transaction hash')
export const PairId = z.number().int().min(0)
export const PathId = z.string().min(1).max(256)
export const JsonObject = z.record(z.string(), z.unknown())

export const KeyParams = z.object({ key_id: PathId })
export const PairQuery = z.object({ pair_id: PairId })
export const CandleQuery = z.object({ pair_id: PairId, interval, limit: z.number().int().min(1).optional() })
/** Pagination: `cursor` is the `next_cursor` of the previous page. */
export const PageQuery = z.object({ cursor: z.number().int().optional(), limit: z.number().int().min(1).max(limits.page.max).optional() })
export const WalletQuery = z.object({ wallet: Address })
export const WalletPageQuery = PageQuery.extend({ wallet: Address })
