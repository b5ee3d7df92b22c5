import type { Failure } from '../../../shared/ipc/failure.ts'
import type { HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { type Clock, day, second } from '../../../shared/time.ts'
import type { Sourced, Subject } from '../../reads/history/account-reader.ts'
import type { HistoryRepositories } from '../../reads/history/history-repository.ts'

/** The account's tables, read back to a given time. */
export interface Reading {
  readonly rows: Readonly<Record<HistoryTable, readonly HistoryRow[]>>
  readonly source: Sourced<unknown>['source']
  /** Unix ms when the reading started and ended. */
  readonly askedMs: number
  readonly readMs: number
}

/** The conditions that a stored reading must meet. If it fails one of them, the app reads the history again. */
export interface Wanted {
  /** Unix ms of the oldest trades and closed positions to read. Orders are read one day further back. */
  readonly sinceMs: number
  /** The reading must have started at or after this time, in Unix ms. */
  readonly notBeforeMs: number
  /** A text that changes whenever the app sees a change in the account. A different text means that the history has newer rows. */
  readonly changes: string
  /**
   * A text that changes with each known reorganisation. A different text means that rows may be gone, and that rows of ended orders and
   * transactions may have changed.
   */
  readonly reorganisations: string
}

export interface HistoryReading {
  /** Returns the last reading while it is still valid. Otherwise adds the newer rows to it, or reads the whole history again. */
  read(subject: Subject, wanted: Wanted): Promise<Result<Reading, Failure>>
  /** Makes the next call of `read` read the whole history again. */
  forget(): void
}

interface Kept {
  readonly wallet: string
  readonly repositories: HistoryRepositories
  readonly wanted: Wanted
  readonly reading: Reading
  /** When the reading started, in monotonic ms. */
  readonly atMs: number
}

const tables = ['orders', 'trades', 'transactions', 'history'] as const
/** How long a reading stays valid. During this time, the check compares newer captures with the same reading and sends no request. */
const youngMs = 30 * second
/** How far back to read orders: an order may be placed long before it is cancelled or filled. */
const ordersBackMs = day
const nothingElse: Omit<HistoryFilter, 'fromMs'> = { symbol: null, side: null, state: null, toMs: null, text: '' }

/** Whether the row can no longer change, except by a reorganisation. True for every trade and closed position. */
const isSettled = (table: HistoryTable, { state }: HistoryRow): boolean =>
  table === 'trades' ||
  table === 'history' ||
  (state !== null && /^(filled|done|final|finali[sz]ed|confirmed)$|cancel|reject|refus|revert|fail|expire/i.test(state))

/**
 * Reads the account's history for the gap check with as few requests as possible: the whole history once, then at most every 30 s the newest page of
 * each table.
 * Reads the whole history again in three cases: after a reorganisation (reported, or visible in a page), when the user asks, and while a row below
 * the newest pages may still change.
 */
export function createHistoryReading({
  freshRepositories,
  clock,
}: {
  readonly freshRepositories: () => HistoryRepositories
  readonly clock: Clock
}): HistoryReading {
  let kept: Kept | null = null
  let line: Promise<unknown> = Promise.resolve()

  const filterOf = (table: HistoryTable, sinceMs: number): HistoryFilter => ({
    ...nothingElse,
    fromMs: table === 'orders' ? sinceMs - ordersBackMs : sinceMs,
  })

  /** Reads the newest pages. Returns `true` if no row below them can have changed. */
  const readNewer = async (repositories: HistoryRepositories, subject: Subject, sinceMs: number): Promise<Result<boolean, Failure>> => {
    for (const table of tables) {
      const newer = await repositories.newer(subject, table, false)
      if (!newer.ok) return newer
      const { lost, renewed } = newer.value
      const rows = repositories.whole(subject, table, filterOf(table, sinceMs))?.rows ?? []
      if (lost || rows.some((row) => !renewed.has(row.key) && !isSettled(table, row))) return ok(false)
    }
    return ok(true)
  }

  const readAll = async (repositories: HistoryRepositories, subject: Subject, sinceMs: number, askedMs: number): Promise<Result<Reading, Failure>> => {
    const rows: Record<HistoryTable, readonly HistoryRow[]> = { orders: [], trades: [], transactions: [], history: [] }
    let source: Reading['source'] | null = null
    for (const table of tables) {
      const filter = filterOf(table, sinceMs)
      const opened = await repositories.open(subject, table)
      if (!opened.ok) return opened
      const all = await repositories.all(subject, table, filter)
      if (!all.ok) return all
      const view = repositories.whole(subject, table, filter)
      rows[table] = view?.rows ?? []
      source ??= view?.source ?? null
    }
    return source === null ? fail({ kind: 'not_found', what: 'table' }) : ok({ rows, source, askedMs, readMs: clock.now() })
  }

  const isYoung = ({ atMs, reading, wanted: before }: Kept, wanted: Wanted): boolean =>
    clock.monotonic() - atMs < youngMs && reading.askedMs >= wanted.notBeforeMs && before.changes === wanted.changes && before.sinceMs === wanted.sinceMs

  const read = async (subject: Subject, wanted: Wanted): Promise<Result<Reading, Failure>> => {
    const { wallet } = subject
    const before = kept?.wallet === wallet && kept.wanted.reorganisations === wanted.reorganisations ? kept : null
    if (before !== null && isYoung(before, wanted)) return ok(before.reading)
    const [askedMs, atMs] = [clock.now(), clock.monotonic()]
    const keep = async (repositories: HistoryRepositories): Promise<Result<Reading, Failure>> => {
      const reading = await readAll(repositories, subject, wanted.sinceMs, askedMs)
      kept = reading.ok ? { wallet, repositories, wanted, reading: reading.value, atMs } : null
      return reading
    }
    if (before !== null) {
      const newer = await readNewer(before.repositories, subject, wanted.sinceMs)
      if (!newer.ok) return newer
      const reading = newer.value ? await keep(before.repositories) : null
      // If the service answered through another route, the cursors and perhaps the rows differ, so read everything again.
      if (reading !== null && (!reading.ok || reading.value.source.route === before.reading.source.route)) return reading
    }
    return keep(freshRepositories())
  }

  return {
    read: (subject, wanted) => {
      const next = line.then(() => read(subject, wanted))
      line = next.catch(() => undefined)
      return next
    },
    forget: () => {
      kept = null
    },
  }
}
