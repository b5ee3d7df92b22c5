import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { accountHistory, HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/reads/account-history.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { dialogWords, fileKind, incompleteText, tableHeadings } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import { createKeptRecord } from '../../store/records/kept-record.ts'
import type { AccountReader, Subject } from './account-reader.ts'
import type { HistoryRepositories } from './history-repository.ts'
import { type KnownRows, transactionRow } from './history-rows.ts'

export interface HistoryDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'records'>
  readonly credentials: Credentials
  readonly reader: AccountReader
  readonly repositories: HistoryRepositories
  readonly known: KnownRows
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

interface Exported {
  readonly rows: readonly HistoryRow[]
  /** What the file says about missing rows; `null` if none are missing. */
  readonly incomplete: string | null
}

/** The long history tables of an account. Reads them page by page, filters them and exports them as files (ACC-02). */
export function createHistory({ profile, api, journal, credentials, reader, repositories, known, saveText, clock }: HistoryDeps) {
  const hiddenColumns = createKeptRecord(journal.records.hiddenColumns, { profile: profile.id })

  const distinct = (values: readonly (string | null)[]): string[] => [...new Set(values.flatMap((value) => value ?? []))].toSorted().slice(0, 100)

  const everything = async (subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<Exported | null, Failure>> => {
    const opened = await repositories.open(subject, table)
    if (!opened.ok) return opened
    const read = await repositories.all(subject, table, filter)
    if (!read.ok) return read
    const whole = read.value.complete ? repositories.whole(subject, table, filter) : null
    return ok(whole === null ? null : { rows: whole.rows.map(known(subject)), incomplete: incompleteText(whole) })
  }

  const handlers: Handlers<keyof typeof accountHistory> = {
    'account.history': async ({ watch, table, offset, limit, ...filter }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const opened = await repositories.open(subject.value, table)
      if (!opened.ok) return opened
      const view = repositories.view(subject.value, table, filter)
      if (view === null) return fail({ kind: 'not_found', what: 'table' })
      const { rows, ...rest } = view
      const completedOf = known(subject.value)
      const all = repositories.view(subject.value, table, { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' })?.rows ?? []
      return ok({
        ...rest,
        rows: rows.slice(offset, offset + limit).map(completedOf),
        offset,
        total: rows.length,
        symbols: distinct(all.map((row) => row.symbol ?? completedOf(row).symbol)),
        states: distinct(all.map(({ state }) => state)),
      })
    },
    'account.readOlder': async ({ watch, table, ...filter }) => {
      const subject = reader.subject(watch)
      return subject.ok ? repositories.older(subject.value, table, filter) : subject
    },
    'account.readNewer': async ({ watch, table, show }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = await repositories.newer(subject.value, table, show)
      return read.ok ? ok({ newer: read.value.newer }) : read
    },
    'account.stopReading': ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      repositories.stop(subject.value)
      return ok({})
    },
    'account.export': async ({ watch, table, format, ...filter }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const rows = await everything(subject.value, table, filter)
      if (!rows.ok) return rows
      const found = rows.value
      if (found === null) return ok({ state: 'stopped', path: null, rows: 0, incomplete: false })
      const saved = await saveText(
        {
          ...dialogWords('exportTable'),
          kinds: [fileKind(format)],
          suggested: `svc-desk-${table}-${subject.value.wallet.slice(2, 8)}-${new Date(clock.now()).toISOString().slice(0, 10)}${found.incomplete === null ? '' : '-incomplete'}.${format}`,
        },
        () => historyFile(format, subject.value.wallet, found),
      )
      if (!saved.ok) return saved
      const incomplete = found.incomplete !== null
      return ok(
        saved.value === null
          ? { state: 'cancelled', path: null, rows: 0, incomplete }
          : { state: 'saved', path: saved.value, rows: found.rows.length, incomplete },
      )
    },
    'account.columns': () => ok({ hidden: hiddenColumns.read() ?? [] }),
    'account.saveColumns': ({ hidden }) => {
      hiddenColumns.keep(hidden)
      return ok({})
    },
    'account.findOrder': async ({ clientOrderId }) => {
      const subject = reader.subject(null)
      if (!subject.ok) return subject
      const credential = await credentials.forScope(subject.value.wallet, 'account:read')
      if (!credential.ok) return credential
      const answer = await api.call(endpoints.getOrderByClientId, {
        ...{ params: {}, query: { client_order_id: clientOrderId }, body: undefined },
        credential: credential.value,
      })
      const now = reader.subject(null)
      if (!now.ok) return now
      if (now.value.wallet !== subject.value.wallet) return fail({ kind: 'wrong_wallet', wallet: now.value.wallet, expected: subject.value.wallet })
      if (answer.ok) {
        const found = known(subject.value)(transactionRow(answer.value.value.intent))
        return ok({ found, readAtMs: answer.value.receivedAtMs })
      }
      const { failure } = answer.failure
      return failure.kind === 'refused' && failure.status === 404 ? ok({ found: null, readAtMs: clock.now() }) : fail(failure)
    },
    'account.finality': async ({ txHash, tradeId }) => {
      const subject = reader.subject(null)
      if (!subject.ok) return subject
      // The API document lists no public route for the finality of a transaction, so this request needs a key.
      const credential = await credentials.forScope(subject.value.wallet, 'account:read')
      if (!credential.ok) return credential
      const ask = (trade: { readonly trade_id?: string }) =>
        api.call(endpoints.getNativeExecution, {
          ...{ params: { tx_hash: txHash }, query: { account: subject.value.wallet, ...trade }, body: undefined },
          credential: credential.value,
        })
      const ofTrade = tradeId === undefined ? null : await ask({ trade_id: tradeId })
      // The API document does not say which form of trade id this route accepts. If the service refuses the id, ask again without it.
      const answer = ofTrade === null || (!ofTrade.ok && ofTrade.failure.failure.kind === 'refused') ? await ask({}) : ofTrade
      if (!answer.ok) return fail(answer.failure.failure)
      const { finality, confirmations, blockNumber, unknownFields } = answer.value.value
      return ok({ finality, confirmations, blockNumber, unknownFields, readAtMs: answer.value.receivedAtMs })
    },
  }
  return { handlers }
}

const columns = tableHeadings.history satisfies Partial<Record<keyof HistoryRow, string>>

const names = Object.keys(columns) as (keyof typeof columns)[]
const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

/**
 * Writes the rows of one wallet as a file. An unknown value becomes an empty cell, never 0. Searches the file for secrets before the app hands it
 * out. If rows are missing, the last row says so.
 */
function historyFile(format: 'csv' | 'json', wallet: string, { rows, incomplete }: Exported): string {
  if (format === 'csv')
    return csvTable(
      ['time', 'wallet', ...names.map((name) => columns[name])],
      [
        ...rows.map((row) => [time(row.atMs), wallet, ...names.map((name) => redactText(row[name] ?? ''))]),
        ...(incomplete === null ? [] : [[incomplete, '', ...names.map(() => '')]]),
      ],
    )
  const records = rows.map(({ unknownFields, intentRef: _, ...row }) => ({
    time: row.atMs === null ? null : time(row.atMs),
    wallet,
    ...row,
    other: unknownFields === null ? null : (JSON.parse(unknownFields) as unknown),
  }))
  return safeJson(incomplete === null ? records : [...records, { incomplete }])
}
