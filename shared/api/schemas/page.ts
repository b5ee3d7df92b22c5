import type { Missing } from '../../ipc/missing.ts'
import { type AnswerReader, answerReader, inspectList, type ListRead, listIn, type Unreadable } from '../reader/answer.ts'
import { type Complain, documentedMay, type Fields, type ReadContext } from '../reader/field.ts'
import { count, flag } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Resource, resource } from '../reader/resource.ts'

/** The documented pagination envelope, nested under the endpoint's own name. */
export interface Page<T> {
  readonly items: T[]
  /** Records that could not be read; null: none. */
  readonly unreadable: Unreadable | null
  /** To be sent as `cursor`; null on the last page. */
  readonly nextCursor: number | null
  readonly hasMore: boolean
}

const envelope = resource({
  name: 'page',
  words: ['page', 'paging', 'pagination'],
  sentence: null,
  source: '',
  // Documented (Other resource shapes); the other names are of the routes whose pages are not shown.
  fields: {
    nextCursor: documentedMay(['next_cursor', 'next', 'cursor_next', 'next_page'], count),
    hasMore: documentedMay(['has_more', 'has_next', 'more', 'has_next_page'], flag),
  },
})

/** What a list of one page lacks, by what stands around it: no route is documented that would tell the rest. */
export function missingOf({ unreadable, around }: Pick<ListRead<unknown>, 'unreadable' | 'around'>): Missing {
  const [found] = readRecords(envelope, [around], {}, () => {}).items
  return { unreadable: unreadable?.count ?? 0, more: found?.hasMore ?? found?.nextCursor != null }
}

/** Also understands the envelope without its nesting, and a bare list. */
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
