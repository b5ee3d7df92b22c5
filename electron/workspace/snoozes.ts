import type { Attention, ListedAttention, SnoozeLength } from '../../shared/ipc/host/app.ts'
import { type Clock, day, hour } from '../../shared/time.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { Records } from '../store/records/registry.ts'

/**
 * The kinds of attention items that the user may snooze. Not among them:
 * - unknown outcomes: lost orders and signatures, unfinished bulk actions and revocations, keys and webhooks that may exist;
 * - what an exit (cancel, close, revoke) needs: the exchange, the keychain, the journal;
 * - a secret that is only in memory, because it is lost when the app quits.
 */
const maySnooze: ReadonlySet<Attention['kind']> = new Set([
  'key_expiring',
  'grant_expiring',
  'sign_in_ending',
  'sign_in_required',
  'service_changed',
  'webhook_failing',
  'clock',
  'no_key',
  'keep_draft',
  'replacement_due',
  'fleet_due',
  'fleet_waits',
  'fleet_left',
  'replacement_stuck',
])

const lengths: Readonly<Record<SnoozeLength, number | null>> = { hour, day, changed: null }

/** If the item of a snooze has not returned after this time, the app deletes the snooze. */
const forgottenAfterMs = 60 * day

const severities = ['info', 'warn', 'danger'] as const

/** How harmful an item is. Only the order of the numbers matters: an item about something that has ended is worse than a warning before the end. */
function harmOf(item: Attention): number {
  const ended = ('over' in item && item.over) || (item.kind === 'sign_in_required' && item.ended)
  return 2 * severities.indexOf(item.severity) + (ended ? 1 : 0)
}

/** The facts of an item. A snooze ends when one of them changes. So values that change at every reading are not facts. */
const factsOf = (item: Attention): string => JSON.stringify({ ...item, atMs: null, ...(item.kind === 'clock' && { offsetMs: Math.sign(item.offsetMs) }) })

export interface Snoozes {
  /** Adds to each item whether it is snoozed. Deletes snoozes whose time is over, whose item got worse, or whose item disappeared. */
  applied(wallet: string | null, items: readonly Attention[]): ListedAttention[]
  /** Snoozes an item. Returns false if its kind can't be snoozed. */
  snooze(wallet: string | null, item: Attention, length: SnoozeLength): boolean
  wake(wallet: string | null, id: string): void
  /** Whether a snooze ended since the items were last listed. */
  isOneOver(): boolean
}

/** Keeps what the user snoozed, for each wallet, across restarts. */
export function createSnoozes({ profile, records, clock }: { readonly profile: ProfileFacts; readonly records: Records; readonly clock: Clock }): Snoozes {
  const { snoozes } = records
  const of = (wallet: string | null) => ({ profile: profile.id, wallet: wallet ?? 'none' })
  /**
   * The items that were listed in this run. An item that was not listed yet may only be missing because its facts are still unknown, so its snooze
   * is kept.
   */
  const seen = new Set<string>()
  let nextEndMs: number | null = null

  return {
    applied: (wallet, items) => {
      const now = clock.now()
      const listed = new Map(items.map((item) => [item.id, item]))
      const kept = new Map<string, { readonly untilMs: number | null }>()
      for (const { key, record } of snoozes.list(of(wallet))) {
        const { untilMs, facts, harm, atMs } = record
        const item = listed.get(key.item)
        // Also end a snooze that would last longer than a day. No snooze is that long, so the clock was set back.
        const isOver = untilMs !== null && (now >= untilMs || untilMs - now > day)
        const isGone = item === undefined ? seen.has(`${key.wallet}/${key.item}`) || now - atMs > forgottenAfterMs : false
        const isOther = item !== undefined && (!maySnooze.has(item.kind) || harmOf(item) > harm || (untilMs === null && factsOf(item) !== facts))
        if (isOver || isGone || isOther) snoozes.delete(key)
        else if (item !== undefined) kept.set(item.id, { untilMs })
      }
      for (const { id } of items) seen.add(`${of(wallet).wallet}/${id}`)
      const ends = [...kept.values()].flatMap(({ untilMs }) => (untilMs === null ? [] : [untilMs]))
      nextEndMs = ends.length === 0 ? null : Math.min(...ends)
      return items.map((item) => ({ ...item, maySnooze: maySnooze.has(item.kind), snoozed: kept.get(item.id) ?? null }))
    },
    snooze: (wallet, item, length) => {
      if (!maySnooze.has(item.kind)) return false
      const [now, ms] = [clock.now(), lengths[length]]
      snoozes.write({ ...of(wallet), item: item.id }, { untilMs: ms === null ? null : now + ms, facts: factsOf(item), harm: harmOf(item), atMs: now })
      return true
    },
    wake: (wallet, id) => snoozes.delete({ ...of(wallet), item: id }),
    isOneOver: () => nextEndMs !== null && clock.now() >= nextEndMs,
  }
}
