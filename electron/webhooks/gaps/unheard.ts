import { second } from '../../../shared/time.ts'
import type { ExpectedEvent } from './expected.ts'

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

export interface Unheard {
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

export const notJudged = (why: WhyNot): Unheard => ({ result: 'unjudged', why, dueMs: null })

/** Gives what to say of an expected event that was not captured. */
export function createUnheard({ nowMs, subscribedMs, keptFromMs, eventsUnknown, isDisabled, ...given }: Listened) {
  const listened = merged(given.listened)
  const heardAll = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs <= fromMs && toMs <= span.toMs)
  const heardAny = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs < toMs && fromMs < span.toMs)

  return ({ fromMs, toMs, doubt }: Pick<ExpectedEvent, 'fromMs' | 'toMs' | 'doubt'>): Unheard => {
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
