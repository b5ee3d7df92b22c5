import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { NamedLocks } from './intent-locks.ts'

/** What becomes of an intent, by how it is carried out. */
export interface Way {
  /** Between two looks at one in this state, ms; null: nothing outside is asked then. */
  everyMs(state: IntentState): number | null
  /** Takes it one step on by what the service or the chain says now, which may settle it. */
  lookUp(row: IntentRow): Promise<IntentRow>
  /** Its deadline passed before it went anywhere. */
  late(row: IntentRow): Promise<IntentRow>
  /** At start, from the journal alone: gives what the last run left half done its true state. */
  recover(row: IntentRow): Promise<unknown>
}

export interface TrackerDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly locks: NamedLocks
  readonly clock: ServiceClock
  readonly every: Every
  readonly wayOf: (row: IntentRow) => Way
  /** After each look. */
  readonly looked?: (row: IntentRow) => void
}

export interface Tracker {
  /** Once, before anything else. */
  recover(): Promise<void>
  /** One look at everything that is open. Resolves when all of it was asked. */
  tick(): Promise<void>
  /** A look at one intent, however long ago it ended. */
  lookAgain(ref: string): Promise<void>
  start(): void
  stop(): void
  /** Resolves when the pass that runs now, if any, is over. */
  settled(): Promise<void>
}

const tickMs = second
/** So many intents are asked about at once: the newest ones, whose end somebody waits for, and those that waited longest for their turn. */
const newestAtOnce = 2
const longestAtOnce = 2
/** FINAL is watched for some blocks more: a reorganisation may take it back. */
const watchFinalMs = 2 * minute
/** Follows every open intent of the profile to its end, whichever wallet is connected, across restarts (FLOW-06, FLOW-07). */
export function createTracker({ profile, journal, locks, clock, every, wayOf, looked = () => {} }: TrackerDeps): Tracker {
  const lookedAt = new Map<string, number>()
  let stop: (() => void) | null = null
  let running: Promise<void> | null = null

  const isDue = (ref: string, everyMs: number): boolean => clock.monotonic() - (lookedAt.get(ref) ?? Number.NEGATIVE_INFINITY) >= everyMs

  /** The intents that may ask now; asking costs a call or two each, whatever the number that is open. */
  const turns = (rows: readonly IntentRow[]): ReadonlySet<string> => {
    const ready = rows.filter((row) => {
      const everyMs = wayOf(row).everyMs(row.state)
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
    const way = wayOf(given)
    // A computer whose clock is wrong must not give up what is alive.
    const isLate = clock.known() && given.deadlineMs !== null && clock.now() > given.deadlineMs
    const row = isLate && given.state !== 'PREPARED' ? await way.late(given) : given
    const everyMs = way.everyMs(row.state)
    const asks = mayAsk && everyMs !== null && isDue(ref, everyMs)
    if (asks) lookedAt.set(ref, clock.monotonic())
    const now = asks ? await way.lookUp(row) : row
    // One of its transactions may have been found meanwhile.
    looked(isLate && now.state === 'PREPARED' ? await way.late(now) : now)
  }

  const isFresh = ({ updatedAtMs }: { readonly updatedAtMs: number }): boolean => updatedAtMs > clock.now() - watchFinalMs
  /** Final, or over with a transaction that is: an approval, say, whose deposit was never sent. */
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
      for (const row of journal.intents.open(profile.id)) await wayOf(row).recover(row)
    },
    lookAgain: (ref) => locks.run(ref, () => look(ref, true)),
    start: () => {
      // A pass that fails throws into nobody's hands otherwise; the next second tries again.
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
