import { second } from '../../../shared/time.ts'
import type { Captured } from './captured-events.ts'
import { type CorrectionInput, judgeCorrections } from './corrections.ts'
import type { ExpectedEvent } from './expected.ts'
import { type Found, type FoundBy, matchEvents } from './match.ts'
import type { Gone } from './standing.ts'
import { createUnheard, type Listened, notJudged, type Unheard, type WhyNot } from './unheard.ts'

export interface Judged {
  readonly expected: ExpectedEvent
  /** unjudged: `why` says what keeps it from being called missing. */
  readonly result: 'captured' | Unheard['result']
  readonly why: WhyNot | null
  readonly by: FoundBy | null
  readonly eventId: string | null
  /** Of one that is not there any more: an event told it, and a correction took that back. */
  readonly revokedId: string | null
  /** Of a correction: the event that it takes back. null: it is none, or nobody here knows which. */
  readonly takesBack: { readonly id: string /** null: it is not captured. */; readonly type: string | null } | null
  /** Until when it may still come; null: it is not due. */
  readonly dueMs: number | null
}

export interface JudgeInput extends Listened, Pick<CorrectionInput, 'captured' | 'takenBack' | 'isSubscribed'> {
  readonly expected: readonly ExpectedEvent[]
  /** What a former reading of the history explained and this one, which explains what is found, does not. */
  readonly goneSince: (found: ReadonlyMap<number, Found>) => readonly Gone[]
}

export interface Judgement {
  readonly rows: readonly Judged[]
  /** The captured ones that nothing of it explains; of these no correction. */
  readonly extra: readonly Captured[]
  /** This app's own intents of which more is known here than their timelines say: they were taken back since it last looked. */
  readonly overtaken: ReadonlySet<string>
}

/** What became of each expected event and of each expected correction. */
export function judge(input: JudgeInput): Judgement {
  const { expected, captured, takenBack, isSubscribed, goneSince } = input
  const unheard = createUnheard(input)
  const counted = captured.filter(({ isRevoked, isCorrection }) => !isRevoked && !isCorrection)
  const found = matchEvents(expected, counted)
  const open = [...expected.entries()].filter(([place]) => !found.has(place))
  const revoked = matchEvents(
    open.map(([, one]) => one),
    captured.filter(({ isRevoked }) => isRevoked),
  )
  const revokedOf = new Map(open.map(([place], at) => [place, revoked.get(at)?.eventId ?? null]))
  /** The app may not have seen the reorganisation yet, or looks no more. */
  const isLater = (seenMs: number | undefined, revokedId: string) =>
    seenMs !== undefined && captured.some((one) => one.revokedId === revokedId && one.atMs + second > seenMs)

  const rows = expected.flatMap((one, place): Judged[] => {
    const match = found.get(place)
    const base = { expected: one, takesBack: null }
    if (match !== undefined) return [{ ...base, result: 'captured', why: null, by: match.by, eventId: match.eventId, revokedId: null, dueMs: null }]
    if (one.vague) return []
    const revokedId = revokedOf.get(place) ?? null
    const answer = revokedId !== null && isLater(one.seenMs, revokedId) ? notJudged('taken_back') : unheard(one)
    return [{ ...base, ...answer, by: null, eventId: null, revokedId }]
  })
  const holding = new Set([...found.values()].map(({ eventId }) => eventId))
  const gone = goneSince(found)
  const corrections = judgeCorrections({ takenBack, gone, captured, holding, isSubscribed, unheard })
  const later = [...rows.filter(({ why }) => why === 'taken_back'), ...corrections.untold]
  return {
    rows: [...rows, ...corrections.rows],
    extra: counted.filter(({ id }) => !holding.has(id) && !corrections.spent.has(id)),
    overtaken: new Set(later.flatMap(({ expected: { about } }) => about.intentRef ?? [])),
  }
}
