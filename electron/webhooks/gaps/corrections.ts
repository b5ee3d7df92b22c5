import { assumed } from '../../../shared/api/assumptions.ts'
import { second } from '../../../shared/time.ts'
import type { Captured } from './captured-events.ts'
import { aboutOwn, type ExpectedEvent } from './expected.ts'
import type { Judged } from './judge.ts'
import { type Mark, termOf } from './marks.ts'
import { isTimely } from './match.ts'
import type { TakenBack } from './taken-back.ts'
import { notJudged, type Unheard } from './unheard.ts'

export interface CorrectionInput {
  readonly takenBack: readonly TakenBack[]
  readonly captured: readonly Captured[]
  /** Ids of captured events that tell what the history has still, or again. */
  readonly holding: ReadonlySet<string>
  readonly isSubscribed: (type: string) => boolean
  readonly unheard: (one: ExpectedEvent) => Unheard
}

const { transaction: ofTransactions, other: ofOthers } = assumed.webhookCorrections.fields

/** What takes an event of the type back. */
const correctionsOf = (type: string): readonly string[] => (type.startsWith('transaction.') ? ofTransactions : ofOthers)

/** By what an event tells of a transaction: its hash, or where it names none the ids of its intent. null: of another. */
function namedBy({ txHash, intent }: TakenBack, { hashes, terms }: Captured): Mark['kind'] | null {
  if (hashes.has(txHash.toLowerCase())) return 'transaction'
  if (hashes.size > 0) return null
  const ids: readonly (readonly [Mark['kind'], string | null])[] = [
    ['intent', intent.intentId],
    ['intent', intent.commandId],
    ['order', intent.clientOrderId],
  ]
  return ids.find(([kind, value]) => value !== null && terms.has(termOf({ kind, value })))?.[0] ?? null
}

/**
 * What must have been sent of what a reorganisation took back of this app's own transactions: of each event that was captured before, the
 * correction that takes it back. Where the event of a final transaction was not captured, nobody here knows whether it was delivered: its
 * correction is shown, and not called missing. `spent` are the events that were taken back.
 */
export function judgeCorrections({ takenBack, captured, holding, isSubscribed, unheard }: CorrectionInput): {
  readonly rows: readonly Judged[]
  readonly spent: ReadonlySet<string>
} {
  const corrections = captured.filter(({ isCorrection }) => isCorrection)
  const spent = new Set<string>()

  const rowOf = (one: TakenBack, types: readonly string[], of: string): ExpectedEvent => ({
    ...{ key: `correction/${one.key}/${of}`, types, fromMs: one.fromMs, toMs: one.toMs, marks: [], vague: false },
    ...{ doubt: one.isKnown ? null : 'not_reported', about: aboutOwn(one.intent, one.txHash) },
  })
  const judged = (expected: ExpectedEvent, takesBack: Judged['takesBack'], found: Pick<Judged, 'by' | 'eventId'> | Unheard): Judged => ({
    ...{ expected, takesBack, revokedId: null },
    ...('result' in found ? { ...found, by: null, eventId: null } : { ...found, result: 'captured', why: null, dueMs: null }),
  })

  /** Sent of it before it was taken back, and after it was the time before. */
  const toldOf = (one: TakenBack): Captured[] =>
    captured.filter((event) => {
      const { isCorrection, atMs } = event
      return !isCorrection && atMs <= one.toMs && atMs + second > (one.beforeMs ?? 0) && namedBy(one, event) !== null
    })

  const ofEvent = (one: TakenBack, event: Captured): Judged[] => {
    const types = correctionsOf(event.type).filter(isSubscribed)
    const isHeld = holding.has(event.id)
    // It came again with the block that holds it now.
    if (isHeld && event.atMs > one.fromMs) return []
    if (!isHeld) spent.add(event.id)
    if (types.length === 0) return []
    // That it was delivered says that the service knows its hash.
    const expected: ExpectedEvent = { ...rowOf(one, types, event.id), doubt: null }
    const takesBack = { id: event.id, type: event.type }
    const named = corrections.find(({ type, revokedId }) => revokedId === event.id && types.includes(type))
    if (named !== undefined) return [judged(expected, takesBack, { by: 'event', eventId: named.id })]
    if (isHeld) return [judged(expected, takesBack, notJudged('stands'))]
    // It names no event, and so may stand for several.
    const general = corrections.find(
      (other) =>
        other.revokedId === null && types.includes(other.type) && isTimely(expected, other) && (other.hashes.size === 0 || namedBy(one, other) !== null),
    )
    if (general === undefined) return [judged(expected, takesBack, unheard(expected))]
    return [judged(expected, takesBack, { by: namedBy(one, general) ?? 'count', eventId: general.id })]
  }

  /** Of a final transaction whose event is not here. */
  const ofNone = (one: TakenBack, was: string): Judged[] => {
    const types = correctionsOf(was).filter(isSubscribed)
    if (!isSubscribed(was) || types.length === 0) return []
    const expected = rowOf(one, types, was)
    const named = corrections.find((other) => types.includes(other.type) && isTimely(expected, other) && namedBy(one, other) !== null)
    if (named !== undefined) {
      const { revokedId } = named
      const takesBack = revokedId === null ? null : { id: revokedId, type: captured.find(({ id }) => id === revokedId)?.type ?? null }
      return [judged(expected, takesBack, { by: namedBy(one, named), eventId: named.id })]
    }
    const answer = unheard(expected)
    return [judged(expected, null, answer.result === 'unjudged' ? answer : notJudged('never_delivered'))]
  }

  const rows = takenBack.flatMap((one) => {
    const told = toldOf(one)
    const { was } = one
    const isTold = told.some(({ type }) => type === was)
    return [...told.flatMap((event) => ofEvent(one, event)), ...(was === null || isTold ? [] : ofNone(one, was))]
  })
  return { rows, spent }
}
