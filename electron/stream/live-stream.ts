import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'
import { type Clock, minute, second } from '../../shared/time.ts'
import type { ApiClient, KeyCredential } from '../api/api-client.ts'
import type { OpenStream } from '../api/stream-transport.ts'
import { effectsOf, streamed } from './effects.ts'
import { createSequencer } from './sequencer.ts'
import { createSseParser, type SseEvent, SseOverflow } from './sse-parser.ts'

export interface LiveStreamParts {
  readonly open: ApiClient['openStream']
  /** The connected wallet; null: none. */
  readonly wallet: () => string | null
  /** Its key for `account:read`, and the sequence of `/snapshot`, read with that key. */
  readonly credential: (wallet: string) => Promise<Result<KeyCredential, Failure>>
  readonly snapshot: (credential: KeyCredential) => Promise<Result<{ readonly sequence: string | null }, Failure>>
  /** Told which reads are old now. */
  readonly onOld: (queries: readonly string[]) => void
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
/** Events overtake each other by less than this; a gap that lasts longer needs a snapshot. */
const gapMs = 2 * second
const rememberedIds = 256

const sequenceOf = (id: string | null): number | null => (id !== null && /^\d{1,15}$/.test(id) ? Number(id) : null)

/**
 * The account's own stream, where the service has one. It carries no state of its own: what it tells makes reads old, so the views show what
 * the versioned reads answer, sooner. It is therefore never trusted to be whole: whenever it begins, ends, or misses something, all of them
 * are old once. While there is none, the views poll as ever.
 */
export function createLiveStream({ open, wallet, credential, snapshot, onOld, clock }: LiveStreamParts): LiveStream {
  let state: StreamState['state'] = 'off'
  let sinceMs = clock.now()
  let line: { readonly wallet: string; readonly key: KeyCredential; readonly stream: OpenStream } | null = null
  let busy = false
  let stopped = false
  let tries = 0
  let nextTry = Number.NEGATIVE_INFINITY
  let heard = 0
  let spoke = false
  /** The newest sequence that the service was heard to have. */
  let owed = 0
  let lastEventId: string | null = null
  let lastEventAtMs: number | null = null
  let gapSince: number | null = null
  let sequencer = createSequencer<SseEvent>()
  let seen = new Set<string>()
  let whoseBefore: string | null = null
  const old = new Set<string>()

  const become = (next: StreamState['state']) => {
    if (state === next) return
    state = next
    sinceMs = clock.now()
  }
  const forget = () => {
    lastEventId = null
    sequencer = createSequencer()
    seen = new Set()
    gapSince = null
    owed = 0
  }
  const makeOld = (queries: readonly string[]) => {
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
    if (state === 'live') makeOld(streamed)
    become('polling')
    if (waitMs === null) nextTry = clock.monotonic()
    else {
      nextTry = clock.monotonic() + Math.min(longestProbeMs, Math.max(firstProbeMs, waitMs) * 2 ** tries)
      tries += 1
    }
  }

  const watchGap = () => {
    gapSince = sequencer.hasGap() || owed > (sequencer.reached() ?? 0) ? (gapSince ?? clock.monotonic()) : null
  }

  const act = (events: readonly SseEvent[]) => {
    for (const event of events) makeOld(effectsOf(event.type))
    const reached = sequencer.reached()
    // Resumed from what was acted on, not from what came: what waits may be sent again.
    if (reached !== null) lastEventId = String(reached)
    watchGap()
  }

  const take = (event: SseEvent) => {
    lastEventAtMs = clock.now()
    const effects = effectsOf(event.type)
    const sequence = sequenceOf(event.id)
    if (sequence === null) {
      if (event.id !== null && seen.has(event.id)) return
      if (event.id !== null) {
        seen = new Set([...seen, event.id].slice(-rememberedIds))
        lastEventId = event.id
      }
      makeOld(effects)
    } else if (effects.length === 0) {
      // A heartbeat tells how far the service is, and stands for no event.
      owed = Math.max(owed, sequence)
      watchGap()
    } else act(sequencer.take(sequence, event))
  }

  const reconcile = async (key: KeyCredential) => {
    const answer = await snapshot(key)
    if (!answer.ok) {
      gapSince = clock.monotonic()
      return
    }
    makeOld(streamed)
    owed = 0
    gapSince = null
    act(sequencer.snapshot(sequenceOf(answer.value.sequence)))
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
    const answer = await open(
      { credential: key.value, lastEventId },
      {
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
      },
    )
    if (!answer.ok) return fallBack(answer.failure.retryAfterMs ?? firstProbeMs)
    if (stopped || own.ended) return answer.value.close()
    own.stream = answer.value
    line = { wallet, key: key.value, stream: answer.value }
    heard = clock.monotonic()
    become('live')
    // Opened first, read afterwards: what happens between the two is in one of them.
    if (sequencer.reached() === null) await reconcile(key.value)
    else makeOld(streamed)
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
      nextTry = Number.NEGATIVE_INFINITY
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
    if (line !== null && gapSince !== null && now - gapSince >= gapMs) await reconcile(line.key)
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
