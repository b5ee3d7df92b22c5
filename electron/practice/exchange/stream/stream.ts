import type { Address } from 'viem'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Faults } from '../../base/faults.ts'
import { type Ask, invalid, type Reply, refuse, type StreamReply } from '../http/reply.ts'
import { type Candles, intervals } from '../market/candles.ts'
import { catalogue, type Market, marketOfText } from '../market/catalogue.ts'
import type { Marks } from '../market/mark-prices.ts'
import type { Summaries } from '../market/summaries.ts'
import type { Ledger } from '../positions/ledger.ts'
import { accountOf, accountStatus, positionsOf } from '../positions/margin.ts'
import type { KeyRow } from '../state/state.ts'
import type { Store } from '../state/store.ts'
import { createRowWatch } from './row-watch.ts'

const heartbeatEvery = 12 * second
/** How often, in real time, a stream checks for new events. The practice clock cannot be used for this, because it may jump at any moment. */
const lookEveryMs = 25

export interface Stream {
  handle(ask: Ask, key: KeyRow): Reply
  /** The stream’s current sequence for a wallet. `null` while the stream is disabled. */
  sequenceOf(wallet: Address): number | null
}

/** Handles `GET /stream`. The stream is disabled, as on the public service, unless `faults.stream` is set. */
export function createStream(parts: FeedParts): Stream {
  const { clock, faults, marks, summaries, candles } = parts
  const feeds = new Map<Address, Feed>()
  const feedOf = (wallet: Address): Feed => {
    const feed = feeds.get(wallet) ?? createFeed(parts, wallet)
    feeds.set(wallet, feed)
    feed.advance()
    return feed
  }

  /**
   * Adds the requested market's summary and latest candle to the newest market snapshot only. Summary and candle contain current values, which would
   * be wrong in an older snapshot.
   */
  const detailed =
    (market: Market | null, interval: string) =>
    (event: StreamEvent): StreamEvent => {
      if (market === null || event.event !== 'market_snapshot' || at(event.data) !== marks.atMs()) return event
      const [candle = null] = candles.own(market, interval, 1).candles
      return { ...event, data: { ...(event.data as object), pair_id: market.id, summary: summaries.summary(market), interval, candle } }
    }

  const follow =
    (key: KeyRow, lastEventId: string | undefined, detail: (event: StreamEvent) => StreamEvent): StreamReply['start'] =>
    (wire) => {
      const writer = writerFor(wire, faults)
      const feed = feedOf(key.wallet)
      const resumes = lastEventId !== undefined && feed.reaches(lastEventId)
      let sent = resumes ? Number(lastEventId) : feed.last()
      if (!resumes) for (const event of feed.snapshots(lastEventId !== undefined)) writer.write(detail(event))
      let nextBeat = clock.monotonic() + heartbeatEvery
      const look = () => {
        if (faults.stream === null || key.revokedAtMs !== null || clock.now() >= key.expiresAtMs) return wire.end()
        feed.advance()
        for (const event of feed.after(sent)) writer.write(detail(event))
        sent = feed.last()
        if (clock.monotonic() < nextBeat) return
        nextBeat = clock.monotonic() + heartbeatEvery
        writer.beat({ id: String(sent), event: 'heartbeat', data: { sequence: sent, at_ms: clock.now() } })
      }
      look()
      const timer = setInterval(look, lookEveryMs).unref()
      return () => clearInterval(timer)
    }

  return {
    sequenceOf: (wallet) => (faults.stream === null ? null : feedOf(wallet).last()),
    handle: (ask, key) => {
      if (faults.stream === null) return refuse(503, 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED', 'The stream is disabled', {}, { 'Retry-After': '5' })
      const pairId = ask.query.get('pair_id')
      const market = marketOfText(pairId)
      if (pairId !== null && market === null) return invalid('pair_id', 'must be the id of a market')
      const interval = ask.query.get('interval') ?? '1m'
      if (!intervals.includes(interval)) return invalid('interval', `must be one of ${intervals.join(', ')}`)
      const lastEventId = ask.headers['last-event-id']
      return { kind: 'stream', status: 200, start: follow(key, typeof lastEventId === 'string' ? lastEventId : undefined, detailed(market, interval)) }
    },
  }
}

const at = (data: unknown): unknown => (typeof data === 'object' && data !== null && 'at_ms' in data ? data.at_ms : null)

/** Returns a function that writes events to one stream and applies the simulated faults: silence, loss, duplicates, disconnection. */
function writerFor(wire: Parameters<StreamReply['start']>[0], faults: Pick<Faults, 'stream'>) {
  let sent = 0
  let isCut = false
  let held: string | null = null
  const put = (text: string) => {
    if (isCut || faults.stream?.silent === 'everything' || isLost(faults)) return
    wire.write(text)
    if (faults.stream?.duplicate === true) wire.write(text)
    sent += 1
    isCut = sent >= (faults.stream?.cutAfter ?? Number.POSITIVE_INFINITY)
    if (isCut) wire.cut()
  }
  return {
    write: (event: StreamEvent) => {
      const text = written(event)
      if (held !== null) {
        put(text)
        put(held)
        held = null
      } else if (faults.stream?.reorder === true) held = text
      else put(text)
    },
    beat: (event: StreamEvent) => {
      if (!isCut && faults.stream?.silent === undefined) wire.write(written(event))
    },
  }
}

function isLost({ stream }: Pick<Faults, 'stream'>): boolean {
  const left = stream?.lose ?? 0
  if (stream === null || left === 0) return false
  stream.lose = left - 1
  return true
}

const written = ({ id, event, data }: StreamEvent): string => `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`

interface FeedParts {
  readonly store: Store
  readonly ledger: Ledger
  readonly marks: Marks
  readonly summaries: Summaries
  readonly candles: Candles
  readonly clock: Clock
  readonly faults: Pick<Faults, 'stream'>
}

/** One event of a stream. To resume, a client sends the last `id` that it received; the `sequence` in `/snapshot` is also such an id. */
interface StreamEvent {
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

/** The events of one wallet, numbered without gaps. The exchange keeps the latest events for clients that reconnect. */
interface Feed {
  advance(): void
  /** The number of the newest event. */
  last(): number
  after(count: number): readonly StreamEvent[]
  /** True if the exchange still keeps all events after this id, so that a client can resume from it. */
  reaches(id: string): boolean
  /** Returns snapshot events, which contain the complete current state. Their id is the number of the newest event. */
  snapshots(isReset: boolean): readonly StreamEvent[]
}

const keptEvents = 500
const marketEvery = 2 * second
/** Minimum time between two account events if only the mark price has changed between them. */
const accountEvery = 6 * second

function createFeed({ store, ledger, marks, summaries, clock, faults }: FeedParts, wallet: Address): Feed {
  const rows = createRowWatch({ store, ledger, clock }, wallet)
  const marketSnapshot = () => ({ sequence: count, at_ms: marks.atMs(), markets: catalogue.map(summaries.mark) })
  const account = () => {
    const standings = accountStatus(ledger.book(wallet), marks)
    return { account: accountOf(wallet, standings), positions: positionsOf(standings) }
  }
  let kept: StreamEvent[] = []
  // Start with a number above the numbers of all earlier runs. If a client resumes with an id from an earlier run, that id is then recognised as too
  // old.
  let count = Math.floor(clock.now() / second) * 1_000
  let marketAtMs = marks.atMs()
  let accountAtMs = marks.atMs()
  let toldAccount = JSON.stringify(account())

  const add = (event: string, dataOf: () => unknown) => {
    count += 1
    kept.push({ id: String(count), event, data: dataOf() })
    const room = faults.stream?.buffer ?? keptEvents
    if (kept.length > room) kept = kept.slice(-room)
  }

  const tellRows = (): boolean => {
    const { hasChanged, events } = rows.look()
    for (const event of events) add(event.type, () => event)
    return hasChanged
  }

  const tellAccount = (isDue: boolean) => {
    if (!isDue && marks.atMs() - accountAtMs < accountEvery) return
    accountAtMs = marks.atMs()
    const now = account()
    const text = JSON.stringify(now)
    if (text !== toldAccount) add('account_snapshot', () => ({ sequence: count, ...now }))
    toldAccount = text
  }

  return {
    advance: () => {
      tellAccount(tellRows())
      if (marks.atMs() - marketAtMs < marketEvery) return
      marketAtMs = marks.atMs()
      add('market_snapshot', marketSnapshot)
    },
    last: () => count,
    after: (number) => kept.slice(Math.max(0, kept.length - (count - number))),
    reaches: (id) => /^\d{1,15}$/.test(id) && Number(id) <= count && Number(id) >= count - kept.length,
    snapshots: (isReset) => {
      const marked = (data: object) => (isReset ? { reset: true, ...data } : data)
      return [
        { id: null, event: 'market_snapshot', data: marked(marketSnapshot()) },
        { id: String(count), event: 'account_snapshot', data: marked({ sequence: count, ...account() }) },
      ]
    },
  }
}
