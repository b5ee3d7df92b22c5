import type { HistoryFilter, HistoryRow, HistoryTable } from '../../../shared/ipc/account-history.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { GapCheck, GapRow } from '../../../shared/ipc/gaps.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { day, minute, second } from '../../../shared/time.ts'
import { eventNames, everyEvent } from '../../../shared/webhooks/events.ts'
import { corrections } from '../../../shared/webhooks/samples.ts'
import type { AccountReader, Sourced, Subject } from '../../account/account-reader.ts'
import type { HistoryBooks } from '../../account/history-book.ts'
import type { SaveText } from '../../app/save-text.ts'
import type { Handlers } from '../../ipc/handlers.ts'
import type { IntentRow, Journal } from '../../journal/journal.ts'
import type { Markets } from '../../markets/markets.ts'
import type { ProfileFacts } from '../../session/profile-facts.ts'
import type { ServiceClock } from '../../session/service-clock.ts'
import type { LabRecord } from '../lab/lab-record.ts'
import type { ExpectedEvent } from './expected.ts'
import { expectedOfHistory, type History } from './from-history.ts'
import { expectedOfTransactions } from './from-transactions.ts'
import { gapsFile } from './gaps-file.ts'
import { type Captured, graceMs, type Judged, judge, type Span } from './judge.ts'
import { dataOf, marksIn } from './marks.ts'
import { createSightings } from './sightings.ts'

export interface GapCheckDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents' | 'transactions'>
  readonly markets: Pick<Markets, 'known'>
  readonly reader: Pick<AccountReader, 'subject'>
  /** New ones that have read nothing: after a reorganisation rows that were read before may be gone. */
  readonly freshBooks: () => HistoryBooks
  /** The connected wallet's webhooks, as the service lists them. */
  readonly webhooks: () => Promise<Result<{ readonly webhooks: readonly WebhookSummary[] }, Failure>>
  /** null: the lab was not opened in this run. */
  readonly lab: () => LabRecord | null
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/** History is read from so long before the lab first listened, so that what was captured then is not taken for something else. */
const marginMs = 10 * minute
/** An order may have been placed so long before it is cancelled or filled. */
const ordersBackMs = day
const mostIntents = 1_000
const mostRows = 5_000
const mostExtra = 100
/** The history has no rows of them. */
const withoutRows = ['funding.charged', 'funding.credited']

const nothingElse: Omit<HistoryFilter, 'fromMs'> = { symbol: null, side: null, state: null, toMs: null, text: '' }

type Checked = Extract<GapCheck, { kind: 'checked' }>
interface Read {
  readonly rows: Readonly<Record<HistoryTable, readonly HistoryRow[]>>
  readonly source: Sourced<unknown>['source']
  readonly askedMs: number
  readonly readMs: number
}

/** Holds what the account's own history says must have been sent against what the lab captured. */
export function createGapCheck({
  profile,
  journal,
  markets,
  reader,
  freshBooks,
  webhooks,
  lab,
  saveText,
  clock,
}: GapCheckDeps): Handlers<'gaps.check' | 'gaps.save'> {
  const sightings = createSightings()

  const read = async (subject: Subject, sinceMs: number): Promise<Result<Read, Failure>> => {
    const books = freshBooks()
    const askedMs = clock.now()
    const rows: Record<HistoryTable, readonly HistoryRow[]> = { orders: [], trades: [], transactions: [], history: [] }
    let source: Read['source'] | null = null
    for (const table of ['orders', 'trades', 'transactions', 'history'] as const) {
      const filter = { ...nothingElse, fromMs: table === 'orders' ? sinceMs - ordersBackMs : sinceMs }
      const opened = await books.open(subject, table)
      if (!opened.ok) return opened
      const all = await books.all(subject, table, filter)
      if (!all.ok) return all
      const view = books.whole(subject, table, filter)
      rows[table] = view?.rows ?? []
      source ??= view?.source ?? null
    }
    return source === null ? fail({ kind: 'not_found', what: 'table' }) : ok({ rows, source, askedMs, readMs: clock.now() })
  }

  const ownIntents = (wallet: string, sinceMs: number) => {
    const { intents } = journal.intents.list(profile.id, { wallet, beforeMs: null, limit: mostIntents })
    const recent = intents.filter(({ updatedAtMs }) => updatedAtMs >= sinceMs)
    const own = recent.map((intent) => ({
      intent,
      transactions: journal.transactions.of(intent.ref),
      sinceMs: journal.intents.timeline(intent.ref).findLast(({ state }) => state === intent.state)?.atMs ?? intent.updatedAtMs,
    }))
    return { intents, own }
  }

  /** This app's own intent behind a row of the service. */
  const intentsBy = (intents: readonly IntentRow[]) => {
    const by = (name: 'txHash' | 'clientOrderId') => new Map(intents.flatMap((one) => (one[name] === null ? [] : [[one[name].toLowerCase(), one] as const])))
    const [byHash, byClientId] = [by('txHash'), by('clientOrderId')]
    return ({ txHash, clientOrderId }: HistoryRow) => byHash.get(txHash?.toLowerCase() ?? '') ?? byClientId.get(clientOrderId?.toLowerCase() ?? '') ?? null
  }

  const capturedOf = ({ captures }: LabRecord): Captured[] =>
    captures.events().map(({ id, type, createdAt, delivery, revokes, revokedBy }) => ({
      ...{ id, type, atMs: createdAt * second, isRevoked: revokedBy.length > 0 },
      isCorrection: revokes !== null || corrections.includes(type),
      ...marksIn(dataOf(delivery.body)),
    }))

  /** From when on nothing that came is gone again; null: nothing went. */
  const keptFrom = ({ captures }: LabRecord): number | null => {
    if (captures.counts().droppedEvents === 0) return null
    return captures.events().reduce((first, { attempts }) => Math.min(first, attempts[0]?.atMs ?? first), Number.POSITIVE_INFINITY)
  }

  const withMarkets = (row: HistoryRow): HistoryRow => ({
    ...row,
    symbol: row.symbol ?? (row.pairId === null ? null : (markets.known(row.pairId)?.symbol ?? null)),
  })

  const rowOf = ({ expected, result, why, by, eventId, revokedId, dueMs }: Judged): GapRow => ({
    ...{
      key: expected.key,
      atMs: expected.fromMs === expected.toMs ? expected.fromMs : null,
      byMs: expected.toMs,
      types: [...expected.types],
      ...expected.about,
    },
    ...{ result, why, by, eventId, revokedId, dueMs },
  })

  const check = async (givenSinceMs: number | null): Promise<Result<GapCheck, Failure>> => {
    const record = lab()
    const [first] = record?.spans ?? []
    if (record === null || first === undefined) return ok({ kind: 'never_opened' })
    const subject = reader.subject(null)
    if (!subject.ok) return subject
    const listed = record.webhookId === null ? ok({ webhooks: [] }) : await webhooks()
    if (!listed.ok) return listed
    const webhook = listed.value.webhooks.find(({ id }) => id === record.webhookId) ?? null
    if (record.webhookId !== null && webhook === null) return fail({ kind: 'not_found', what: 'webhook' })

    const openedMs = record.spans.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), first.fromMs)
    const sinceMs = openedMs - marginMs
    const answer = await read(subject.value, sinceMs)
    if (!answer.ok) return answer
    const { rows, source, askedMs, readMs } = answer.value
    const { intents, own } = ownIntents(subject.value.wallet, sinceMs)
    const history: History = {
      orders: rows.orders.map(withMarkets),
      trades: rows.trades.map(withMarkets),
      closed: rows.history.map(withMarkets),
    }
    const subscribed = (type: string) => webhook?.events == null || webhook.events.includes(everyEvent) || webhook.events.includes(type)
    const times = { askedMs, readMs, sightings }
    const expected: ExpectedEvent[] = [
      ...expectedOfHistory({ history, sinceMs, ...times, intentOf: intentsBy(intents) }),
      ...expectedOfTransactions({ own, listed: rows.transactions.map(withMarkets), ...times }),
    ].filter(({ types }) => types.every(subscribed))

    const nowMs = clock.now()
    const captured = capturedOf(record)
    const judged = judge({
      ...{ expected, captured, nowMs, subscribedMs: webhook?.createdAtMs ?? null, keptFromMs: keptFrom(record) },
      listened: record.spans.map(({ fromMs, toMs }): Span => ({ fromMs, toMs: toMs ?? nowMs })),
      eventsUnknown: webhook !== null && webhook.events === null,
      isDisabled: webhook?.status === 'disabled',
    })
    const fromMs = givenSinceMs ?? openedMs
    const shown = judged.rows
      .filter(({ expected: { toMs } }) => toMs >= fromMs)
      .sort((a, b) => b.expected.toMs - a.expected.toMs || (a.expected.key < b.expected.key ? -1 : 1))
    const extra = judged.extra.filter(({ atMs }) => atMs >= fromMs - second).sort((a, b) => b.atMs - a.atMs)
    const count = (result: Judged['result']) => shown.filter((one) => one.result === result).length
    return ok({
      kind: 'checked',
      webhook: webhook === null ? null : { id: webhook.id, url: webhook.url, events: webhook.events },
      spans: [...record.spans],
      rows: shown.slice(0, mostRows).map(rowOf),
      counts: { expected: shown.length, captured: count('captured'), missing: count('missing'), due: count('due'), unjudged: count('unjudged') },
      extra: { count: extra.length, events: extra.slice(0, mostExtra).map(({ id, type, atMs }) => ({ id, type, createdAtMs: atMs })) },
      corrections: captured.filter(({ isCorrection, atMs }) => isCorrection && atMs >= fromMs).length,
      untold: withoutRows.filter((type) => eventNames.includes(type) && subscribed(type)),
      graceMs,
      source,
      readAtMs: readMs,
    } satisfies Checked)
  }

  return {
    'gaps.check': ({ sinceMs }) => check(sinceMs),
    'gaps.save': async ({ sinceMs, format, missing }) => {
      const checked = await check(sinceMs)
      if (!checked.ok) return checked
      const all = checked.value.kind === 'checked' ? checked.value.rows : []
      const rows = missing ? all.filter(({ result }) => result === 'missing') : all
      const saved = await saveText(
        {
          title: 'Save the gap check',
          button: 'Save',
          kinds: [format === 'csv' ? { name: 'Table', extensions: ['csv'] } : { name: 'JSON', extensions: ['json'] }],
          suggested: `svc-desk-webhook-gaps-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
        },
        () => gapsFile(format, rows),
      )
      if (!saved.ok) return saved
      return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: rows.length })
    },
  }
}
