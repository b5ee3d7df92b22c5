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
  readonly wallet: () => string | null
  /** Returns a key of the wallet that has the scope `account:read`. */
  readonly credential: (wallet: string) => Promise<Result<KeyCredential, Failure>>
  /** Reads `/snapshot` and returns its sequence; `null` if the snapshot has no sequence or cannot be read. */
  readonly sequence: (wallet: string) => Promise<string | null>
  /** Returns the id of any market, for services whose stream requires one; `null` if no market is known. */
  readonly market: (wallet: string) => Promise<number | null>
  /** Called with the queries whose results are now outdated. */
  readonly onOld: (queries: readonly QueryName[]) => void
  readonly clock: Clock
}

export interface StreamState {
  /**
   * `off`: no key of the wallet may read the account. `polling`: the service offers no stream at present, or the stream has become silent. `live`:
   * the stream is open.
   */
  readonly state: 'off' | 'polling' | 'live'
  readonly sinceMs: number
  /** The time (Unix ms) of the next attempt to open the stream; `null` if the state is `live` or `off`. */
  readonly nextTryAtMs: number | null
  readonly lastEventAtMs: number | null
}

export interface LiveStream {
  state(): StreamState
  /** Call once a second. Checks whether the stream has become silent, opens the stream when an attempt is due, and reports outdated queries. */
  tick(): Promise<void>
  /** Call after the computer has slept. The app then treats an open stream as dead and opens it again. */
  again(): void
  stop(): void
}

/** A stream counts as dead if no byte arrives for this time: two and a half heartbeats, which come every 12 s (ACC-04). */
const silenceMs = 30 * second
/** Wait before the second attempt to open the stream. Each failure doubles the wait, and `Retry-After` may require a longer one. */
const firstProbeMs = 5 * second
const longestProbeMs = 10 * minute
/** How long to wait for a missing event, because events may arrive out of order. After this time, the app takes a new snapshot. */
const gapMs = 2 * second
const soonMs = 2 * second

/**
 * The private stream of the account, if the service offers one. The app takes no account data from the stream. An event only marks queries as
 * outdated, so that views read the versioned routes sooner.
 * When the stream starts, resumes after a cut or misses an event, the app reads the snapshot's sequence and then all data. It ignores events up to
 * that sequence; the next event must follow without a gap.
 * Without a stream, the views poll as usual.
 */
export function createLiveStream({ open, wallet, credential, sequence, market, onOld, clock }: LiveStreamParts): LiveStream {
  let state: StreamState['state'] = 'off'
  let sinceMs = clock.now()
  let line: { readonly wallet: string; readonly stream: OpenStream } | null = null
  let busy = false
  let stopped = false
  let tries = 0
  let nextTry = Number.NEGATIVE_INFINITY
  /** The app must not try to open a stream before this time, for any wallet, because the service asked it to wait. */
  let notBefore = Number.NEGATIVE_INFINITY
  let heard = 0
  let spoke = false
  let lastEventAtMs: number | null = null
  let gapSince: number | null = null
  /**
   * The time since which the app has ignored events because the snapshot covers them, although the snapshot's newest event has not arrived. If that
   * event does not arrive soon, the snapshot probably numbers events differently. `null` if there is no such doubt.
   */
  let doubtSince: number | null = null
  /** State of the snapshot. While it is `wanted` or `reading`, an event causes no read, because the app reads all data after the snapshot anyway. */
  let snapshot: 'read' | 'wanted' | 'reading' = 'read'
  let track = createEventTrack()
  let whoseBefore: string | null = null
  /**
   * The market to name in the request if the service refuses a stream of all markets. Any market will do, because the app mainly needs the events of
   * the account.
   */
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

  /**
   * Switches to polling, and tries to open the stream again after `waitMs`. With `null`, tries at once, because the connection worked until a moment
   * ago.
   */
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
    if (when === 'restarted') {
      forget()
      snapshot = 'wanted'
    }
    const came = when === 'beat' ? beat(event.id) : event.id === null ? 'plain' : track.take(event.id)
    gapSince = track.hasGap() ? (gapSince ?? clock.monotonic()) : null
    doubtSince = track.behind() ? (doubtSince ?? (came === 'covered' ? clock.monotonic() : null)) : null
    if (came === 'known' || came === 'covered') return
    if (came === 'another') snapshot = 'wanted'
    if (snapshot !== 'read') return
    // An event only causes a read, so the order of events does not matter, and no event waits for an earlier event that is late.
    if (when === 'soon') for (const query of queries) soonOld.add(query)
    else makeOld(when === 'beat' ? streamed : queries)
  }

  /** Handles a heartbeat. Returns `new` if the heartbeat names an event that was lost, so that the caller handles that event. */
  const beat = (id: string | null) => (id !== null && track.beat(id) ? 'new' : 'known')

  const settle = async (whose: string) => {
    const [own, asked] = [line, { track, newest: track.newest() }]
    snapshot = 'reading'
    const read = await sequence(whose)
    // During the read of the snapshot, the stream was cut or restarted its numbers. The app needs another snapshot.
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
        // If the connection worked for a while before it ended, open it again at once. Otherwise, wait.
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
    // The stream is open before the app reads the data. An event that happens in between is therefore in the stream or in the data.
    await settle(wallet)
  }

  const leave = () => {
    line?.stream.close()
    line = null
  }

  const turn = async () => {
    const whose = wallet()
    if (whose !== (line?.wallet ?? whoseBefore)) {
      // The wallet has changed, so drop the state of the previous wallet.
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
    // The stream has worked for a while, so the next failure counts as the first one.
    if (line !== null && spoke && clock.now() - sinceMs > silenceMs) tries = 0
    if (doubtSince !== null && now - doubtSince >= gapMs) {
      // Either the snapshot numbers events differently, or its newest event was lost. In both cases, read all data again, which shows the effects of
      // the ignored events.
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

/** True if the service refused a stream of all markets. It may require a market, so the app then names one. */
const wantsMarket = (failure: Failure): boolean => failure.kind === 'refused' && (failure.status === 400 || failure.status === 422)
