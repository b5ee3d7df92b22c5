import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import { minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { EngineParts } from './engine-parts.ts'

/** The functions that follow the progress of an intent. Each execution method has its own implementation. */
export interface IntentMethod {
  /** The time from one lookup to the next in this state, in ms; null if this state needs no lookup. */
  everyMs(state: IntentState): number | null
  /** Reads the intent’s current status from the service or the chain, and moves the intent to the matching state. */
  lookUp(row: IntentRow): Promise<IntentRow>
  /** Called when the deadline has passed and the intent is still open. Ends the intent if that is safe. Absent if its intents have no deadline. */
  late?(row: IntentRow): Promise<IntentRow>
  /** Corrects the state of an intent after a crash, using only the journal. Called when the app starts. */
  recover(row: IntentRow): Promise<unknown>
}

/** States in which an intent rarely changes, so that a lookup every few seconds (`quietMs`) is enough. */
export const isQuiet = (state: IntentState): boolean => state === 'FINAL' || state === 'REVERTED' || state === 'UNKNOWN'
export const quietMs = 5 * second

export type Tracker = ReturnType<typeof createTracker>

interface TrackerDeps extends Pick<EngineParts, 'profile' | 'journal' | 'locks' | 'clock'> {
  readonly every: Every
  readonly methodOf: (row: IntentRow) => IntentMethod
  readonly looked?: (row: IntentRow) => void
}

const tickMs = second
/**
 * How many intents the app looks up at a time: the newest `newestAtOnce`, because the user waits for them, and the `longestAtOnce` whose last
 * lookup is oldest.
 */
const newestAtOnce = 2
const longestAtOnce = 2
/** How long (ms) the app still watches a FINAL intent, because a reorganisation may undo it. */
const watchFinalMs = 2 * minute
/** Follows all open intents of the profile until they end, whichever wallet is connected, and across restarts (FLOW-06, FLOW-07). */
export function createTracker({ profile, journal, locks, clock, every, methodOf, looked = () => {} }: TrackerDeps) {
  const lookedAt = new Map<string, number>()
  let stop: (() => void) | null = null
  let running: Promise<void> | null = null

  const isDue = (ref: string, everyMs: number): boolean => clock.monotonic() - (lookedAt.get(ref) ?? Number.NEGATIVE_INFINITY) >= everyMs

  /** Returns the references of the intents to look up now. Each lookup costs one or two calls, so their number is limited. */
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
    // Until the app knows the service’s time, no intent counts as late, because a wrong computer clock must not end an open intent.
    const isLate = clock.known() && given.deadlineMs !== null && clock.now() > given.deadlineMs
    const row = (isLate && given.state !== 'PREPARED' ? await method.late?.(given) : null) ?? given
    const everyMs = method.everyMs(row.state)
    const asks = mayAsk && everyMs !== null && isDue(ref, everyMs)
    if (asks) lookedAt.set(ref, clock.monotonic())
    const now = asks ? await method.lookUp(row) : row
    // Call `late` only if the intent is still PREPARED after the lookup, because the lookup may have found a transaction of the intent.
    looked((isLate && now.state === 'PREPARED' ? await method.late?.(now) : null) ?? now)
  }

  const isFresh = ({ updatedAtMs }: { readonly updatedAtMs: number }): boolean => updatedAtMs > clock.now() - watchFinalMs
  /**
   * Whether the intent, or one of its transactions, became final or reverted a short time ago. An intent may end earlier than its transaction, for
   * example if the wallet sent the approval but not the deposit.
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

  /** Looks up the intents that are due. Resolves when all lookups are done. */
  const tick = (): Promise<void> => {
    running ??= pass().finally(() => {
      running = null
    })
    return running
  }

  return {
    tick,
    /** Corrects the states of intents after a crash. Must be called once, before all other functions. */
    recover: async (): Promise<void> => {
      for (const row of journal.intents.open(profile.id)) await methodOf(row).recover(row)
    },
    /** Looks up an intent, even if it ended long ago. */
    lookAgain: (ref: string): Promise<void> => locks.run(ref, () => look(ref, true)),
    start: (): void => {
      // Ignore errors here, because the tracker’s next run looks up the intents again.
      stop ??= every(tickMs, () => void tick().catch(() => undefined))
    },
    /** Resolves when no lookup is running. */
    settled: async (): Promise<void> => {
      await running?.catch(() => undefined)
    },
    stop: (): void => {
      stop?.()
      stop = null
    },
  }
}
