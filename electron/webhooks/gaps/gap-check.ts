import { redactText, safeJson } from '../../../shared/api/redact.ts'
import { csvTable } from '../../../shared/csv.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { GapCheck, GapRow } from '../../../shared/ipc/webhooks/gaps.ts'
import type { WebhookSummary } from '../../../shared/ipc/webhooks/webhooks.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { titleText } from '../../../shared/text/title-text.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { type EventName, eventNames, everyEvent } from '../../../shared/webhooks/events.ts'
import { dialogWords, fileKind, tableHeadings } from '../../kernel/files/dialog-words.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { Handlers, HandlersOf } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { AccountReader, Subject } from '../../reads/history/account-reader.ts'
import type { HistoryRepositories } from '../../reads/history/history-repository.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { LabRecord } from '../lab/captures.ts'
import { type Judged, judge } from './corrections.ts'
import { type Captured, capturedOf, createObservations, type ExpectedEvent, keptFrom } from './expected.ts'
import { createExplainedEvents, graceMs } from './explained-events.ts'
import { expectedOfHistory, expectedOfTransactions, type OwnIntent } from './from-rows.ts'
import { createHistoryReading, type Reading } from './history-reading.ts'
import { takenBackOf } from './match.ts'

interface Listing {
  readonly webhooks: readonly WebhookSummary[]
}

export interface GapCheckDeps {
  readonly profile: ProfileFacts
  readonly journal: Pick<Journal, 'intents' | 'transactions'>
  readonly markets: Pick<Markets, 'known'>
  readonly reader: Pick<AccountReader, 'subject'>
  /** Creates history repositories without rows. Needed after a reorganisation, because rows that were read earlier may no longer exist. */
  readonly freshRepositories: () => HistoryRepositories
  /** Fails if the connected wallet is not signed in. Sends no request. */
  readonly signIn: () => Promise<Result<unknown, Failure>>
  /** The connected wallet's webhooks as the service lists them. */
  readonly webhooks: () => Promise<Result<Listing, Failure>>
  /** The lab's captures; `null` if the lab was not opened in this run. */
  readonly lab: () => LabRecord | null
  /** Reads the present state of an intent's transactions from the chain, even if the intent became final long ago. */
  readonly lookAgain: (ref: string) => Promise<void>
  readonly saveText: SaveText
  readonly clock: ServiceClock
}

/** Reads the history from this long before the lab first listened, so that early captures match the right rows. */
const marginMs = 10 * minute
/** How many of this app's own intents one reading may check again, newest first. */
const mostOvertaken = 20

/** Compares two lists of events: those that the service must have sent according to the account's own history, and those that the lab captured. */
export function createGapCheck({
  profile,
  journal,
  markets,
  reader,
  freshRepositories,
  signIn,
  webhooks,
  lab,
  lookAgain,
  saveText,
  clock,
}: GapCheckDeps): HandlersOf<'gaps'> {
  const history = createHistoryReading({ freshRepositories, clock })
  const expecting = createExpecting(markets)
  const explained = createExplainedEvents()

  let listed: { readonly for: Reading; readonly listing: Listing } | null = null

  /** The webhook for which the lab listens; `null` if the service does not list it. The app lists webhooks as often as it reads the history. */
  const webhookOf = async ({ webhookId }: LabRecord, reading: Reading): Promise<Result<WebhookSummary | null, Failure>> => {
    if (webhookId === null) return ok(null)
    const find = (listing: Listing | undefined) => listing?.webhooks.find(({ id }) => id === webhookId)
    const kept = listed?.for === reading ? find(listed.listing) : undefined
    if (kept !== undefined) return ok(kept)
    const listing = await webhooks()
    if (!listing.ok) return listing
    listed = { for: reading, listing: listing.value }
    const webhook = find(listing.value)
    return webhook === undefined ? fail({ kind: 'not_found', what: 'webhook' }) : ok(webhook)
  }

  const judgeAt = async (record: LabRecord, subject: Subject, sinceMs: number, notBeforeMs: number) => {
    const { intents, own } = ownIntents(journal, { profileId: profile.id, wallet: subject.wallet }, sinceMs)
    const takenBack = own.flatMap((one) => one.takenBack)
    const captured = capturedOf(record)
    const read = await history.read(subject, {
      ...{ sinceMs, notBeforeMs },
      changes: own.map(({ intent, transactions }) => [intent.ref, intent.state, ...transactions.map(({ state }) => state)].join()).join(' '),
      reorganisations: [...takenBack.map(({ key }) => key), captured.filter(({ isCorrection }) => isCorrection).length].join(),
    })
    if (!read.ok) return read
    const reading = read.value
    const listing = await webhookOf(record, reading)
    if (!listing.ok) return listing
    const webhook = listing.value
    const isSubscribed = (type: string) => webhook?.events == null || webhook.events.includes(everyEvent) || webhook.events.includes(type)
    const nowMs = clock.now()
    const expected = expecting({ reading, sinceMs, intents, own }).filter(({ types }) => types.every(isSubscribed))
    const { askedMs, readMs } = reading
    const look = {
      ...{ of: `${subject.wallet} ${reading.source.route}`, sinceMs, askedMs, readMs, expected },
      captured: new Set(captured.map(({ id }) => id)),
    }
    const judged = judge({
      ...{ captured, nowMs, takenBack, isSubscribed, subscribedMs: webhook?.createdAtMs ?? null, keptFromMs: keptFrom(record), expected },
      goneSince: (found) => explained.look({ ...look, found }),
      listened: record.spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs ?? nowMs })),
      eventsUnknown: webhook !== null && webhook.events === null,
      isDisabled: webhook?.status === 'disabled',
    })
    const overtaken = [...new Set([...judged.overtaken, ...overtakenByList(own, reading)])].slice(0, mostOvertaken)
    return ok({ judged, captured, webhook, spans: record.spans, reading, isSubscribed, overtaken })
  }

  let lookedFor: Reading | null = null
  /**
   * Judges the captured events. If the service contradicts the stored state of some of this app's intents, looks up these intents. Then judges the
   * events again, but only once per reading of the history.
   */
  const judgeAnew: typeof judgeAt = async (...of) => {
    const judged = await judgeAt(...of)
    if (!judged.ok || judged.value.overtaken.length === 0 || judged.value.reading === lookedFor) return judged
    lookedFor = judged.value.reading
    await Promise.allSettled(judged.value.overtaken.map(lookAgain))
    return judgeAt(...of)
  }

  /**
   * If an event seems missing but the history was read before the event's deadline, reads the history again and repeats the judgement. The event's
   * row may have left the history in the meantime.
   */
  const judgeSurely = async (record: LabRecord, subject: Subject, sinceMs: number) => {
    const first = await judgeAnew(record, subject, sinceMs, 0)
    if (!first.ok) return first
    const { judged, reading } = first.value
    const overMs = Math.max(0, ...judged.rows.filter(({ result }) => result === 'missing').map(({ expected }) => expected.toMs + graceMs))
    return overMs <= reading.askedMs ? first : judgeAnew(record, subject, sinceMs, overMs)
  }

  const check = async (givenSinceMs: number | null): Promise<Result<GapCheck, Failure>> => {
    const record = lab()
    const [first] = record?.spans ?? []
    if (record === null || first === undefined) return ok({ kind: 'never_opened' })
    const subject = reader.subject(null)
    if (!subject.ok) return subject
    const signedIn = record.webhookId === null ? ok(null) : await signIn()
    if (!signedIn.ok) return signedIn
    const openedMs = record.spans.reduce((earliest, { fromMs }) => Math.min(earliest, fromMs), first.fromMs)
    const judged = await judgeSurely(record, subject.value, openedMs - marginMs)
    return judged.ok ? ok(answerOf({ ...judged.value, fromMs: givenSinceMs ?? openedMs })) : judged
  }

  return {
    'gaps.check': ({ sinceMs }) => check(sinceMs),
    'gaps.renew': () => {
      history.forget()
      return ok({})
    },
    'gaps.save': createSaveGaps({ check, saveText, clock }),
  }
}

interface Expecting {
  readonly reading: Reading
  readonly sinceMs: number
  readonly intents: readonly IntentRow[]
  readonly own: readonly OwnIntent[]
}

/** Derives the expected events from the journal and one reading of the history. Remembers when the app first saw each state that has no timestamp. */
function createExpecting(markets: Pick<Markets, 'known'>) {
  const observations = createObservations()
  const withMarket = (row: HistoryRow): HistoryRow => ({
    ...row,
    symbol: row.symbol ?? (row.pairId === null ? null : (markets.known(row.pairId)?.symbol ?? null)),
  })

  return ({ reading: { rows, askedMs, readMs }, sinceMs, intents, own }: Expecting): ExpectedEvent[] => {
    const times = { askedMs, readMs, observations }
    const history = { orders: rows.orders.map(withMarket), trades: rows.trades.map(withMarket), closed: rows.history.map(withMarket) }
    return [
      ...expectedOfHistory({ history, sinceMs, ...times, intentOf: intentsBy(intents) }),
      ...expectedOfTransactions({ own, listed: rows.transactions.map(withMarket), ...times }),
    ]
  }
}

interface SaveGapsDeps {
  readonly check: (sinceMs: number | null) => Promise<Result<GapCheck, Failure>>
  readonly saveText: SaveText
  readonly clock: Clock
}

/** Runs the check and writes its rows to a file the user chooses. */
const createSaveGaps =
  ({ check, saveText, clock }: SaveGapsDeps): Handlers<'gaps.save'>['gaps.save'] =>
  async ({ sinceMs, format, missing }) => {
    const checked = await check(sinceMs)
    if (!checked.ok) return checked
    const all = checked.value.kind === 'checked' ? checked.value.rows : []
    const rows = missing ? all.filter(({ result }) => result === 'missing') : all
    const saved = await saveText(
      {
        ...dialogWords('saveGapCheck'),
        kinds: [fileKind(format)],
        suggested: `svc-desk-webhook-gaps-${new Date(clock.now()).toISOString().slice(0, 10)}.${format}`,
      },
      () => gapsFile(format, rows),
    )
    if (!saved.ok) return saved
    return ok(saved.value === null ? { state: 'cancelled', path: null, rows: 0 } : { state: 'saved', path: saved.value, rows: rows.length })
  }

const columns = tableHeadings.gaps satisfies Partial<Record<keyof GapRow, string>>

const names = Object.keys(columns) as (keyof typeof columns)[]
const time = (atMs: number | null): string => (atMs === null ? '' : new Date(atMs).toISOString())

const cell = (row: GapRow, name: (typeof names)[number]): string | null => (name === 'title' ? row.title && titleText(row.title) : row[name])

/** Formats the check as a file. Redacts secrets once more, because the file leaves the app. */
function gapsFile(format: 'csv' | 'json', rows: readonly GapRow[]): string {
  if (format === 'csv')
    return csvTable(
      ['time', 'event', ...names.map((name) => columns[name])],
      rows.map((row) => [time(row.atMs), row.types.join(' or '), ...names.map((name) => redactText(cell(row, name) ?? ''))]),
    )
  const records = rows.map((row) => ({
    time: row.atMs === null ? null : time(row.atMs),
    types: row.types,
    ...Object.fromEntries(names.map((name) => [name, cell(row, name)])),
  }))
  return safeJson(records)
}

const mostIntents = 1_000

/**
 * The newest intents of a wallet in the journal. `own` has only those that changed since `sinceMs`, each with its transactions, its reorganisations
 * and the time of its current state.
 */
function ownIntents(journal: Pick<Journal, 'intents' | 'transactions'>, of: { readonly profileId: string; readonly wallet: string }, sinceMs: number) {
  const { intents } = journal.intents.list(of.profileId, { wallet: of.wallet, beforeMs: null, limit: mostIntents })
  const own = intents
    .filter(({ updatedAtMs }) => updatedAtMs >= sinceMs)
    .map((intent): OwnIntent => {
      const transactions = journal.transactions.of(intent.ref)
      const steps = journal.intents.timeline(intent.ref)
      return {
        ...{ intent, transactions, takenBack: takenBackOf(intent, steps, transactions) },
        sinceMs: steps.findLast(({ state }) => state === intent.state)?.atMs ?? intent.updatedAtMs,
      }
    })
  return { intents, own }
}

/** Matches the words that the service uses for a transaction which is in no final block. */
const isNotFinal = /pending|submit|expire|drop/i

/**
 * Intents that are final in the journal, although the service later listed them as not final. A reorganisation undid their transactions after the
 * app last looked.
 */
function overtakenByList(own: readonly OwnIntent[], { rows, askedMs }: Pick<Reading, 'rows' | 'askedMs'>): string[] {
  const notFinal = rows.transactions.filter(({ state }) => isNotFinal.test(state ?? ''))
  const names = new Set(notFinal.flatMap(({ intentId, txHash }) => [intentId ?? [], txHash ?? []].flat().map((name) => name.toLowerCase())))
  const isListed = ({ intentId, txHash }: IntentRow) => [intentId, txHash].some((name) => name !== null && names.has(name.toLowerCase()))
  return own
    .filter(({ intent, sinceMs }) => (intent.state === 'FINAL' || intent.state === 'REVERTED') && sinceMs < askedMs && isListed(intent))
    .map(({ intent }) => intent.ref)
}

/** Returns a function that finds this app's own intent for a row of the service's history. */
function intentsBy(intents: readonly IntentRow[]) {
  const by = (name: 'txHash' | 'clientOrderId') => new Map(intents.flatMap((one) => (one[name] === null ? [] : [[one[name].toLowerCase(), one] as const])))
  const [byHash, byClientId] = [by('txHash'), by('clientOrderId')]
  return ({ txHash, clientOrderId }: HistoryRow) => byHash.get(txHash?.toLowerCase() ?? '') ?? byClientId.get(clientOrderId?.toLowerCase() ?? '') ?? null
}

const mostRows = 5_000
const mostExtra = 100
/** The source from which the app concludes that the service must have sent an event of this type. `nothing`: no source shows such events. */
const sourceOf: Readonly<Record<EventName, 'history' | 'transactions' | 'reorganisation' | 'nothing' | 'never sent'>> = {
  'order.accepted': 'history',
  'order.filled': 'history',
  'order.partially_filled': 'history',
  'order.cancelled': 'history',
  'position.changed': 'history',
  liquidation: 'history',
  'liquidation.warning': 'never sent',
  'funding.charged': 'nothing',
  'funding.credited': 'nothing',
  'collateral.changed': 'transactions',
  'transaction.confirmed': 'transactions',
  'transaction.reverted': 'transactions',
  'transaction.pending': 'reorganisation',
  'chain.reorg': 'reorganisation',
}

interface Answering {
  readonly judged: ReturnType<typeof judge>
  readonly captured: readonly Captured[]
  readonly webhook: WebhookSummary | null
  readonly spans: LabRecord['spans']
  readonly reading: Reading
  readonly isSubscribed: (type: string) => boolean
  /** Start of the period to show, Unix ms. Rows and events before this time are left out. */
  readonly fromMs: number
}

const rowOf = ({ expected, takesBack, result, why, by, eventId, revokedId, dueMs }: Judged): GapRow => ({
  ...{
    key: expected.key,
    atMs: expected.fromMs === expected.toMs ? expected.fromMs : null,
    byMs: expected.toMs,
    types: [...expected.types],
    ...expected.about,
  },
  ...{ result, why, by, eventId, revokedId, takesBackId: takesBack?.id ?? null, takesBackType: takesBack?.type ?? null, dueMs },
})

/**
 * Builds the result of a gap check for the window. `extra` lists captured events that the history doesn't explain. An event captured after the
 * history was read is left out, because the next reading may explain it. So is such a correction from `unmatched`.
 */
export function answerOf({ judged, captured, webhook, spans, reading, isSubscribed, fromMs }: Answering): Extract<GapCheck, { kind: 'checked' }> {
  const { source, askedMs, readMs } = reading
  const shown = judged.rows
    .filter(({ expected: { toMs } }) => toMs >= fromMs)
    .sort((a, b) => b.expected.toMs - a.expected.toMs || (a.expected.key < b.expected.key ? -1 : 1))
  const extra = judged.extra.filter(({ atMs }) => atMs >= fromMs - second && atMs <= askedMs).sort((a, b) => b.atMs - a.atMs)
  const corrections = captured.filter(({ isCorrection, atMs }) => isCorrection && atMs >= fromMs)
  const matched = new Set(shown.map(({ eventId }) => eventId))
  const count = (result: Judged['result']) => shown.filter((one) => one.result === result).length
  return {
    kind: 'checked',
    webhook: webhook === null ? null : { id: webhook.id, url: webhook.url, events: webhook.events },
    spans: [...spans],
    rows: shown.slice(0, mostRows).map(rowOf),
    counts: { expected: shown.length, captured: count('captured'), missing: count('missing'), due: count('due'), unjudged: count('unjudged') },
    extra: { count: extra.length, events: extra.slice(0, mostExtra).map(({ id, type, atMs }) => ({ id, type, createdAtMs: atMs })) },
    corrections: { count: corrections.length, unmatched: corrections.filter(({ id, atMs }) => atMs <= askedMs && !matched.has(id)).length },
    untold: eventNames.filter((type) => sourceOf[type] === 'nothing' && isSubscribed(type)),
    graceMs,
    source,
    readAtMs: readMs,
  }
}
