import type { QueryName } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Result } from '../../../shared/result.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import type { ApiClient, KeyCredential, StreamRequest } from '../transport/api-client.ts'
import type { OpenStream, StreamListener } from '../transport/stream-transport.ts'
import { createEventTrack, effectsOf, streamed } from './event-track.ts'
import { createSseParser, type SseEvent, SseOverflow } from './sse-parser.ts'

export interface LiveStreamParts {
  readonly open: ApiClient['openStream']
  /** The connected wallet; null: none. */
  readonly wallet: () => string | null
  /** Its key for `account:read`. */
  readonly credential: (wallet: string) => Promise<Result<KeyCredential, Failure>>
  /** Reads `/snapshot` now, for its sequence; null: it cannot be read, or has none. */
  readonly sequence: (wallet: string) => Promise<string | null>
  /** The id of a market to name where the stream must have one; null: none is known. */
  readonly market: (wallet: string) => Promise<number | null>
  /** Told which reads are old now. */
  readonly onOld: (queries: readonly QueryName[]) => void
  readonly clock: Clock
}

export interface StreamState {
  /** off: no key that may read the account. polling: the service has no stream now, or it fell silent. */
  readonly state: 'off' | 'polling' | 'live'
  /** Unix ms, of the state. */
  readonly sinceMs: number
  /** When the stream is asked for again, Unix ms; null while it is live or off. */
  readonly nextTryAtMs: number | null
  readonly lastEventAtMs: number | null
}

export interface LiveStream {
  state(): StreamState
  /** To be called once a second: watches the heartbeat, probes when it is time, makes old what came. */
  tick(): Promise<void>
  /** After the computer slept: what was open is taken for dead. */
  again(): void
  stop(): void
}

/** The stream sends one every 12 s (ACC-04); after two and a half without a byte it is dead. */
const silenceMs = 30 * second
/** Probed rarely: from what `Retry-After` asks, 5 s at the least, twice as long each time. */
const firstProbeMs = 5 * second
const longestProbeMs = 10 * minute
/** Events overtake each other by less than this; a gap that lasts longer leads to a new snapshot. */
const gapMs = 2 * second
/** What moves all the time is read again so often at most. */
const soonMs = 2 * second

/**
 * The account's own stream, where the service has one. It carries no state of its own: what it tells makes reads old, so the views show what
 * the versioned reads answer, sooner. Where it begins, goes on after a cut, or misses something, the snapshot is read for its sequence and
 * everything once after it: the events up to that sequence are in it and are dropped, the next one must follow it without a gap. While
 * there is no stream, the views poll as ever.
 */
export function createLiveStream({ open, wallet, credential, sequence, market, onOld, clock }: LiveStreamParts): LiveStream {
  let state: StreamState['state'] = 'off'
  let sinceMs = clock.now()
  let line: { readonly wallet: string; readonly stream: OpenStream } | null = null
  let busy = false
  let stopped = false
  let tries = 0
  let nextTry = Number.NEGATIVE_INFINITY
  /** What the service asked for holds for every wallet. */
  let notBefore = Number.NEGATIVE_INFINITY
  let heard = 0
  let spoke = false
  let lastEventAtMs: number | null = null
  let gapSince: number | null = null
  /** Since when events are dropped for a snapshot whose own event has not come. */
  let doubtSince: number | null = null
  /** wanted, or being read: what comes meanwhile is in the reads after it. */
  let snapshot: 'read' | 'wanted' | 'reading' = 'read'
  let track = createEventTrack()
  let whoseBefore: string | null = null
  /** Named to a service that refuses a stream of all markets: the account's events are what counts. */
  let named: StreamRequest['market'] = null
  const old = new Set<QueryName>()
  const soonOld = new Set<QueryName>()
  let soonAt = Number.NEGATIVE_INFINITY

  const become = (next: StreamState['state']) => {
    if (state === next) return
    state = next
    sinceMs = clock.now()
  }
  const forget = () => {
    track = createEventTrack()
    gapSince = null
    doubtSince = null
    soonOld.clear()
  }
  const makeOld = (queries: readonly QueryName[]) => {
    for (const query of queries) old.add(query)
  }
  const flush = () => {
    if (old.size === 0) return
    const queries = [...old]
    old.clear()
    onOld(queries)
  }

  /** After `waitMs`, or sooner where it has just been alive: a cut line is no reason to wait. */
  const fallBack = (waitMs: number | null) => {
    line = null
    snapshot = 'read'
    if (state === 'live') makeOld(streamed)
    become('polling')
    if (waitMs === null) nextTry = clock.monotonic()
    else {
      notBefore = clock.monotonic() + waitMs
      nextTry = Math.max(notBefore, clock.monotonic() + Math.min(longestProbeMs, Math.max(firstProbeMs, waitMs) * 2 ** tries))
      tries += 1
    }
  }

  const take = (event: SseEvent) => {
    lastEventAtMs = clock.now()
    const { queries, when } = effectsOf(event)
    if (when === 'anew') {
      forget()
      snapshot = 'wanted'
    }
    const came = when === 'beat' ? beat(event.id) : event.id === null ? 'plain' : track.take(event.id)
    gapSince = track.hasGap() ? (gapSince ?? clock.monotonic()) : null
    doubtSince = track.behind() ? (doubtSince ?? (came === 'covered' ? clock.monotonic() : null)) : null
    if (came === 'known' || came === 'covered') return
    if (came === 'another') snapshot = 'wanted'
    if (snapshot !== 'read') return
    // Reading again is the same in whatever order it is asked for, so nothing waits for an event that is late.
    if (when === 'soon') for (const query of queries) soonOld.add(query)
    else makeOld(when === 'beat' ? streamed : queries)
  }

  /** What it names may be an event that was lost: it is as if that had come, and nobody knows what it was. */
  const beat = (id: string | null) => (id !== null && track.beat(id) ? 'new' : 'known')

  const settle = async (whose: string) => {
    const [own, asked] = [line, { track, newest: track.newest() }]
    snapshot = 'reading'
    const read = await sequence(whose)
    // Cut meanwhile, or its numbers began again: there is another snapshot to read.
    if (line !== own || track !== asked.track || snapshotWanted()) return
    snapshot = 'read'
    track.settle(read, asked.newest)
    gapSince = track.hasGap() ? clock.monotonic() : null
    doubtSince = null
    makeOld(streamed)
  }
  const snapshotWanted = () => snapshot === 'wanted'

  const readMoved = (now: number) => {
    if (now - soonAt < soonMs) return
    soonAt = now
    makeOld([...soonOld])
    soonOld.clear()
  }

  const connect = async (wallet: string) => {
    const key = await credential(wallet)
    if (!key.ok) {
      become('off')
      nextTry = clock.monotonic() + firstProbeMs
      return
    }
    const parser = createSseParser()
    const own: { stream: OpenStream | null; ended: boolean } = { stream: null, ended: false }
    spoke = false
    snapshot = 'wanted'
    const listener: StreamListener = {
      onChunk: (chunk) => {
        if (own.ended) return
        heard = clock.monotonic()
        spoke = true
        try {
          for (const event of parser.push(chunk)) take(event)
        } catch (error) {
          if (!(error instanceof SseOverflow)) throw error
          own.ended = true
          own.stream?.close()
          forget()
          fallBack(firstProbeMs)
        }
        flush()
      },
      onEnd: () => {
        if (own.ended) return
        own.ended = true
        // A line that lived is asked for again at once.
        fallBack(clock.now() - sinceMs > silenceMs ? null : firstProbeMs)
        flush()
      },
    }
    const ask = () => open({ credential: key.value, lastEventId: track.resumeAfter(), market: named }, listener)
    let answer = await ask()
    if (!answer.ok && named === null && wantsMarket(answer.failure.failure)) {
      const pairId = await market(wallet)
      named = pairId === null ? null : { pairId, interval: '1m' }
      if (named !== null) answer = await ask()
      if (!answer.ok) named = null
    }
    if (!answer.ok) return fallBack(answer.failure.retryAfterMs ?? firstProbeMs)
    if (stopped || own.ended) return answer.value.close()
    own.stream = answer.value
    line = { wallet, stream: answer.value }
    heard = clock.monotonic()
    become('live')
    // Opened first, read afterwards: what happens between the two is in one of them.
    await settle(wallet)
  }

  const leave = () => {
    line?.stream.close()
    line = null
  }

  const turn = async () => {
    const whose = wallet()
    if (whose !== (line?.wallet ?? whoseBefore)) {
      // Nothing of the wallet before counts for this one.
      leave()
      forget()
      become('off')
      tries = 0
      nextTry = notBefore
    }
    whoseBefore = whose
    if (whose === null) return
    const now = clock.monotonic()
    if (line !== null && now - heard > silenceMs) {
      leave()
      fallBack(spoke ? null : firstProbeMs)
    }
    // Alive for a while: the next cut is a first one again.
    if (line !== null && spoke && clock.now() - sinceMs > silenceMs) tries = 0
    if (doubtSince !== null && now - doubtSince >= gapMs) {
      // The snapshot counts something else, or its own event was lost: what was dropped for it is in what is read now.
      doubtSince = null
      track.closeGap()
      makeOld(streamed)
    }
    if (gapSince !== null && now - gapSince >= gapMs) snapshot = 'wanted'
    readMoved(now)
    if (line !== null && snapshot === 'wanted') await settle(whose)
    if (line === null && now >= nextTry) await connect(whose)
  }

  return {
    state: () => ({
      state,
      sinceMs,
      nextTryAtMs: state === 'polling' && Number.isFinite(nextTry) ? clock.now() + Math.max(0, nextTry - clock.monotonic()) : null,
      lastEventAtMs,
    }),
    tick: async () => {
      if (busy || stopped) return
      busy = true
      try {
        await turn()
      } finally {
        busy = false
        flush()
      }
    },
    again: () => {
      if (line === null) return
      leave()
      fallBack(null)
      flush()
    },
    stop: () => {
      stopped = true
      leave()
    },
  }
}

/** Refused for what the request said, which was nothing but what may be left out. */
const wantsMarket = (failure: Failure): boolean => failure.kind === 'refused' && (failure.status === 400 || failure.status === 422)
