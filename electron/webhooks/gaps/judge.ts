import { second } from '../../../shared/time.ts'
import type { ExpectedEvent, SentEvent } from './expected.ts'
import { type FoundBy, matchEvents } from './match.ts'

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

export type WhyNot = 'not_listened' | 'time_unknown' | 'before_subscription' | 'not_reported' | 'elsewhere' | 'made_room' | 'events_not_said' | 'disabled'

export interface Judged {
  readonly expected: ExpectedEvent
  /** unjudged: `why` says what keeps it from being called missing. */
  readonly result: 'captured' | 'missing' | 'due' | 'unjudged'
  readonly why: WhyNot | null
  readonly by: FoundBy | null
  readonly eventId: string | null
  /** Of one that is not there any more: an event told it, and a correction took that back. */
  readonly revokedId: string | null
  /** Until when it may still come; null: it is not due. */
  readonly dueMs: number | null
}

export interface Captured extends SentEvent {
  /** A correction took it back: it does not count for how things ended. */
  readonly isRevoked: boolean
  /** Is a correction itself. */
  readonly isCorrection: boolean
}

export interface JudgeInput {
  readonly expected: readonly ExpectedEvent[]
  readonly captured: readonly Captured[]
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

/** What became of each expected event, and the captured ones that nothing of it explains. Corrections are in neither. */
export function judge(input: JudgeInput): { readonly rows: readonly Judged[]; readonly extra: readonly Captured[] } {
  const { expected, captured, nowMs, subscribedMs, keptFromMs, eventsUnknown, isDisabled } = input
  const listened = merged(input.listened)
  const counted = captured.filter(({ isRevoked, isCorrection }) => !isRevoked && !isCorrection)
  const found = matchEvents(expected, counted)
  const open = [...expected.entries()].filter(([place]) => !found.has(place))
  const revoked = matchEvents(
    open.map(([, one]) => one),
    captured.filter(({ isRevoked }) => isRevoked),
  )
  const revokedOf = new Map(open.map(([place], at) => [place, revoked.get(at)?.eventId ?? null]))

  const heardAll = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs <= fromMs && toMs <= span.toMs)
  const heardAny = (fromMs: number, toMs: number) => listened.some((span) => span.fromMs < toMs && fromMs < span.toMs)

  const unheard = (one: ExpectedEvent): Pick<Judged, 'result' | 'why'> & { readonly dueMs?: number } => {
    const { fromMs, toMs, doubt } = one
    const untilMs = toMs + graceMs
    const not = (why: WhyNot) => ({ result: 'unjudged', why }) as const
    if (doubt !== null) return not(doubt)
    if (isDisabled) return not('disabled')
    if (eventsUnknown) return not('events_not_said')
    if (subscribedMs !== null && fromMs < subscribedMs) return not('before_subscription')
    if (keptFromMs !== null && fromMs < keptFromMs) return not('made_room')
    if (untilMs > nowMs && heardAll(fromMs, nowMs)) return { result: 'due', why: null, dueMs: untilMs }
    if (heardAll(fromMs, untilMs)) return { result: 'missing', why: null }
    return not(fromMs < toMs && heardAny(fromMs, untilMs) ? 'time_unknown' : 'not_listened')
  }

  const rows = expected.flatMap((one, place): Judged[] => {
    const match = found.get(place)
    if (match !== undefined) return [{ expected: one, result: 'captured', why: null, by: match.by, eventId: match.eventId, revokedId: null, dueMs: null }]
    if (one.vague) return []
    const { dueMs = null, ...rest } = unheard(one)
    return [{ expected: one, ...rest, by: null, eventId: null, revokedId: revokedOf.get(place) ?? null, dueMs }]
  })
  const explained = new Set([...found.values()].map(({ eventId }) => eventId))
  return { rows, extra: counted.filter(({ id }) => !explained.has(id)) }
}
