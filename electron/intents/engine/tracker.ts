import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { NamedLocks } from './intent-locks.ts'

/** Follows an intent's progress; one implementation per execution method. */
export interface IntentMethod {
  /** Time between two lookups in this state, ms; null if this state needs no lookup. */
  everyMs(state: IntentState): number | null
  /** Moves the intent to its next state, possibly its last, from what the service or the chain reports now. */
  lookUp(row: IntentRow): Promise<IntentRow>
  /** Called when the deadline passed while the intent was still open. Moves the intent accordingly. */
  late(row: IntentRow): Promise<IntentRow>
  /** Runs at start, from the journal alone: corrects the state of work that the last run left unfinished. */
  recover(row: IntentRow): Promise<unknown>
}

export interface TrackerDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly locks: NamedLocks
  readonly clock: ServiceClock
  readonly every: Every
  readonly methodOf: (row: IntentRow) => IntentMethod
  /** Called after each lookup. */
  readonly looked?: (row: IntentRow) => void
}

export interface Tracker {
  /** Corrects the state of work that the last run left unfinished. Call once, before anything else. */
  recover(): Promise<void>
  /** Looks at every open intent once. Resolves when all are done. */
  tick(): Promise<void>
  /** Looks up one intent, however long ago it ended. */
  lookAgain(ref: string): Promise<void>
  start(): void
  stop(): void
  /** Resolves when the current pass, if any, is over. */
  settled(): Promise<void>
}

const tickMs = second
/**
 * How many intents each pass looks up: `newestAtOnce` of the newest, because the user is waiting for them, and `longestAtOnce` of those that
 * have waited longest for a lookup.
 */
const newestAtOnce = 2
const longestAtOnce = 2
/** How long FINAL is still watched, because a reorganisation may undo it. */
const watchFinalMs = 2 * minute
/** Follows every open intent of the profile to its end, whichever wallet is connected and across restarts (FLOW-06, FLOW-07). */
export function createTracker({ profile, journal, locks, clock, every, methodOf, looked = () => {} }: TrackerDeps): Tracker {
  const lookedAt = new Map<string, number>()
  let stop: (() => void) | null = null
  let running: Promise<void> | null = null

  const isDue = (ref: string, everyMs: number): boolean => clock.monotonic() - (lookedAt.get(ref) ?? Number.NEGATIVE_INFINITY) >= everyMs

  /** The intents to look up in this pass. Each lookup costs one or two calls, so their number is limited however many intents are open. */
  const turns = (rows: readonly IntentRow[]): ReadonlySet<string> => {
    const ready = rows.filter((row) => {
      const everyMs = methodOf(row).everyMs(row.state)
      return everyMs !== null && isDue(row.ref, everyMs)
    })
    const newest = ready.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(0, newestAtOnce)
    const longest = ready
      .filter((row) => !newest.includes(row))
      .toSorted((a, b) => (lookedAt.get(a.ref) ?? 0) - (lookedAt.get(b.ref) ?? 0))
      .slice(0, longestAtOnce)
    return new Set([...newest, ...longest].map(({ ref }) => ref))
  }

  const look = async (ref: string, mayAsk: boolean): Promise<void> => {
    const given = journal.intents.get(ref)
    if (given === null) return
    const method = methodOf(given)
    // A wrong computer clock must not end a live intent.
    const isLate = clock.known() && given.deadlineMs !== null && clock.now() > given.deadlineMs
    const row = isLate && given.state !== 'PREPARED' ? await method.late(given) : given
    const everyMs = method.everyMs(row.state)
    const asks = mayAsk && everyMs !== null && isDue(ref, everyMs)
    if (asks) lookedAt.set(ref, clock.monotonic())
    const now = asks ? await method.lookUp(row) : row
    // The lookup may have found one of the intent's transactions, so the intent may no longer be PREPARED.
    looked(isLate && now.state === 'PREPARED' ? await method.late(now) : now)
  }

  const isFresh = ({ updatedAtMs }: { readonly updatedAtMs: number }): boolean => updatedAtMs > clock.now() - watchFinalMs
  /**
   * True if the intent recently became final or reverted, or if it ended early but one of its transactions recently did. Example: an approval whose
   * deposit was never sent.
   */
  const isWatched = (row: IntentRow): boolean => {
    if (row.state === 'FINAL' || row.state === 'REVERTED') return isFresh(row)
    const isCutShort = row.way === 'transactions' && (row.state === 'EXPIRED' || row.state === 'CANCELLED')
    return isCutShort && journal.transactions.of(row.ref).some((it) => (it.state === 'final' || it.state === 'reverted') && isFresh(it))
  }

  const pass = async (): Promise<void> => {
    const open = journal.intents.open(profile.id)
    const ended = journal.intents.list(profile.id, { wallet: null, beforeMs: null, limit: 50 }).intents.filter(isWatched)
    const refs = [...new Set([...[...open, ...ended].map((row) => row.ref), ...journal.transactions.open(profile.id)])]
    for (const ref of lookedAt.keys()) if (!refs.includes(ref)) lookedAt.delete(ref)
    const rows = refs.flatMap((ref) => journal.intents.get(ref) ?? [])
    const chosen = turns(rows)
    await Promise.all(rows.map(({ ref }) => locks.run(ref, () => look(ref, chosen.has(ref)))))
  }

  const tick = (): Promise<void> => {
    running ??= pass().finally(() => {
      running = null
    })
    return running
  }

  return {
    tick,
    recover: async () => {
      for (const row of journal.intents.open(profile.id)) await methodOf(row).recover(row)
    },
    lookAgain: (ref) => locks.run(ref, () => look(ref, true)),
    start: () => {
      // Catch here, because no caller handles a failed pass; the next tick tries again.
      stop ??= every(tickMs, () => void tick().catch(() => undefined))
    },
    settled: async () => {
      await running?.catch(() => undefined)
    },
    stop: () => {
      stop?.()
      stop = null
    },
  }
}
