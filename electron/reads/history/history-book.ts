import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountSource, HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { type FieldMapBook, perFieldMap } from '../../service/field-names/field-map.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { AccountReader, Sourced, Subject } from './account-reader.ts'
import { closedRow, fits, type KnownRows, orderRow, tradeRow, transactionRow } from './history-rows.ts'
import { hasLost, nothingRead, type PagedRows, type RowPage, seenRows, withAllSeen, withNewest, withOlder } from './paged-rows.ts'

/** One table of one wallet, as far as it was read. */
interface Book {
  read: PagedRows<HistoryRow>
  source: AccountSource | null
  readAtMs: number
  /** Reads of one table run in sequence: each starts where the last one ended. */
  line: Promise<unknown>
  /** How many full reads are running. */
  readings: number
  /** The last filter result, so that scrolling does not filter every row again. */
  fitting: { readonly of: PagedRows<HistoryRow>; readonly filter: string; readonly rows: readonly HistoryRow[] } | null
}

export interface HistoryView {
  readonly rows: readonly HistoryRow[]
  readonly read: number
  readonly complete: boolean
  /** The service cut the table: older rows exist but cannot be requested. */
  readonly cut: boolean
  /** Some rows read are unreadable. */
  readonly unreadable: boolean
  readonly newer: number
  readonly reading: boolean
  readonly source: AccountSource
  readonly readAtMs: number
}

/** Pages read at most per request for more; a filter with few matches asks again. */
const pagesAtOnce = 5
/** Rows wanted at least. */
const rowsWished = 50
/** Milliseconds between progress events: each makes windows redraw and reports recompute. */
const progressEveryMs = 400
/** Pages read at most from the top to reach known rows; beyond that the table is read again from the start. */
const mostNewPages = 50

/** The result of reading the newest pages down to known rows. */
export interface NewerRows {
  /** New rows not shown yet. */
  readonly newer: number
  /** Keys of the rows the service just confirmed; rows below them are unchanged. */
  readonly renewed: ReadonlySet<string>
  /** A known row is gone, as after a reorganisation. These books still contain it; only new books do not. */
  readonly lost: boolean
}

export interface HistoryBooks {
  /** Resolves when the table was read; reads the first page if nothing was. */
  open(subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>>
  view(subject: Subject, table: HistoryTable, filter: HistoryFilter): HistoryView | null
  /** The view including newer rows not shown yet: for sums and files. */
  whole(subject: Subject, table: HistoryTable, filter: HistoryFilter): HistoryView | null
  /** Reads on until matching rows arrive or none remain. */
  older(subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<{ complete: boolean }, Failure>>
  newer(subject: Subject, table: HistoryTable, show: boolean): Promise<Result<NewerRows, Failure>>
  /** Reads until no matching rows remain, or `stop` is called. */
  all(subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<{ complete: boolean }, Failure>>
  stop(subject: Subject): void
}

export interface HistoryBooksDeps {
  readonly api: ApiClient
  readonly reader: AccountReader
  /** Filters use what is shown, because some services give neither market nor side of a transaction. */
  readonly known: KnownRows
  readonly fieldMap: Pick<FieldMapBook, 'answers'>
  /** Monotonic ms. */
  readonly monotonic: () => number
  /** Called now and then during a long read, and at its end. */
  readonly onProgress: () => void
}

export function createHistoryBooks({ api, reader, known, fieldMap, monotonic, onProgress }: HistoryBooksDeps): HistoryBooks {
  const books = perFieldMap(fieldMap.answers, () => new Map<string, Book>())
  /** Increases with each stop: a read that started before ends at its next page. */
  let stops = 0

  const bookOf = ({ wallet, watchedAs }: Subject, table: HistoryTable): Book => {
    const name = `${watchedAs === null ? 'own' : 'watched'}/${wallet}/${table}`
    const known = books().get(name)
    if (known !== undefined) return known
    const book: Book = { read: nothingRead, source: null, readAtMs: 0, line: Promise.resolve(), readings: 0, fitting: null }
    books().set(name, book)
    return book
  }

  const inLine = <T>(book: Book, work: () => Promise<T>): Promise<T> => {
    const next = book.line.then(work)
    book.line = next.catch(() => undefined)
    return next
  }

  type Answer<T> = Promise<Result<ApiAnswer<Page<T>>, ApiFailure>>

  const pageAt = (subject: Subject, table: HistoryTable, cursor: number | null): Promise<Result<Sourced<RowPage<HistoryRow>>, Failure>> => {
    const query = { limit: limits.page.max, ...(cursor === null ? {} : { cursor }) }
    const nothing = { params: {}, body: undefined } as const
    const keyed = (credential: KeyCredential) => ({ ...nothing, query, credential })
    const open = { ...nothing, query: { ...query, wallet: subject.wallet }, credential: null } as const
    const read = async <T>(versioned: (credential: KeyCredential) => Answer<T>, twin: () => Answer<T>, row: (item: T) => HistoryRow) => {
      const answer = await reader.read(subject, versioned, twin)
      if (!answer.ok) return answer
      const { items, nextCursor, hasMore, unreadable } = answer.value.value
      return ok({ ...answer.value, value: { items: items.map(row), nextCursor, hasMore, unreadable: unreadable !== null } })
    }
    switch (table) {
      case 'orders':
        return read(
          (credential) => api.call(endpoints.getOrders, keyed(credential)),
          () => api.call(endpoints.getPublicOrders, open),
          orderRow,
        )
      case 'trades':
        return read(
          (credential) => api.call(endpoints.getTrades, keyed(credential)),
          () => api.call(endpoints.getPublicTrades, open),
          tradeRow,
        )
      case 'transactions':
        return read(
          (credential) => api.call(endpoints.getTransactions, keyed(credential)),
          () => api.call(endpoints.getPublicTransactions, open),
          transactionRow,
        )
      case 'history':
        return read(
          (credential) => api.call(endpoints.getPositionHistory, keyed(credential)),
          () => api.call(endpoints.getPublicPositionHistory, open),
          closedRow,
        )
    }
  }

  /** Reads one page into the book. A cursor is valid for its own route only, so another route starts over. */
  const readOlder = async (book: Book, subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>> => {
    const answer = await pageAt(subject, table, book.read.cursor)
    if (!answer.ok) return answer
    const { value, source, readAtMs } = answer.value
    if (book.source !== null && book.source.route !== source.route && book.read.cursor !== null) {
      Object.assign(book, { read: { ...nothingRead }, source })
      return readOlder(book, subject, table)
    }
    Object.assign(book, { read: withOlder(book.read, value), source, readAtMs: book.readAtMs === 0 ? readAtMs : book.readAtMs })
    return ok(undefined)
  }

  const fittingOf = (subject: Subject, rows: readonly HistoryRow[], filter: HistoryFilter): readonly HistoryRow[] => {
    const isAsShown = filter.symbol === null && filter.side === null && filter.text.trim() === ''
    const told = isAsShown ? (row: HistoryRow) => row : known(subject)
    const isFitting = fits(filter)
    return rows.filter((row) => isFitting(told(row)))
  }
  const fitting = (book: Book, subject: Subject, filter: HistoryFilter): readonly HistoryRow[] => {
    const name = JSON.stringify(filter)
    if (book.fitting?.of === book.read && book.fitting.filter === name) return book.fitting.rows
    const rows = fittingOf(subject, seenRows(book.read), filter)
    book.fitting = { of: book.read, filter: name, rows }
    return rows
  }

  /** Newest first: below a row older than the span, none can match. */
  const isPast = ({ read }: Book, { fromMs }: HistoryFilter): boolean => {
    const oldest = read.rows.at(-1)?.atMs ?? null
    return fromMs !== null && oldest !== null && oldest < fromMs
  }
  const isComplete = (book: Book, filter: HistoryFilter) => book.read.complete || isPast(book, filter)

  const viewOf = (book: Book, filter: HistoryFilter, rowsOf: (book: Book) => readonly HistoryRow[]): HistoryView | null =>
    book.source === null
      ? null
      : {
          rows: rowsOf(book),
          read: book.read.rows.length,
          complete: isComplete(book, filter),
          cut: book.read.cut && !isPast(book, filter),
          unreadable: book.read.unreadable,
          newer: book.read.unseen.size,
          reading: book.readings > 0,
          source: book.source,
          readAtMs: book.readAtMs,
        }

  const open = (subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>> => {
    const book = bookOf(subject, table)
    return inLine(book, async () => (book.source === null ? readOlder(book, subject, table) : ok(undefined)))
  }

  return {
    open,
    view: (subject, table, filter) => viewOf(bookOf(subject, table), filter, (book) => fitting(book, subject, filter)),
    whole: (subject, table, filter) => viewOf(bookOf(subject, table), filter, ({ read }) => fittingOf(subject, read.rows, filter)),
    older: (subject, table, filter) => {
      const book = bookOf(subject, table)
      return inLine(book, async () => {
        const before = fitting(book, subject, filter).length
        for (let pages = 0; pages < pagesAtOnce && !isComplete(book, filter); pages += 1) {
          const answer = await readOlder(book, subject, table)
          if (!answer.ok) return answer
          if (fitting(book, subject, filter).length >= before + rowsWished) break
        }
        return ok({ complete: isComplete(book, filter) })
      })
    },
    newer: (subject, table, show) => {
      const book = bookOf(subject, table)
      return inLine(book, async () => {
        const pages: RowPage<HistoryRow>[] = []
        for (;;) {
          const answer = await pageAt(subject, table, pages.at(-1)?.nextCursor ?? null)
          if (!answer.ok) return answer
          const { value, source, readAtMs } = answer.value
          const read = withNewest(book.read, [...pages, value])
          pages.push(value)
          if (read === null && pages.length < mostNewPages) continue
          const next = read ?? withOlder<HistoryRow>(nothingRead, pages[0] ?? value)
          const lost = hasLost(book.read, pages)
          Object.assign(book, { read: show ? withAllSeen(next) : next, source, readAtMs })
          return ok({ newer: book.read.unseen.size, renewed: new Set(pages.flatMap(({ items }) => items.map(({ key }) => key))), lost })
        }
      })
    },
    all: async (subject, table, filter) => {
      const first = bookOf(subject, table)
      const begun = stops
      let toldAt = monotonic()
      first.readings += 1
      try {
        for (;;) {
          // Another field map uses another book.
          const book = bookOf(subject, table)
          if (isComplete(book, filter) || stops !== begun) return ok({ complete: isComplete(book, filter) })
          // Queues each page separately, so that scrolling does not wait for the whole read.
          const answer = await inLine(book, () => readOlder(book, subject, table))
          if (!answer.ok) return answer
          if (monotonic() - toldAt < progressEveryMs) continue
          toldAt = monotonic()
          onProgress()
        }
      } finally {
        first.readings -= 1
        onProgress()
      }
    },
    stop: () => {
      stops += 1
    },
  }
}
