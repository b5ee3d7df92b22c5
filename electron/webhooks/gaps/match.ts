import type { IntentState } from '../../../shared/ipc/intents/orders.ts'
import type { PlainReason, StepNote } from '../../../shared/ipc/intents/reasons.ts'
import { minute, second } from '../../../shared/time.ts'
import type { IntentRow, TransactionRow } from '../../store/journal/journal.ts'
import { type ExpectedEvent, isHash, type Mark, type MarkKind, type SentEvent, termOf, weights } from './expected.ts'

/**
 * How a captured event was matched. `event`: it is a correction and names the event that it revokes. `count`: it has no usable identifier, but fits
 * by type and time.
 */
export type FoundBy = MarkKind | 'event' | 'count'

export interface Found {
  readonly eventId: string
  readonly by: FoundBy
}

/** How many captured events to compare with one expected event, per event type and identifier: only those nearest in time. */
const nearest = 40
/** The largest distance in time at which an event without an identifier may match. Allows for rounding to whole seconds and for indexing. */
const beforeMs = 10 * second
const afterMs = 2 * minute

function distance({ fromMs, toMs }: ExpectedEvent, atMs: number): number {
  if (atMs < fromMs) return fromMs - atMs
  return atMs > toMs ? atMs - toMs : 0
}

/** Returns the indexes of the events nearest to the expected event's time. `places` must be in time order. */
function near(places: readonly number[], sent: readonly SentEvent[], { fromMs }: ExpectedEvent): readonly number[] {
  if (places.length <= nearest) return places
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sent[places[middle] ?? 0]?.atMs ?? 0) < fromMs) low = middle + 1
    else high = middle
  }
  return places.slice(Math.max(0, low - nearest / 2), low + nearest / 2)
}

const addTo = <K>(map: Map<K, number[]>, key: K, place: number): void => {
  const list = map.get(key)
  if (list === undefined) map.set(key, [place])
  else list.push(place)
}

/** The identifiers (marks) that the expected and the captured event share, most specific first. */
function shared({ marks }: ExpectedEvent, { terms }: SentEvent): readonly Mark[] {
  return marks.filter((mark) => terms.has(termOf(mark))).sort((a, b) => weights[b.kind] - weights[a.kind])
}

/** Whether the times are close enough for a match without any identifier. */
export const isTimely = ({ fromMs, toMs }: Pick<ExpectedEvent, 'fromMs' | 'toMs'>, { atMs }: Pick<SentEvent, 'atMs'>): boolean =>
  atMs >= fromMs - beforeMs && atMs <= toMs + afterMs

/** Whether both events name transactions, but none in common. They are then probably about different things, even if other identifiers match. */
const differ = ({ marks }: ExpectedEvent, { hashes }: SentEvent): boolean => {
  const own = marks.flatMap(({ value }) => (isHash(value.toLowerCase()) ? [value.toLowerCase()] : []))
  return own.length > 0 && hashes.size > 0 && !own.some((one) => hashes.has(one))
}

/**
 * Matches captured events to expected ones. The result's key is the expected event's index.
 * Matches first by identifiers found anywhere in `data`. Then matches each event without a usable identifier to an expected event of the same type
 * and time.
 */
export function matchEvents(expected: readonly ExpectedEvent[], given: readonly SentEvent[]): ReadonlyMap<number, Found> {
  const sent = [...given].sort((a, b) => a.atMs - b.atMs)
  const byTerm = new Map<string, number[]>()
  const known = new Set(expected.flatMap(({ marks }) => marks.map(termOf)))
  for (const [place, { type, terms }] of sent.entries()) for (const term of terms) if (known.has(term)) addTo(byTerm, `${type} ${term}`, place)

  const edges: Edge[] = []
  for (const [left, one] of expected.entries()) {
    const reached = new Set(one.types.flatMap((type) => one.marks.flatMap((mark) => near(byTerm.get(`${type} ${termOf(mark)}`) ?? [], sent, one))))
    for (const right of reached) {
      const event = sent[right]
      if (event === undefined) continue
      const worth = shared(one, event).reduce((sum, { kind }) => sum + weights[kind], 0)
      const score = differ(one, event) ? worth / 100 : worth
      // Many events share a position, and the history does not show every position change, so a match by position also needs the right time.
      if (score <= weights.position && !isTimely(one, event)) continue
      edges.push({ left, right, score, distanceMs: distance(one, event.atMs) })
    }
  }
  const found = new Map<number, Found>()
  const taken = new Set<number>()
  for (const [left, right] of pairUp(edges)) {
    const [one, event] = [expected[left], sent[right]]
    if (one === undefined || event === undefined) continue
    taken.add(right)
    found.set(left, { eventId: event.id, by: shared(one, event)[0]?.kind ?? 'count' })
  }

  const isNameless = ({ terms, hashes }: SentEvent) => hashes.size === 0 && [...terms].every((term) => !known.has(term))
  const byType = new Map<string, number[]>()
  for (const [place, { type }] of sent.entries()) if (!taken.has(place)) addTo(byType, type, place)
  const loose: Edge[] = []
  for (const [left, one] of expected.entries()) {
    if (found.has(left)) continue
    const candidates = one.types
      .flatMap((type) => near(byType.get(type) ?? [], sent, one))
      .filter((place) => {
        const event = sent[place]
        return event !== undefined && (one.marks.length === 0 || isNameless(event)) && isTimely(one, event)
      })
    for (const right of candidates) loose.push({ left, right, score: 0, distanceMs: distance(one, sent[right]?.atMs ?? 0) })
  }
  for (const [left, right] of pairUp(loose)) {
    const event = sent[right]
    if (event !== undefined) found.set(left, { eventId: event.id, by: 'count' })
  }
  return found
}

/** A possible pair: an index of the left list and an index of the right list, with a score. */
export interface Edge {
  readonly left: number
  readonly right: number
  readonly score: number
  readonly distanceMs: number
}

/**
 * Forms as many pairs of a left and a right index as possible; each index is in at most one pair. First pairs those with the best scores. Then
 * forms further pairs by changing the partners of paired indexes. A paired index may change its partner but never loses it. Returns the right
 * index for each left index.
 */
export function pairUp(edges: readonly Edge[]): ReadonlyMap<number, number> {
  const sorted = [...edges].sort((a, b) => b.score - a.score || a.distanceMs - b.distanceMs)
  const rightOf = new Map<number, number>()
  const leftOf = new Map<number, number>()
  const reach = new Map<number, number[]>()
  for (const { left, right } of sorted) {
    const list = reach.get(left)
    if (list === undefined) reach.set(left, [right])
    else list.push(right)
    if (rightOf.has(left) || leftOf.has(right)) continue
    rightOf.set(left, right)
    leftOf.set(right, left)
  }
  for (const start of reach.keys()) {
    if (rightOf.has(start)) continue
    /** For each right index, the left index from which the search reached it. */
    const from = new Map<number, number>()
    const free = freeFrom(start, from)
    if (free !== null) moveAlong(free, from)
  }
  return rightOf

  /**
   * Searches for an unpaired right index for `start`, which may require existing pairs to swap partners. Returns `null` if every possible right
   * index is taken.
   */
  function freeFrom(start: number, from: Map<number, number>): number | null {
    const waiting = [start]
    for (let left = waiting.shift(); left !== undefined; left = waiting.shift()) {
      for (const right of reach.get(left) ?? []) {
        if (from.has(right)) continue
        from.set(right, left)
        const holder = leftOf.get(right)
        if (holder === undefined) return right
        waiting.push(holder)
      }
    }
    return null
  }

  function moveAlong(free: number, from: ReadonlyMap<number, number>): void {
    let right: number | undefined = free
    while (right !== undefined) {
      const left = from.get(right)
      if (left === undefined) return
      const before: number | undefined = rightOf.get(left)
      rightOf.set(left, right)
      leftOf.set(right, left)
      right = before
    }
  }
}

/** What a reorganisation did to one of this app's own transactions: it removed the transaction from its block, or undid its finality. */
export interface TakenBack {
  /** A unique key for this transaction and reorganisation, the same in every check. */
  readonly key: string
  /**
   * Two times in Unix ms: when the app last saw the transaction in its block, and when it noticed that the transaction had left the block. The
   * reorganisation happened in between.
   */
  readonly fromMs: number
  readonly toMs: number
  /** When a reorganisation last undid the same transaction before this time, as Unix ms; `null` if never. */
  readonly beforeMs: number | null
  /** The event that the service had sent about the transaction before the reorganisation; `null` if the transaction was not final. */
  readonly was: 'transaction.confirmed' | 'transaction.reverted' | null
  readonly txHash: string
  readonly intent: IntentRow
  /** Whether the service knows the transaction's hash (HOOK-09). */
  readonly isKnown: boolean
}

interface Step {
  readonly state: IntentState
  readonly atMs: number
  readonly note: StepNote | null
}

const sentFor = { FINAL: 'transaction.confirmed', REVERTED: 'transaction.reverted' } as const
const wasSent = (state: IntentState): TakenBack['was'] => (state === 'FINAL' || state === 'REVERTED' ? sentFor[state] : null)

const says = (note: StepNote | null, code: PlainReason): boolean => note?.code === 'reason' && note.reason.code === code

/** Whether the change from one state to the next proves a reorganisation, even if no note mentions one. */
const isBack = (before: IntentState, now: IntentState): boolean =>
  (wasSent(before) !== null && ['SUBMITTED', 'CONFIRMING', 'FINAL', 'REVERTED'].includes(now)) || (before === 'CONFIRMING' && now === 'SUBMITTED')

/**
 * Lists the reorganisations in an intent's timeline, oldest first. The timeline follows the transaction that was requested last: once the deposit
 * was requested, only a note mentions the approval.
 */
export function takenBackOf(intent: IntentRow, steps: readonly Step[], transactions: readonly TransactionRow[]): readonly TakenBack[] {
  const found: TakenBack[] = []
  const sent = transactions.filter(({ txHash }) => txHash !== null)
  const asked = (atMs: number) => sent.findLast(({ askedAtMs }) => askedAtMs !== null && askedAtMs <= atMs) ?? sent.at(-1)
  const add = (place: number, before: Step, { atMs }: Step, one: TransactionRow | undefined, was: TakenBack['was']) => {
    const txHash = one?.txHash ?? intent.txHash
    if (txHash === null) return
    const again = found.findLast((other) => other.txHash === txHash)
    found.push({
      ...{ key: `${intent.ref}/${place}`, txHash, intent, was, beforeMs: again?.toMs ?? null },
      ...{ fromMs: Math.min(before.atMs, atMs), toMs: atMs, isKnown: one === undefined || one.receipt === 'reported' },
    })
  }
  for (const [place, step] of steps.entries()) {
    const before = steps.slice(0, place).findLast(({ note }) => !says(note, 'approval_taken_back'))
    if (before === undefined) continue
    const { state, note, atMs } = step
    // The app sends a deposit only after the chain confirmed the approval. So the service had sent `transaction.confirmed` for the approval, even if
    // the deposit later reverted.
    if (says(note, 'approval_taken_back')) add(place, before, step, sent.at(0), wasSent(before.state) && 'transaction.confirmed')
    else if (says(note, 'taken_back') || (before.state !== state && isBack(before.state, state))) add(place, before, step, asked(atMs), wasSent(before.state))
  }
  return found
}
