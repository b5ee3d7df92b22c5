import { z } from 'zod'
import { endpoints } from '../../shared/api/endpoints/all.ts'
import type { HistoryFilter, HistoryRow, HistoryTable } from '../../shared/ipc/account-history.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../shared/result.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { SaveText } from '../app/save-text.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal } from '../journal/journal.ts'
import { createKeptRecord } from '../journal/kept-record.ts'
import type { Credentials } from '../keys/credentials.ts'
import type { Markets } from '../markets/markets.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import type { AccountReader, Subject } from './account-reader.ts'
import type { HistoryBooks } from './history-book.ts'
import { historyFile } from './history-file.ts'
import { transactionRow } from './history-rows.ts'

export interface HistoryDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'intents' | 'values'>
  readonly credentials: Credentials
  readonly markets: Pick<Markets, 'known'>
  readonly reader: AccountReader
  readonly books: HistoryBooks
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/** Own intents that are looked through for the one behind a row. */
const mostIntents = 1_000

/** Tables that are long: read in pages, looked through, and taken out of the app as files (ACC-02). */
export function createHistory({ profile, api, journal, credentials, markets, reader, books, saveText, clock }: HistoryDeps) {
  const hiddenColumns = createKeptRecord({ name: `account/${profile.id}/columns`, schema: z.array(z.string()), values: journal.values })

  /** With what this app knows besides: the market's name, the key's label, its own intent. */
  const completed = (subject: Subject, rows: readonly HistoryRow[]): HistoryRow[] => {
    const { intents } =
      subject.watchedAs === null ? journal.intents.list(profile.id, { wallet: subject.wallet, beforeMs: null, limit: mostIntents }) : { intents: [] }
    const by = (name: 'intentId' | 'txHash' | 'clientOrderId') =>
      new Map(intents.flatMap((intent) => (intent[name] === null ? [] : [[String(intent[name]).toLowerCase(), intent] as const])))
    const [byId, byHash, byClientId] = [by('intentId'), by('txHash'), by('clientOrderId')]
    return rows.map((row) => {
      const own =
        byId.get(row.intentId?.toLowerCase() ?? '') ??
        byHash.get(row.txHash?.toLowerCase() ?? '') ??
        byClientId.get(row.clientOrderId?.toLowerCase() ?? '') ??
        null
      const pairId = row.pairId ?? own?.pairId ?? null
      return {
        ...row,
        pairId,
        symbol: row.symbol ?? own?.symbol ?? (pairId === null ? null : (markets.known(pairId)?.symbol ?? null)),
        side: row.side ?? own?.side ?? null,
        keyLabel: row.keyLabel === null ? null : (credentials.facts(row.keyLabel)?.label ?? row.keyLabel),
        intentRef: own?.ref ?? null,
      }
    })
  }

  const distinct = (values: readonly (string | null)[]): string[] => [...new Set(values.flatMap((value) => value ?? []))].toSorted().slice(0, 100)

  const everything = async (subject: Subject, table: HistoryTable, filter: HistoryFilter): Promise<Result<HistoryRow[] | null, Failure>> => {
    const opened = await books.open(subject, table)
    if (!opened.ok) return opened
    const read = await books.all(subject, table, filter)
    if (!read.ok) return read
    return ok(read.value.complete ? completed(subject, books.whole(subject, table, filter)?.rows ?? []) : null)
  }

  const handlers: Handlers<
    | 'account.history'
    | 'account.readOlder'
    | 'account.readNewer'
    | 'account.stopReading'
    | 'account.export'
    | 'account.finality'
    | 'account.findOrder'
    | 'account.columns'
    | 'account.saveColumns'
  > = {
    'account.history': async ({ watch, table, offset, limit, ...filter }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const opened = await books.open(subject.value, table)
      if (!opened.ok) return opened
      const view = books.view(subject.value, table, filter)
      if (view === null) return fail({ kind: 'not_found', what: 'table' })
      const { rows, ...rest } = view
      const all = books.view(subject.value, table, { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' })?.rows ?? []
      return ok({
        ...rest,
        rows: completed(subject.value, rows.slice(offset, offset + limit)),
        offset,
        total: rows.length,
        symbols: distinct(all.map(({ symbol }) => symbol)),
        states: distinct(all.map(({ state }) => state)),
      })
    },
    'account.readOlder': async ({ watch, table, ...filter }) => {
      const subject = reader.subject(watch)
      return subject.ok ? books.older(subject.value, table, filter) : subject
    },
    'account.readNewer': async ({ watch, table, show }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = await books.newer(subject.value, table, show)
      return read.ok ? ok({ newer: read.value.newer }) : read
    },
    'account.stopReading': ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      books.stop(subject.value)
      return ok({})
    },
    'account.export': async ({ watch, table, format, ...filter }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const rows = await everything(subject.value, table, filter)
      if (!rows.ok) return rows
      const found = rows.value
      if (found === null) return ok({ state: 'stopped', path: null, rows: 0 })
      const saved = await saveText(
        {
          title: 'Export the table',
          button: 'Export',
          kinds: [format === 'csv' ? { name: 'Table', extensions: ['csv'] } : { name: 'JSON', extensions: ['json'] }],
          suggested: `svc-desk-${table}-${subject.value.wallet.slice(2, 8)}-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
        },
        () => historyFile(format, subject.value.wallet, found),
      )
      if (!saved.ok) return saved
      return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: found.length })
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
        const [found = null] = completed(subject.value, [transactionRow(answer.value.value.intent)])
        return ok({ found, readAtMs: answer.value.receivedAtMs })
      }
      const { failure } = answer.failure
      return failure.kind === 'refused' && failure.status === 404 ? ok({ found: null, readAtMs: clock.now() }) : fail(failure)
    },
    'account.finality': async ({ txHash }) => {
      const subject = reader.subject(null)
      if (!subject.ok) return subject
      // The document names no public twin of it.
      const credential = await credentials.forScope(subject.value.wallet, 'account:read')
      if (!credential.ok) return credential
      const answer = await api.call(endpoints.getNativeExecution, {
        ...{ params: { tx_hash: txHash }, query: { account: subject.value.wallet }, body: undefined },
        credential: credential.value,
      })
      if (!answer.ok) return fail(answer.failure.failure)
      const { finality, confirmations, blockNumber, unknownFields } = answer.value.value
      return ok({ finality, confirmations, blockNumber, unknownFields, readAtMs: answer.value.receivedAtMs })
    },
  }
  return { handlers }
}
