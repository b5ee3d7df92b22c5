import { assumed } from '../../../shared/api/assumptions.ts'
import { second } from '../../../shared/time.ts'
import type { EventName } from '../../../shared/webhooks/events.ts'
import { aboutOwn, type Captured, type ExpectedEvent, type Mark, termOf } from './expected.ts'
import { createNotReceived, type Gone, type Listened, type NotReceived, notJudged, type WhyNot } from './explained-events.ts'
import { type Found, type FoundBy, isTimely, matchEvents, type TakenBack } from './match.ts'

export interface CorrectionInput {
  readonly takenBack: readonly TakenBack[]
  /** Captured events whose row was in an earlier reading of the history and is missing in the newest reading. */
  readonly gone: readonly Gone[]
  readonly captured: readonly Captured[]
  /** Ids of captured events whose rows the history still contains, or contains again. */
  readonly holding: ReadonlySet<string>
  readonly isSubscribed: (type: string) => boolean
  readonly notReceived: (one: ExpectedEvent) => NotReceived
}

const { transaction: ofTransactions, other: ofOthers } = assumed.webhookCorrections.fields

const isOneOf = (types: readonly EventName[], type: string): boolean => types.some((each) => each === type)

/** The types of correction event that can take back an event of the given type. */
const correctionsOf = (type: string): readonly EventName[] => (type.startsWith('transaction.') ? ofTransactions : ofOthers)

/** Something that a reorganisation undid, such as a transaction or a trade; known from the journal or from the history. */
interface Lost extends Pick<ExpectedEvent, 'fromMs' | 'toMs' | 'marks' | 'doubt' | 'about'> {
  readonly key: string
}

/**
 * Returns the kind of identifier by which a captured event names an undone transaction or trade: its hash, or another id if the event contains no
 * hash. `null`: the captured event is about something else.
 */
function namedBy({ marks }: Pick<Lost, 'marks'>, { hashes, terms }: Captured): Mark['kind'] | null {
  const isNamed = ({ kind, value }: Mark) => (kind === 'transaction' ? hashes.has(value.toLowerCase()) : terms.has(termOf({ kind, value })))
  const named = marks.filter(isNamed)
  if (named.some(({ kind }) => kind === 'transaction')) return 'transaction'
  if (hashes.size > 0 && marks.some(({ kind }) => kind === 'transaction')) return null
  return named[0]?.kind ?? null
}

const marksOf = (kind: Mark['kind'], ...values: readonly (string | null)[]): Mark[] => values.flatMap((value) => (value === null ? [] : [{ kind, value }]))

const lostOf = ({ key, fromMs, toMs, txHash, intent, isKnown }: TakenBack): Lost => ({
  ...{ key, fromMs, toMs, doubt: isKnown ? null : 'not_reported', about: aboutOwn(intent, txHash) },
  marks: [...marksOf('transaction', txHash), ...marksOf('intent', intent.intentId, intent.commandId), ...marksOf('order', intent.clientOrderId)],
})

/**
 * Lists the corrections that the service must have sent after reorganisations: one for each captured event that a reorganisation undid. Covers this
 * app's transactions and the whole history.
 * If the lab did not capture the event of a final transaction, the app cannot know whether the event was delivered. It then shows a captured
 * correction but never calls one missing.
 * `spent`: ids of the undone events. `unsent`: rows that disappeared from the history and belong to no transaction of this app.
 */
export function judgeCorrections({ takenBack, gone, captured, holding, isSubscribed, notReceived }: CorrectionInput): {
  readonly rows: readonly Judged[]
  readonly spent: ReadonlySet<string>
  readonly unsent: readonly Gone[]
} {
  const corrections = captured.filter(({ isCorrection }) => isCorrection)
  const spent = new Set<string>()

  const rowOf = ({ key, fromMs, toMs, doubt, about }: Lost, types: readonly EventName[], of: string): ExpectedEvent => ({
    ...{ key: `correction/${key}/${of}`, types, fromMs, toMs, doubt, about, marks: [], vague: false },
  })
  const judged = (expected: ExpectedEvent, takesBack: Judged['takesBack'], found: Pick<Judged, 'by' | 'eventId'> | NotReceived): Judged => ({
    ...{ expected, takesBack, revokedId: null },
    ...('result' in found ? { ...found, by: null, eventId: null } : { ...found, result: 'captured', why: null, dueMs: null }),
  })

  /** The captured events about the transaction that were sent between the previous reorganisation and this one. */
  const sentOf = ({ beforeMs }: TakenBack, lost: Lost): Captured[] =>
    captured.filter((event) => {
      const { isCorrection, atMs } = event
      return !isCorrection && atMs <= lost.toMs && atMs + second > (beforeMs ?? 0) && namedBy(lost, event) !== null
    })

  const ofEvent = (one: Lost, event: Captured): Judged[] => {
    const types = correctionsOf(event.type).filter(isSubscribed)
    const isHeld = holding.has(event.id)
    // The service sent this event after the reorganisation, for the transaction's new block. It needs no correction.
    if (isHeld && event.atMs > one.fromMs) return []
    if (!isHeld) spent.add(event.id)
    if (types.length === 0) return []
    // The event was delivered, so the service certainly knows the transaction's hash. A missing correction is therefore not doubtful.
    const expected: ExpectedEvent = { ...rowOf(one, types, event.id), doubt: null }
    const takesBack = { id: event.id, type: event.type }
    const named = corrections.find(({ type, revokedId }) => revokedId === event.id && isOneOf(types, type))
    if (named !== undefined) return [judged(expected, takesBack, { by: 'event', eventId: named.id })]
    if (isHeld) return [judged(expected, takesBack, notJudged('stands'))]
    // No correction names this event. Some corrections name no event and may cover several, so accept one that fits by time and transaction.
    const general = corrections.find(
      (other) =>
        other.revokedId === null && isOneOf(types, other.type) && isTimely(expected, other) && (other.hashes.size === 0 || namedBy(one, other) !== null),
    )
    if (general === undefined) return [judged(expected, takesBack, notReceived(expected))]
    return [judged(expected, takesBack, { by: namedBy(one, general) ?? 'count', eventId: general.id })]
  }

  /**
   * Rows for the correction of a final transaction whose own event was never captured. The correction is shown if it was captured, but is never
   * called missing.
   */
  const ofNone = (one: Lost, was: string): Judged[] => {
    const types = correctionsOf(was).filter(isSubscribed)
    if (!isSubscribed(was) || types.length === 0) return []
    const expected = rowOf(one, types, was)
    const named = corrections.find((other) => isOneOf(types, other.type) && isTimely(expected, other) && namedBy(one, other) !== null)
    if (named !== undefined) {
      const { revokedId } = named
      const takesBack = revokedId === null ? null : { id: revokedId, type: captured.find(({ id }) => id === revokedId)?.type ?? null }
      return [judged(expected, takesBack, { by: namedBy(one, named), eventId: named.id })]
    }
    const answer = notReceived(expected)
    return [judged(expected, null, answer.result === 'unjudged' ? answer : notJudged('never_delivered'))]
  }

  const sent = new Set<string>()
  const ofOwn = takenBack.flatMap((one) => {
    const lost = lostOf(one)
    const events = sentOf(one, lost)
    for (const { id } of events) sent.add(id)
    const isTold = events.some(({ type }) => type === one.was)
    return [...events.flatMap((event) => ofEvent(lost, event)), ...(one.was === null || isTold ? [] : ofNone(lost, one.was))]
  })
  const byId = new Map(captured.map((event) => [event.id, event]))
  const unsent = gone.filter(({ eventId }) => !sent.has(eventId))
  const ofHistory = unsent.flatMap(({ eventId, expected: { marks, about }, fromMs, toMs }) => {
    const event = byId.get(eventId)
    return event === undefined ? [] : ofEvent({ key: 'history', fromMs, toMs, marks, about, doubt: null }, event)
  })
  return { rows: [...ofOwn, ...ofHistory], spent, unsent }
}

export interface Judged {
  readonly expected: ExpectedEvent
  /** For `unjudged`: why the app cannot decide whether the event is missing. */
  readonly result: 'captured' | NotReceived['result']
  readonly why: WhyNot | null
  readonly by: FoundBy | null
  readonly eventId: string | null
  /** The id of the captured event if a correction later revoked it; otherwise `null`. */
  readonly revokedId: string | null
  /** For a correction: the event that it revokes. `null` for any other event, or if the revoked event is unknown. */
  readonly takesBack: { readonly id: string /** `null`: the lab did not capture that event. */; readonly type: string | null } | null
  /** Until when the event may still arrive, as Unix ms; `null` if the waiting time is over. */
  readonly dueMs: number | null
}

interface JudgeInput extends Listened, Pick<CorrectionInput, 'captured' | 'takenBack' | 'isSubscribed'> {
  readonly expected: readonly ExpectedEvent[]
  /** Returns the captured events whose history rows disappeared since an earlier reading. `found`: the events whose rows this reading contains. */
  readonly goneSince: (found: ReadonlyMap<number, Found>) => readonly Gone[]
}

interface Judgement {
  readonly rows: readonly Judged[]
  /** Captured events that the history does not explain, except corrections. */
  readonly extra: readonly Captured[]
  /** Intents of this app whose stored state is outdated: a reorganisation undid their transactions after the app last updated their timelines. */
  readonly overtaken: ReadonlySet<string>
}

/** Decides for each expected event and correction: captured, missing, due or unjudged. */
export function judge(input: JudgeInput): Judgement {
  const { expected, captured, takenBack, isSubscribed, goneSince } = input
  const notReceived = createNotReceived(input)
  const counted = captured.filter(({ isRevoked, isCorrection }) => !isRevoked && !isCorrection)
  const found = matchEvents(expected, counted)
  const open = [...expected.entries()].filter(([place]) => !found.has(place))
  const revoked = matchEvents(
    open.map(([, one]) => one),
    captured.filter(({ isRevoked }) => isRevoked),
  )
  const revokedOf = new Map(open.map(([place], at) => [place, revoked.get(at)?.eventId ?? null]))
  /**
   * True if the correction arrived after the app last read the intent's state. The app may not have noticed the reorganisation yet, or may have
   * stopped following the intent.
   */
  const isLater = (seenMs: number | undefined, revokedId: string) =>
    seenMs !== undefined && captured.some((one) => one.revokedId === revokedId && one.atMs + second > seenMs)

  const rows = expected.flatMap((one, place): Judged[] => {
    const match = found.get(place)
    const base = { expected: one, takesBack: null }
    if (match !== undefined) return [{ ...base, result: 'captured', why: null, by: match.by, eventId: match.eventId, revokedId: null, dueMs: null }]
    if (one.vague) return []
    const revokedId = revokedOf.get(place) ?? null
    const answer = revokedId !== null && isLater(one.seenMs, revokedId) ? notJudged('taken_back') : notReceived(one)
    return [{ ...base, ...answer, by: null, eventId: null, revokedId }]
  })
  const holding = new Set([...found.values()].map(({ eventId }) => eventId))
  const gone = goneSince(found)
  const corrections = judgeCorrections({ takenBack, gone, captured, holding, isSubscribed, notReceived })
  const later = [...rows.filter(({ why }) => why === 'taken_back'), ...corrections.unsent]
  return {
    rows: [...rows, ...corrections.rows],
    extra: counted.filter(({ id }) => !holding.has(id) && !corrections.spent.has(id)),
    overtaken: new Set(later.flatMap(({ expected: { about } }) => about.intentRef ?? [])),
  }
}
