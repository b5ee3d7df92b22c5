import type { Page } from '../../../shared/api/schemas/page.ts'
import type { PageCut } from '../../../shared/ipc/reads/account.ts'
import { ok, type Result } from '../../../shared/result.ts'

/** One page as the service returned it, with the newest row first. */
export interface RowPage<T> {
  readonly items: readonly T[]
  readonly nextCursor: number | null
  readonly hasMore: boolean
  readonly unreadable: boolean
}

interface Keyed {
  /** Identifies the row in its table. The key of a row never changes. */
  readonly key: string
}

export interface PagedRows<T extends Keyed> {
  /** The rows that have been read, newest first, each once. */
  readonly rows: readonly T[]
  /** The cursor of the next older page. `null` before the app has read the first page, which starts at the newest row. */
  readonly cursor: number | null
  /** True if no older rows remain, or the service does not let the app request any. */
  readonly complete: boolean
  /** True if more rows exist, but the service repeats a cursor or sends none (API document: Pagination). */
  readonly cut: boolean
  readonly unreadable: boolean
  /** Cursors that the app has already requested, so that it can detect a repetition. */
  readonly asked: ReadonlySet<number>
  /** Keys of the newest rows that arrived after the first read and that the window does not show yet. */
  readonly unseen: ReadonlySet<string>
}

export const nothingRead: PagedRows<never> = { rows: [], cursor: null, complete: false, cut: false, unreadable: false, asked: new Set(), unseen: new Set() }

/** Adds the next older page to the table. A row that is already in the table keeps its place, but gets the newer content. */
export function withOlder<T extends Keyed>(read: PagedRows<T>, page: RowPage<T>): PagedRows<T> {
  const given = new Map(page.items.map((row) => [row.key, row]))
  const kept = read.rows.map((row) => given.get(row.key) ?? row)
  for (const { key } of read.rows) given.delete(key)
  const asked = read.cursor === null ? read.asked : new Set([...read.asked, read.cursor])
  // Stop if the service repeats a cursor. Otherwise, the app would request the same pages forever.
  const cut = page.hasMore && (page.nextCursor === null || asked.has(page.nextCursor))
  const ends = !page.hasMore || cut
  return {
    ...read,
    rows: [...kept, ...given.values()],
    cursor: ends ? read.cursor : page.nextCursor,
    complete: ends,
    cut,
    unreadable: read.unreadable || page.unreadable,
    asked,
  }
}

/**
 * Adds the newest pages, in order from the top. Returns `null` if the pages do not reach a known row yet, so that the caller must read one more page.
 * Puts each new row where the service lists it, and keeps every known row.
 */
export function withNewest<T extends Keyed>(read: PagedRows<T>, pages: readonly RowPage<T>[]): PagedRows<T> | null {
  const [first] = pages
  if (first === undefined) return null
  if (read.rows.length === 0) return pages.length === 1 ? withOlder({ ...read, cursor: null }, first) : null
  const known = new Map(read.rows.map((row, place) => [row.key, place]))
  const given = [...new Map(pages.flatMap(({ items }) => items).map((row) => [row.key, row])).values()]
  const lastKnown = given.findLastIndex(({ key }) => known.has(key))
  const atTheEnd = pages.at(-1)?.hasMore !== true
  const seenAll = given.filter(({ key }) => known.has(key)).length === read.rows.length
  // The page ends with an unknown row below a known row. The unknown row may be new too, so read one more page.
  if (!atTheEnd && !seenAll && lastKnown !== given.length - 1) return null
  // Rows below the last known row are older, and the app reads them later with their own pages. If the service’s list ends here, no older rows exist.
  const top = atTheEnd && read.complete ? given : given.slice(0, lastKnown + 1)
  const covered = new Set(top.map(({ key }) => key))
  const fresh = top.filter(({ key }) => !known.has(key)).map(({ key }) => key)
  const rows = [...top, ...read.rows.filter(({ key }) => !covered.has(key))]
  const unreadable = read.unreadable || pages.some((page) => page.unreadable)
  return { ...read, rows, unreadable, unseen: fresh.length === 0 ? read.unseen : new Set([...read.unseen, ...fresh]) }
}

/**
 * True if a known row has disappeared: the newest pages contain rows above and below its place, but not the row itself. Ignores older rows.
 * `false` if a page has unreadable rows, because one of them may be the missing row.
 */
export function hasLost<T extends Keyed>(before: PagedRows<T>, pages: readonly RowPage<T>[]): boolean {
  if (pages.some(({ unreadable }) => unreadable)) return false
  const given = new Set(pages.flatMap(({ items }) => items.map(({ key }) => key)))
  const known = new Map(before.rows.map(({ key }, place) => [key, place]))
  const lowest = [...given].findLast((key) => known.has(key))
  const reached = pages.at(-1)?.hasMore === true ? (known.get(lowest ?? '') ?? -1) : before.rows.length - 1
  return before.rows.slice(0, reached + 1).some(({ key }) => !given.has(key))
}

/** Returns the rows that the window shows. */
export const seenRows = <T extends Keyed>({ rows, unseen }: PagedRows<T>): readonly T[] =>
  unseen.size === 0 ? rows : rows.filter(({ key }) => !unseen.has(key))

/** Marks all rows as shown to the user. */
export const withAllSeen = <T extends Keyed>(read: PagedRows<T>): PagedRows<T> => (read.unseen.size === 0 ? read : { ...read, unseen: new Set() })

interface PagesRead<T> {
  readonly items: readonly T[]
  readonly pages: number
  /**
   * Why the list may be incomplete. `null` if the app read it to its end, or stopped because `enough` returned true. If an item was unreadable, this
   * is always `unreadable`, because such an item may be anywhere in the list.
   */
  readonly cut: PageCut | null
}

interface ReadPagesOptions<T> {
  /** The cursor of the first page to read; `null` to start with the newest page. */
  readonly from?: number | null
  readonly most: number
  /** Called after each page; returns true if no further page is needed. */
  readonly enough?: (items: readonly T[]) => boolean
}

/**
 * Reads a paged list to its end by following `next_cursor` while `has_more` is true (API document: Pagination). Fails only if the first page fails.
 * Stops early and sets `cut` if a later page fails, if a cursor repeats or is missing, or after `most` pages.
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
 * True if the app has read every item since the given time (Unix ms): it read the whole list, or a list sorted newest first back to that time.
 * Only then may the caller conclude that an item which was not found does not exist.
 */
export function isWholeSince<T>({ items, cut }: Pick<PagesRead<T>, 'items' | 'cut'>, sinceMs: number, atOf: (item: T) => number | null): boolean {
  if (cut === null || cut === 'unreadable') return cut === null
  const [first, last] = [items.at(0), items.at(-1)]
  const [newest, oldest] = [first === undefined ? null : atOf(first), last === undefined ? null : atOf(last)]
  return newest !== null && oldest !== null && oldest < sinceMs && oldest <= newest
}
