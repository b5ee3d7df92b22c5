import { minute, second } from '../../../shared/time.ts'
import type { Every } from '../../kernel/events.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { NamedLocks } from '../engine/intent-lock.ts'
import type { PaymentFollow } from './payment-follow.ts'
import { isPayment } from './payment-parts.ts'
import { paymentAction } from './payment-record.ts'

export interface PaymentTracker {
  /** Gives what the last run left half done its true state. Once, before anything else. */
  recover(): Promise<void>
  start(): void
  stop(): void
  /** Resolves when the pass that runs now, if any, is over. */
  settled(): Promise<void>
}

interface Deps extends PaymentFollow {
  readonly profile: ProfileFacts
  readonly journal: Journal
  readonly locks: NamedLocks
  readonly clock: ServiceClock
  readonly every: Every
}

const tickMs = second
/** FINAL is watched for some blocks more: a reorganisation may take it back. */
const watchFinalMs = 2 * minute
/** Between two looks at the same thing: the RPC may be a public one. */
const pace = { followMs: 2 * second, watchMs: 5 * second, lookUpMs: 5 * second }
const recent = 50

/** Follows every payment of the profile to its end, whichever wallet is connected, across restarts. */
export function createPaymentTracker({ profile, journal, locks, clock, every, follow, move }: Deps): PaymentTracker {
  const lookedAt = new Map<string, number>()
  let stop: (() => void) | null = null
  let running: Promise<void> | null = null

  const due = (ref: string, everyMs: number): boolean => {
    const now = clock.monotonic()
    const last = lookedAt.get(ref)
    if (last !== undefined && now - last < everyMs) return false
    lookedAt.set(ref, now)
    return true
  }

  const look = async (ref: string): Promise<void> => {
    const row = journal.intents.get(ref)
    if (row === null) return
    const late = clock.known() && row.deadlineMs !== null && clock.now() > row.deadlineMs
    switch (row.state) {
      case 'PREPARED':
        if (late) await move(row, 'EXPIRED', { reason: 'It was not sent before its deadline.' })
        return
      case 'ASKED':
        if (late) await move(row, 'UNKNOWN', { reason: 'The wallet did not answer before the deadline. It is looked for on the chain.' })
        return
      case 'UNKNOWN':
        if (due(ref, pace.lookUpMs)) await follow(row)
        return
      case 'SUBMITTED':
      case 'CONFIRMING':
        if (due(ref, pace.followMs)) await follow(row)
        return
      case 'FINAL':
      case 'REVERTED':
        if (due(ref, pace.watchMs)) await follow(row)
        return
      default:
        return
    }
  }

  const pass = async (): Promise<void> => {
    const open = journal.intents.open(profile.id).filter(isPayment)
    const ended = journal.intents
      .list(profile.id, { wallet: null, beforeMs: null, limit: recent, action: paymentAction })
      .intents.filter((row) => (row.state === 'FINAL' || row.state === 'REVERTED') && row.updatedAtMs > clock.now() - watchFinalMs)
    const refs = [...new Set([...open, ...ended].map(({ ref }) => ref))]
    for (const ref of lookedAt.keys()) if (!refs.includes(ref)) lookedAt.delete(ref)
    await Promise.all(refs.map((ref) => locks.run(ref, () => look(ref))))
  }

  const tick = (): Promise<void> => {
    running ??= pass().finally(() => {
      running = null
    })
    return running
  }

  const found = async (row: IntentRow): Promise<void> => {
    if (row.state === 'PLANNED') await move(row, 'CANCELLED', { reason: 'The app stopped before it was prepared. Nothing was asked for.' }, 'found at start')
    // The phone may have broadcast it while the app was dead.
    if (row.state === 'ASKED')
      await move(row, 'UNKNOWN', { reason: 'The app stopped while the wallet was asked. It is looked for on the chain.' }, 'found at start')
  }

  return {
    recover: async () => {
      for (const row of journal.intents.open(profile.id)) if (isPayment(row)) await found(row)
    },
    start: () => {
      // A pass that fails throws into nobody's hands otherwise; the next second tries again.
      stop ??= every(tickMs, () => void tick().catch(() => undefined))
    },
    stop: () => {
      stop?.()
      stop = null
    },
    settled: async () => {
      await running?.catch(() => undefined)
    },
  }
}
