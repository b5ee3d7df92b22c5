import { hour, second } from '../../../shared/time.ts'
import type { ExpectedEvent } from './expected.ts'
import type { Found, FoundBy } from './match.ts'

/** A captured event that a former reading of the history explained, and whose row is not there any more: a reorganisation took it back. */
export interface Gone {
  readonly eventId: string
  /** What it told of. */
  readonly expected: ExpectedEvent
  /** When the last reading that had it began, and when the first that had it not had ended, Unix ms. */
  readonly fromMs: number
  readonly toMs: number
}

export interface Look {
  /** Whose history it is, and by which route: another one has other rows. */
  readonly of: string
  readonly expected: readonly ExpectedEvent[]
  /** By the place of an expected event, as `matchEvents` gives it. */
  readonly found: ReadonlyMap<number, Found>
  /** Ids of all that are captured. */
  readonly captured: ReadonlySet<string>
  /** The history was read back to here, and when that began and had ended. */
  readonly sinceMs: number
  readonly askedMs: number
  readonly readMs: number
}

/** What the history explained from one reading to the next, whoever traded. In memory. */
export interface Standing {
  /** Keeps in mind what this reading explains, and gives what a former one did and this one does not. */
  look(look: Look): readonly Gone[]
}

/** A position's id is shared by much, and a count says nothing of which. */
const names: readonly FoundBy[] = ['transaction', 'trade', 'intent', 'order']

/**
 * Base's blocks are final with Ethereum's, a quarter of an hour or so later. What was older than this when it was last there went for another
 * reason: the service keeps so much and no more, for example.
 */
const deepestMs = hour

/** That an order is filled may turn out later: it is the same trade. */
const slotOf = ({ key }: ExpectedEvent): string => key.replace(/^order\.partially_filled\//, 'order.filled/')

interface Stood {
  readonly expected: ExpectedEvent
  readonly fromMs: number
  /** null: it stands. */
  readonly goneMs: number | null
}

export function createStanding(): Standing {
  const stood = new Map<string, Stood>()
  let whose: string | null = null

  return {
    look: ({ of, expected, found, captured, sinceMs, askedMs, readMs }) => {
      if (whose !== of) stood.clear()
      whose = of
      for (const id of stood.keys()) if (!captured.has(id)) stood.delete(id)
      const slots = new Set(expected.map(slotOf))
      const held = new Set<string>()
      for (const [place, { eventId, by }] of found) {
        held.add(eventId)
        const one = expected[place]
        // What the journal alone tells has its own timeline.
        if (one !== undefined && one.seenMs === undefined && names.includes(by)) stood.set(eventId, { expected: one, fromMs: askedMs, goneMs: null })
      }
      return [...stood].flatMap(([eventId, before]): Gone[] => {
        const { expected: told, fromMs } = before
        const couldGo = told.fromMs >= sinceMs && fromMs - told.toMs <= deepestMs
        const isGone = couldGo && !held.has(eventId) && !slots.has(slotOf(told))
        const goneMs = isGone ? (before.goneMs ?? readMs) : null
        if (goneMs !== before.goneMs) stood.set(eventId, { ...before, goneMs })
        return goneMs === null ? [] : [{ eventId, expected: told, fromMs, toMs: Math.max(fromMs, goneMs) }]
      })
    },
  }
}

/** Delivery rules 5 and 6: four attempts of up to 4 s, with 2, 4 and 8 s between them. */
const attemptsMs = (4 * 4 + 2 + 4 + 8) * second
/** What the service is given to index a change before it sends an event. The document says no number. */
const indexingMs = 30 * second
/** An event that did not arrive so long after it happened was missed. */
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
  /** When somebody listened, up to now. */
  readonly listened: readonly Span[]
  readonly nowMs: number
  /** Nothing is sent of what happened before; null: not told. */
  readonly subscribedMs: number | null
  /** What was captured before may have made room for later ones; null: nothing did. */
  readonly keptFromMs: number | null
  /** The service does not say which events the subscription has. */
  readonly eventsUnknown: boolean
  /** The service does not say since when it sends nothing any more. */
  readonly isDisabled: boolean
}

export interface NotReceived {
  readonly result: 'missing' | 'due' | 'unjudged'
  readonly why: WhyNot | null
  /** Until when it may still come; null: it is not due. */
  readonly dueMs: number | null
}

/** One after the other, those that touch as one. */
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

/** Gives what to say of an expected event that was not captured. */
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
