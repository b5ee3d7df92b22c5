import type { Page } from '../../../shared/api/schemas/page.ts'
import type { PageCut } from '../../../shared/ipc/reads/account.ts'
import { ok, type Result } from '../../../shared/result.ts'

export interface PagesRead<T> {
  readonly items: readonly T[]
  /** How many pages came. */
  readonly pages: number
  /** Why some are missing; null: it reaches to the end, or `enough` was found. Unreadable ones are told before anything else: they may be anywhere. */
  readonly cut: PageCut | null
}

interface ReadPagesOptions<T> {
  /** Where to begin; null: at the first page. */
  readonly from?: number | null
  readonly most: number
  /** Whether nothing further is needed. */
  readonly enough?: (items: readonly T[]) => boolean
}

/**
 * Reads a paginated list to its end (Pagination): the next page is asked for by `next_cursor` while `has_more` is true. Fails only where the first page
 * does; a later one that does not come, a cursor that is repeated or missing, and more than `most` pages are told as `cut` beside what was read.
 */
export async function readPages<T, F>(
  page: (cursor: number | null) => Promise<Result<Page<T>, F>>,
  { from = null, most, enough = () => false }: ReadPagesOptions<T>,
): Promise<Result<PagesRead<T>, F>> {
  const items: T[] = []
  const asked = new Set<number | null>()
  let cursor = from
  let unreadable = false
  for (let pages = 0; ; pages += 1) {
    const cutBy = (cut: PageCut | null) => (unreadable ? 'unreadable' : cut)
    if (pages === most) return ok({ items, pages, cut: cutBy('too_long') })
    asked.add(cursor)
    const answer = await page(cursor)
    if (!answer.ok) return pages === 0 ? answer : ok({ items, pages, cut: cutBy('unanswered') })
    items.push(...answer.value.items)
    unreadable ||= answer.value.unreadable !== null
    const { hasMore, nextCursor } = answer.value
    if (!hasMore || enough(items)) return ok({ items, pages: pages + 1, cut: cutBy(null) })
    if (nextCursor === null || asked.has(nextCursor)) return ok({ items, pages: pages + 1, cut: cutBy('no_next_page') })
    cursor = nextCursor
  }
}

/**
 * Whether everything since a time, Unix ms, is among what was read: all of the list is, or it was read, newest first, down to something older. Only then is
 * what is not there not in the list.
 */
export function isWholeSince<T>({ items, cut }: Pick<PagesRead<T>, 'items' | 'cut'>, sinceMs: number, atOf: (item: T) => number | null): boolean {
  if (cut === null || cut === 'unreadable') return cut === null
  const [first, last] = [items.at(0), items.at(-1)]
  const [newest, oldest] = [first === undefined ? null : atOf(first), last === undefined ? null : atOf(last)]
  return newest !== null && oldest !== null && oldest < sinceMs && oldest <= newest
}
