import { hour } from '../../../shared/time.ts'
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
