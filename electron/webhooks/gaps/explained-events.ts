import { hour, second } from '../../../shared/time.ts'
import type { ExpectedEvent } from './expected.ts'
import type { Found, FoundBy } from './match.ts'

/** A captured event that a reorganisation undid: an earlier reading of the history contained the event's row, and a later one does not. */
export interface Gone {
  readonly eventId: string
  /** The expected event that the captured event was matched to. */
  readonly expected: ExpectedEvent
  /** Unix ms: when the last reading of the history with the event's row started, and when the first reading without the row ended. */
  readonly fromMs: number
  readonly toMs: number
}

export interface Look {
  /** The wallet whose history was read, and the route from which the app read it. Rows of different wallets or routes cannot be compared. */
  readonly of: string
  readonly expected: readonly ExpectedEvent[]
  /** Matches keyed by the expected event's index, as `matchEvents` returns them. */
  readonly found: ReadonlyMap<number, Found>
  readonly captured: ReadonlySet<string>
  /** In Unix ms: how far back the app read the history, and when the reading started and ended. */
  readonly sinceMs: number
  readonly askedMs: number
  readonly readMs: number
}

/** Remembers in memory which captured events the history explained in earlier readings, no matter which client traded. */
export interface ExplainedEvents {
  /** Records which events this reading of the history explains. Returns the events that earlier readings explained and this reading does not. */
  look(look: Look): readonly Gone[]
}

/** The kinds of match that identify exactly one event. `position` is left out, because many events share a position id, and so is `count`. */
const names: readonly FoundBy[] = ['transaction', 'trade', 'intent', 'order']

/**
 * A reorganisation can only undo blocks that aren't final. Base blocks are final after about 15 minutes. So a row that was older than this when last
 * seen disappeared for another reason, for example because the service limits its history.
 */
const deepestMs = hour

/**
 * The expected event's key, which is the same for a partial and a complete fill. The app may first take a fill for a partial one and later find that
 * it completed the order. It is still the same trade.
 */
const slotOf = ({ key }: ExpectedEvent): string => key.replace(/^order\.partially_filled\//, 'order.filled/')

interface Explained {
  readonly expected: ExpectedEvent
  readonly fromMs: number
  /** When a reading of the history first lacked the event's row, as Unix ms; `null` while the row is still there. */
  readonly goneMs: number | null
}

export function createExplainedEvents(): ExplainedEvents {
  const stood = new Map<string, Explained>()
  let whose: string | null = null

  return {
    look: ({ of, expected, found, captured, sinceMs, askedMs, readMs }) => {
      if (whose !== of) stood.clear()
      whose = of
      for (const id of stood.keys()) if (!captured.has(id)) stood.delete(id)
      const slots = new Set(expected.map(slotOf))
      const explained = new Set<string>()
      for (const [place, { eventId, by }] of found) {
        explained.add(eventId)
        const one = expected[place]
        // Skip events that the app knows only from its journal: the timelines of their intents already show reorganisations.
        if (one !== undefined && one.seenMs === undefined && names.includes(by)) stood.set(eventId, { expected: one, fromMs: askedMs, goneMs: null })
      }
      return [...stood].flatMap(([eventId, before]): Gone[] => {
        const { expected: event, fromMs } = before
        const couldGo = event.fromMs >= sinceMs && fromMs - event.toMs <= deepestMs
        const isGone = couldGo && !explained.has(eventId) && !slots.has(slotOf(event))
        const goneMs = isGone ? (before.goneMs ?? readMs) : null
        if (goneMs !== before.goneMs) stood.set(eventId, { ...before, goneMs })
        return goneMs === null ? [] : [{ eventId, expected: event, fromMs, toMs: Math.max(fromMs, goneMs) }]
      })
    },
  }
}

/** Time that the service's delivery attempts take: four attempts of up to 4 s with pauses of 2, 4 and 8 s (Delivery rules 5 and 6). */
const attemptsMs = (4 * 4 + 2 + 4 + 8) * second
/** Time allowed for the service to index a change before it sends an event. The exchange's documentation gives no number. */
const indexingMs = 30 * second
/** An event that has not arrived this long after it happened is missing. */
export const graceMs = attemptsMs + indexingMs

export interface Span {
  readonly fromMs: number
  readonly toMs: number
}

export type WhyNot =
  | 'not_listened'
  | 'time_unknown'
  | 'before_subscription'
  | 'not_reported'
  | 'elsewhere'
  | 'made_room'
  | 'events_not_said'
  | 'disabled'
  | 'taken_back'
  | 'never_delivered'
  | 'stands'

export interface Listened {
  /** The periods in which the lab listened, until now. */
  readonly listened: readonly Span[]
  readonly nowMs: number
  /** When the webhook's subscription started, Unix ms. The service sends no events from before. `null`: unknown. */
  readonly subscribedMs: number | null
  /**
   * The lab still keeps all events captured from this time on, as Unix ms. It may have dropped earlier events to make room. `null`: it dropped none.
   */
  readonly keptFromMs: number | null
  /** True if the service does not state which events the webhook subscribes to. */
  readonly eventsUnknown: boolean
  /** True if the webhook is disabled and the service does not state since when. */
  readonly isDisabled: boolean
}

export interface NotReceived {
  readonly result: 'missing' | 'due' | 'unjudged'
  readonly why: WhyNot | null
  /** Until when the event may still arrive, as Unix ms; `null` if the waiting time is over. */
  readonly dueMs: number | null
}

/** Sorts spans and joins those that touch. */
export function merged(spans: readonly Span[]): readonly Span[] {
  const joined: Span[] = []
  for (const span of [...spans].sort((a, b) => a.fromMs - b.fromMs)) {
    const last = joined.at(-1)
    if (last !== undefined && span.fromMs <= last.toMs) joined[joined.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, span.toMs) }
    else joined.push(span)
  }
  return joined
}

export const notJudged = (why: WhyNot): NotReceived => ({ result: 'unjudged', why, dueMs: null })

/** Returns a function that explains why an expected event was not captured. */
export function createNotReceived({ nowMs, subscribedMs, keptFromMs, eventsUnknown, isDisabled, ...given }: Listened) {
  const listened = merged(given.listened)
  const heardAll = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs <= fromMs && toMs <= span.toMs)
  const heardAny = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs < toMs && fromMs < span.toMs)

  return ({ fromMs, toMs, doubt }: Pick<ExpectedEvent, 'fromMs' | 'toMs' | 'doubt'>): NotReceived => {
    const untilMs = toMs + graceMs
    if (doubt !== null) return notJudged(doubt)
    if (isDisabled) return notJudged('disabled')
    if (eventsUnknown) return notJudged('events_not_said')
    if (subscribedMs !== null && fromMs < subscribedMs) return notJudged('before_subscription')
    if (keptFromMs !== null && fromMs < keptFromMs) return notJudged('made_room')
    if (untilMs > nowMs && heardAll(fromMs, nowMs)) return { result: 'due', why: null, dueMs: untilMs }
    if (heardAll(fromMs, untilMs)) return { result: 'missing', why: null, dueMs: null }
    return notJudged(fromMs < toMs && heardAny(fromMs, untilMs) ? 'time_unknown' : 'not_listened')
  }
}
