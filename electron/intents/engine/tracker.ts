import { minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { Receipts } from '../transactions/receipts.ts'
import type { SendingFollow } from '../transactions/sending-follow.ts'
import type { IntentBook } from './intent-book.ts'
import type { NamedLocks } from './intent-lock.ts'

export interface TrackerDeps {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly book: IntentBook
  readonly locks: NamedLocks
  readonly clock: ServiceClock
  readonly every: Every
  readonly followFinality: (row: IntentRow) => Promise<IntentRow>
  readonly lookUp: (row: IntentRow) => Promise<IntentRow>
  /** Of an intent whose transactions the wallet sends. Absent: there are none in the journal. */
  readonly lookAtSending?: SendingFollow['look']
  readonly receipts?: Receipts
}

export interface Tracker {
  /** One look at everything that is open. Resolves when all of it was asked. */
  tick(): Promise<void>
  /** A look at one intent, however long ago it ended. Of one that is not this tracker's it does nothing. */
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
/** Between two looks at the same thing. */
const pace = { followMs: second, watchMs: 5 * second, lookUpMs: 5 * second }
/** States in which the service is asked, of what is not sent by the wallet itself. */
const askEvery: Partial<Record<IntentRow['state'], number>> = {
  SUBMITTED: pace.followMs,
  CONFIRMING: pace.followMs,
  FINAL: pace.watchMs,
  REVERTED: pace.watchMs,
  UNKNOWN: pace.lookUpMs,
}

/** Follows every open intent of the profile to its end, whichever wallet is connected, across restarts (FLOW-06, FLOW-07). */
export function createTracker({ profile, journal, book, locks, clock, every, followFinality, lookUp, lookAtSending, receipts }: TrackerDeps): Tracker {
  const lookedAt = new Map<string, number>()
  let stop: (() => void) | null = null
  let running: Promise<void> | null = null

  const isDue = (ref: string, everyMs: number): boolean => clock.monotonic() - (lookedAt.get(ref) ?? Number.NEGATIVE_INFINITY) >= everyMs

  /** The intents that may ask now; asking costs a call or two each, whatever the number that is open. */
  const turns = (rows: readonly IntentRow[]): ReadonlySet<string> => {
    const ready = rows.filter((row) => {
      const everyMs = row.way === 'transactions' ? pace.followMs : askEvery[row.state]
      return everyMs !== undefined && isDue(row.ref, everyMs)
    })
    const newest = ready.toSorted((a, b) => b.createdAtMs - a.createdAtMs).slice(0, newestAtOnce)
    const longest = ready
      .filter((row) => !newest.includes(row))
      .toSorted((a, b) => (lookedAt.get(a.ref) ?? 0) - (lookedAt.get(b.ref) ?? 0))
      .slice(0, longestAtOnce)
    return new Set([...newest, ...longest].map(({ ref }) => ref))
  }

  const look = async (ref: string, mayAsk: boolean): Promise<void> => {
    const row = journal.intents.get(ref)
    if (row === null) return
    const due = (everyMs: number): boolean => {
      if (!mayAsk || !isDue(ref, everyMs)) return false
      lookedAt.set(ref, clock.monotonic())
      return true
    }
    if (row.way === 'transactions') {
      await lookAtSending?.(row, due)
      receipts?.report(row)
      return
    }
    // A computer whose clock is wrong must not give up what is alive.
    const late = clock.known() && row.deadlineMs !== null && clock.now() > row.deadlineMs
    switch (row.state) {
      case 'SUBMITTED':
      case 'CONFIRMING':
        if (due(pace.followMs)) await followFinality(row)
        return
      case 'FINAL':
      case 'REVERTED':
        if (due(pace.watchMs)) await followFinality(row)
        return
      case 'UNKNOWN':
        if (due(pace.lookUpMs)) await lookUp(row)
        return
      case 'PREPARED':
        if (late) await book.move(ref, 'EXPIRED', { reason: { code: 'not_signed_in_time' } })
        return
      case 'ASKED':
        if (late) await book.move(ref, 'EXPIRED', { reason: { code: 'no_answer_in_time' } })
        return
      case 'SIGNED':
        if (late) await book.move(ref, 'EXPIRED', { reason: { code: 'signature_not_sent_in_time' } })
        return
      default:
        return
    }
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
