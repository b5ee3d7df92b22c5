import { second } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { type Ask, invalid, type Reply, refuse, type StreamReply } from '../http/reply.ts'
import { intervals } from '../market/candles.ts'
import { marketOfText } from '../market/catalogue.ts'
import type { KeyRow } from '../state/state.ts'
import { createFeed, type Feed, type FeedParts, type StreamEvent } from './feed.ts'

/** Stream: heartbeat every 12 seconds. */
const heartbeatEvery = 12 * second
/** How soon a stream looks whether something has happened, in real time: the practice clock may be moved at any moment. */
const lookEveryMs = 25

export interface Stream {
  handle(ask: Ask, key: KeyRow): Reply
}

/** `GET /stream`: disabled as on the public service, unless the fault switchboard makes it live. */
export function createStream(parts: FeedParts): Stream {
  const { clock, faults } = parts
  const feeds = new Map<string, Feed>()
  const feedFor = (key: string, make: () => Feed): Feed => {
    const feed = feeds.get(key) ?? make()
    feeds.set(key, feed)
    return feed
  }

  const follow =
    (feed: Feed, lastEventId: string | undefined, key: KeyRow): StreamReply['start'] =>
    (wire) => {
      const writer = writerFor(wire, faults)
      feed.advance()
      const resumed = lastEventId === undefined ? null : feed.numberOf(lastEventId)
      let sent = resumed ?? feed.last()
      if (resumed === null) for (const event of feed.snapshots(lastEventId !== undefined)) writer.write(event)
      let nextBeat = clock.monotonic() + heartbeatEvery
      const look = () => {
        if (faults.stream === null || key.revokedAtMs !== null || clock.now() >= key.expiresAtMs) return wire.end()
        feed.advance()
        for (const event of feed.after(sent)) writer.write(event)
        sent = feed.last()
        if (clock.monotonic() < nextBeat) return
        nextBeat = clock.monotonic() + heartbeatEvery
        writer.beat(clock.now())
      }
      look()
      const timer = setInterval(look, lookEveryMs).unref()
      return () => clearInterval(timer)
    }

  return {
    handle: (ask, key) => {
      if (faults.stream === null) return refuse(503, 'REALTIME_STREAM_ASYNC_WORKER_REQUIRED', 'The stream is disabled', {}, { 'Retry-After': '5' })
      const pairId = ask.query.get('pair_id')
      const market = marketOfText(pairId)
      if (pairId !== null && market === null) return invalid('pair_id', 'must be the id of a market')
      const interval = ask.query.get('interval') ?? '1m'
      if (!intervals.includes(interval)) return invalid('interval', `must be one of ${intervals.join(', ')}`)
      const { wallet } = key
      const feed = feedFor(`${wallet} ${pairId} ${interval}`, () => createFeed(parts, { wallet, market, interval }))
      const lastEventId = ask.headers['last-event-id']
      return { kind: 'stream', status: 200, start: follow(feed, typeof lastEventId === 'string' ? lastEventId : undefined, key) }
    },
  }
}

/** Writes events as the faults want them written. */
function writerFor(wire: Parameters<StreamReply['start']>[0], faults: Pick<Faults, 'stream'>) {
  let written = 0
  let isCut = false
  let held: string | null = null
  const put = (text: string) => {
    if (isCut || faults.stream?.silent === 'everything') return
    wire.write(text)
    if (faults.stream?.duplicate === true) wire.write(text)
    written += 1
    isCut = written >= (faults.stream?.cutAfter ?? Number.POSITIVE_INFINITY)
    if (isCut) wire.cut()
  }
  return {
    write: ({ id, event, data }: StreamEvent) => {
      const text = `id: ${id}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`
      if (held !== null) {
        put(text)
        put(held)
        held = null
      } else if (faults.stream?.reorder === true) held = text
      else put(text)
    },
    beat: (atMs: number) => {
      if (!isCut && faults.stream?.silent === undefined) wire.write(`event: heartbeat\ndata: ${JSON.stringify({ at_ms: atMs })}\n\n`)
    },
  }
}
