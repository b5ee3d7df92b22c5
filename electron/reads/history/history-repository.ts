import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { limits } from '../../../shared/api/limits.ts'
import type { Page } from '../../../shared/api/schemas/page.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { AccountSource, HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import { ok, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { type FieldMapService, perFieldMap } from '../../service/field-names/field-map.ts'
import type { ApiAnswer, ApiClient, ApiFailure, KeyCredential } from '../../service/transport/api-client.ts'
import type { AccountReader, Sourced, Subject } from './account-reader.ts'
import { closedRow, fits, type KnownRows, orderRow, tradeRow, transactionRow } from './history-rows.ts'
import { hasLost, nothingRead, type PagedRows, type RowPage, seenRows, withAllSeen, withNewest, withOlder } from './paged-rows.ts'

interface HistoryRepository {
  read: PagedRows<HistoryRow>
  source: AccountSource | null
  readAtMs: number
  line: Promise<unknown>
  readings: number
  /** The rows that match the last filter. They are kept, so that scrolling does not filter all rows again. */
  fitting: { readonly of: PagedRows<HistoryRow>; readonly filter: string; readonly rows: readonly HistoryRow[] } | null
}

export interface HistoryView {
  readonly rows: readonly HistoryRow[]
  readonly read: number
  readonly complete: boolean
  /** True if older rows exist but the service does not let the app request them. */
  readonly cut: boolean
  /** True if the app could not read some of the rows. */
  readonly unreadable: boolean
  readonly newer: number
  readonly reading: boolean
  readonly source: AccountSource
  readonly readAtMs: number
}

/** Maximum number of pages to read in one call for older rows. If too few of their rows match the filter, the window calls again. */
const pagesAtOnce = 5
/** A call for older rows stops reading pages once it has found this many matching rows. */
const rowsWished = 50
/** Minimum time in ms between two progress events. Each event makes windows redraw and recomputes reports. */
const progressEveryMs = second
/** Maximum number of new pages to read until a known row appears. If none appears, the app reads the table again from the start. */
const mostNewPages = 50

/** The result of reading the table again from the newest page down to rows that were already known. */
export interface NewerRows {
  /** How many new rows the window does not show yet. */
  readonly newer: number
  /** Keys of the rows on the pages that the app has just read again. It did not read older pages again. */
  readonly renewed: ReadonlySet<string>
  /**
   * True if a known row has disappeared, for example after a reorganisation. The stored table never drops rows, so the caller must create a new
   * table.
   */
  readonly lost: boolean
}

export interface HistoryRepositories {
  /** Resolves when the table is ready. Reads its first page if no page has been read yet. */
  open(subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>>
  view(subject: Subject, table: HistoryTable, filter: HistoryFilter): HistoryView | null
  /** Returns the matching rows, including new rows that the window does not show yet. Use it for sums and exported files. */
  whole(subject: Subject, table: HistoryTable, filter: HistoryFilter): HistoryView | null
  /** Reads older pages until matching rows arrive or no rows remain. */
  older(subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<{ complete: boolean }, Failure>>
  newer(subject: Subject, table: HistoryTable, show: boolean): Promise<Result<NewerRows, Failure>>
  /** Reads older pages until no more rows can match, or until `stop` is called. */
  all(subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<{ complete: boolean }, Failure>>
  stop(subject: Subject): void
}

export interface HistoryRepositoriesDeps {
  readonly api: ApiClient
  readonly reader: AccountReader
  /**
   * Adds the app's own data to each row, such as the name of its market. Filters also match this data, because some services omit the market and side
   * of a transaction.
   */
  readonly known: KnownRows
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  /** Returns the time of a monotonic clock, in ms. */
  readonly monotonic: () => number
  /** Called repeatedly during a long read, and at its end. */
  readonly onProgress: () => void
}

export function createHistoryRepositories({ api, reader, known, fieldMap, monotonic, onProgress }: HistoryRepositoriesDeps): HistoryRepositories {
  const repositories = perFieldMap(fieldMap.answers, () => new Map<string, HistoryRepository>())
  /** Counts the calls of `stop`. A read remembers the count at its start. If the count has changed, the read ends before its next page. */
  let stops = 0

  const repositoryOf = ({ wallet, watchedAs }: Subject, table: HistoryTable): HistoryRepository => {
    const name = `${watchedAs === null ? 'own' : 'watched'}/${wallet}/${table}`
    const known = repositories().get(name)
    if (known !== undefined) return known
    const repository: HistoryRepository = { read: nothingRead, source: null, readAtMs: 0, line: Promise.resolve(), readings: 0, fitting: null }
    repositories().set(name, repository)
    return repository
  }

  const inLine = <T>(repository: HistoryRepository, work: () => Promise<T>): Promise<T> => {
    const next = repository.line.then(work)
    repository.line = next.catch(() => undefined)
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

  /**
   * Reads the next page into the table. A cursor is valid only for the route that returned it. If the route has changed since the last page, reads
   * the table again from the start.
   */
  const readOlder = async (repository: HistoryRepository, subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>> => {
    const answer = await pageAt(subject, table, repository.read.cursor)
    if (!answer.ok) return answer
    const { value, source, readAtMs } = answer.value
    if (repository.source !== null && repository.source.route !== source.route && repository.read.cursor !== null) {
      Object.assign(repository, { read: { ...nothingRead }, source })
      return readOlder(repository, subject, table)
    }
    Object.assign(repository, { read: withOlder(repository.read, value), source, readAtMs: repository.readAtMs === 0 ? readAtMs : repository.readAtMs })
    return ok(undefined)
  }

  const fittingOf = (subject: Subject, rows: readonly HistoryRow[], filter: HistoryFilter): readonly HistoryRow[] => {
    const isAsShown = filter.symbol === null && filter.side === null && filter.text.trim() === ''
    const completed = isAsShown ? (row: HistoryRow) => row : known(subject)
    const isFitting = fits(filter)
    return rows.filter((row) => isFitting(completed(row)))
  }
  const fitting = (repository: HistoryRepository, subject: Subject, filter: HistoryFilter): readonly HistoryRow[] => {
    const name = JSON.stringify(filter)
    if (repository.fitting?.of === repository.read && repository.fitting.filter === name) return repository.fitting.rows
    const rows = fittingOf(subject, seenRows(repository.read), filter)
    repository.fitting = { of: repository.read, filter: name, rows }
    return rows
  }

  /** True if no older row can match the filter. Rows are newest first, so this is true once a row is older than the filter's time span. */
  const isPast = ({ read }: HistoryRepository, { fromMs }: HistoryFilter): boolean => {
    const oldest = read.rows.at(-1)?.atMs ?? null
    return fromMs !== null && oldest !== null && oldest < fromMs
  }
  const isComplete = (repository: HistoryRepository, filter: HistoryFilter) => repository.read.complete || isPast(repository, filter)

  const viewOf = (
    repository: HistoryRepository,
    filter: HistoryFilter,
    rowsOf: (repository: HistoryRepository) => readonly HistoryRow[],
  ): HistoryView | null =>
    repository.source === null
      ? null
      : {
          rows: rowsOf(repository),
          read: repository.read.rows.length,
          complete: isComplete(repository, filter),
          cut: repository.read.cut && !isPast(repository, filter),
          unreadable: repository.read.unreadable,
          newer: repository.read.unseen.size,
          reading: repository.readings > 0,
          source: repository.source,
          readAtMs: repository.readAtMs,
        }

  const open = (subject: Subject, table: HistoryTable): Promise<Result<undefined, Failure>> => {
    const repository = repositoryOf(subject, table)
    return inLine(repository, async () => (repository.source === null ? readOlder(repository, subject, table) : ok(undefined)))
  }

  return {
    open,
    view: (subject, table, filter) => viewOf(repositoryOf(subject, table), filter, (repository) => fitting(repository, subject, filter)),
    whole: (subject, table, filter) => viewOf(repositoryOf(subject, table), filter, ({ read }) => fittingOf(subject, read.rows, filter)),
    older: (subject, table, filter) => {
      const repository = repositoryOf(subject, table)
      return inLine(repository, async () => {
        const before = fitting(repository, subject, filter).length
        for (let pages = 0; pages < pagesAtOnce && !isComplete(repository, filter); pages += 1) {
          const answer = await readOlder(repository, subject, table)
          if (!answer.ok) return answer
          if (fitting(repository, subject, filter).length >= before + rowsWished) break
        }
        return ok({ complete: isComplete(repository, filter) })
      })
    },
    newer: (subject, table, show) => {
      const repository = repositoryOf(subject, table)
      return inLine(repository, async () => {
        const pages: RowPage<HistoryRow>[] = []
        for (;;) {
          const answer = await pageAt(subject, table, pages.at(-1)?.nextCursor ?? null)
          if (!answer.ok) return answer
          const { value, source, readAtMs } = answer.value
          const read = withNewest(repository.read, [...pages, value])
          pages.push(value)
          if (read === null && pages.length < mostNewPages) continue
          const next = read ?? withOlder<HistoryRow>(nothingRead, pages[0] ?? value)
          const lost = hasLost(repository.read, pages)
          Object.assign(repository, { read: show ? withAllSeen(next) : next, source, readAtMs })
          return ok({ newer: repository.read.unseen.size, renewed: new Set(pages.flatMap(({ items }) => items.map(({ key }) => key))), lost })
        }
      })
    },
    all: async (subject, table, filter) => {
      const first = repositoryOf(subject, table)
      const begun = stops
      let toldAt = monotonic()
      first.readings += 1
      try {
        for (;;) {
          // Look up the repository again for each page, because a change of the field map during the read replaces the repository.
          const repository = repositoryOf(subject, table)
          if (isComplete(repository, filter) || stops !== begun) return ok({ complete: isComplete(repository, filter) })
          // Queue each page separately, so that scrolling can read a page in between and does not wait for the whole read.
          // Another read may have read the last page while this one waited in the queue.
          const answer = await inLine(repository, async () => (isComplete(repository, filter) ? ok(undefined) : readOlder(repository, subject, table)))
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
