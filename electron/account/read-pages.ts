import type { Page } from '../../shared/api/schemas/page.ts'
import type { PageCut } from '../../shared/ipc/account.ts'
import { ok, type Result } from '../../shared/result.ts'

export interface PagesRead<T> {
  readonly items: readonly T[]
  /** How many pages came. */
  readonly pages: number
  /** Why it does not reach to the end; null: it does, or `enough` was found. */
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
    if (pages === most) return ok({ items, pages, cut: 'too_long' })
    asked.add(cursor)
    const answer = await page(cursor)
    if (!answer.ok) return pages === 0 ? answer : ok({ items, pages, cut: 'unanswered' })
    items.push(...answer.value.items)
    unreadable ||= answer.value.unreadable !== null
    const { hasMore, nextCursor } = answer.value
    if (!hasMore || enough(items)) return ok({ items, pages: pages + 1, cut: unreadable ? 'unreadable' : null })
    if (nextCursor === null || asked.has(nextCursor)) return ok({ items, pages: pages + 1, cut: 'no_next_page' })
    cursor = nextCursor
  }
}
