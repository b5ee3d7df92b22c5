import type { Address } from 'viem'
import { second } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { type Ask, invalid, type Reply, refuse, type StreamReply } from '../http/reply.ts'
import { intervals } from '../market/candles.ts'
import { type Market, marketOfText } from '../market/catalogue.ts'
import type { KeyRow } from '../state/state.ts'
import { createFeed, type Feed, type FeedParts, type StreamEvent } from './feed.ts'

/** Stream: heartbeat every 12 seconds. */
const heartbeatEvery = 12 * second
/** How soon a stream looks whether something has happened, in real time: the practice clock may be moved at any moment. */
const lookEveryMs = 25

export interface Stream {
  handle(ask: Ask, key: KeyRow): Reply
  /** How far the stream of a wallet is; null while there is none. */
  sequenceOf(wallet: Address): number | null
}

/** `GET /stream`: disabled as on the public service, unless the fault switchboard makes it live. */
export function createStream(parts: FeedParts): Stream {
  const { clock, faults, marks, summaries, candles } = parts
  const feeds = new Map<Address, Feed>()
  const feedOf = (wallet: Address): Feed => {
    const feed = feeds.get(wallet) ?? createFeed(parts, wallet)
    feeds.set(wallet, feed)
    feed.advance()
    return feed
  }

  /** A market snapshot says more of the market that was asked for; one of the past does not. */
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

/** Writes events as the faults want them written. */
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
