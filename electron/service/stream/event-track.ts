import { isRecord } from '../../../shared/api/loose.ts'
import type { Foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { QueryName } from '../../../shared/ipc/contract.ts'
import { accountQueries } from '../../../shared/ipc/intents/intent-queries.ts'

/**
 * Tracks which events of a stream have arrived, by the number at the end of their ids. Also tracks which events a snapshot already includes: the
 * snapshot's sequence is the number of its newest event.
 */
export interface EventTrack {
  /**
   * Classifies an event by its id; events may arrive in any order.
   * `known`: the event has arrived before. `covered`: the event is new, but the snapshot already includes its effect. `new`: neither of these.
   * `another`: the stream has restarted its numbers, so the old numbers are void. `plain`: the id has no number and has not arrived recently.
   */
  take(id: string): 'known' | 'covered' | 'new' | 'another' | 'plain'
  /** Handles a heartbeat, whose id may be the id of the newest event. Returns true if that event had not arrived yet; it then counts as arrived. */
  beat(id: string): boolean
  /** True if an event is missing: between two events that arrived, or between the snapshot and the first event. */
  hasGap(): boolean
  /** Returns the number of the newest event that has arrived; 0 if no event has arrived. */
  newest(): number
  /**
   * Handles the sequence of a snapshot. `newest` is the number of the newest event at the time of the snapshot's request. The snapshot covers all
   * events up to its sequence.
   * If the sequence does not fit the numbers of the events, the snapshot covers no event, and the caller must read all data again. Returns whether
   * the sequence fits.
   */
  settle(sequence: string | null, newest: number): boolean
  /**
   * True if the snapshot covers events that have not arrived. Either these events are late, or the snapshot's sequence is not a number of this
   * stream's events.
   */
  behind(): boolean
  /** Call this after all data has been read again. Missing events then no longer count, and the snapshot covers no further event. */
  closeGap(): void
  /**
   * Returns the id of the event after which to resume the stream: every event up to this one has arrived, or a snapshot covers it. `null` if no event
   * has arrived.
   */
  resumeAfter(): string | null
}

/** How many of the newest event ids to store, so that a repeated event is recognised. A service repeats an event only within a short time. */
const remembered = 512

interface Numbered {
  readonly of: string
  readonly number: number
}

function numbered(id: string): Numbered | null {
  const [, of, digits] = /^(.*?)(\d{1,15})$/s.exec(id) ?? []
  return of === undefined || digits === undefined ? null : { of, number: Number(digits) }
}

export function createEventTrack(): EventTrack {
  let prefix: string | null = null
  let whole = 0
  let newest = 0
  let came = new Map<number, string>()
  let plain: string[] = []
  let after: string | null = null
  /** The sequence of the snapshot, as a prefix and a number. The prefix may be empty although the ids of events have one. */
  let snapshot: Numbered | null = null

  const covered = (): number => (snapshot === null || (snapshot.of !== '' && snapshot.of !== prefix) ? Number.NEGATIVE_INFINITY : snapshot.number)

  const advance = () => {
    whole = Math.max(whole, covered())
    while (came.has(whole + 1)) whole += 1
    for (const number of came.keys()) if (number < newest - remembered) came.delete(number)
    if (newest - whole > remembered) whole = newest - remembered
    const last = Math.max(...[...came.keys()].filter((number) => number <= whole))
    after = came.get(last) ?? after
  }

  const add = ({ of, number }: Numbered, id: string): 'covered' | 'new' | 'another' => {
    const first = prefix === null
    const other = !first && prefix !== of
    if (first || other) {
      prefix = of
      if (other) snapshot = null
      came = new Map()
      newest = number
      whole = Number.isFinite(covered()) ? covered() : number
    }
    came.set(number, id)
    newest = Math.max(newest, number)
    advance()
    return other ? 'another' : number <= covered() ? 'covered' : 'new'
  }

  const closeGap = () => {
    snapshot = null
    whole = newest
    after = came.get(newest) ?? after
  }

  const known = ({ of, number }: Numbered) => prefix === of && (came.has(number) || number < newest - remembered)

  return {
    take(id) {
      const one = numbered(id)
      if (one !== null) return known(one) ? 'known' : add(one, id)
      if (plain.includes(id)) return 'known'
      plain = [...plain, id].slice(-remembered)
      after = id
      return 'plain'
    },
    beat(id) {
      const one = numbered(id)
      // Ignore a heartbeat whose numbering differs from that of the events: it does not show whether an event was lost.
      if (one === null || (prefix !== null && one.of !== prefix) || known(one)) return false
      return add(one, id) === 'new'
    },
    hasGap: () => newest > whole,
    newest: () => newest,
    settle(sequence, asked) {
      const read = sequence === null ? null : numbered(sequence)
      const fits = read !== null && (prefix === null || read.of === '' || read.of === prefix) && read.number >= asked
      if (!fits) closeGap()
      else {
        snapshot = read
        if (prefix !== null) advance()
      }
      return fits
    },
    behind: () => newest < covered(),
    closeGap,
    resumeAfter: () => after,
  }
}

const account = [...accountQueries, 'riskLimits.today'] as const
const rows = ['account.history', 'account.finality'] as const
const intents = ['intents.list', 'intents.get', 'intents.prepared', 'intents.execution'] as const
const prices = ['markets.summaries', 'markets.summary'] as const

/** All queries whose results a stream event may make outdated. The app reads them again when a stream starts, ends or has a gap. */
export const streamed: readonly QueryName[] = [...account, ...rows, ...intents, ...prices]

interface Effects {
  readonly queries: readonly QueryName[]
  /**
   * When the app reads the outdated queries again.
   * `at_once`: immediately. `soon`: a little later, because the event is too frequent for a read each time. `restarted`: the stream could not resume
   * after the last event, and numbers its events from the start. `beat`: never, because a heartbeat changes nothing.
   */
  readonly when: 'at_once' | 'soon' | 'restarted' | 'beat'
}

/**
 * The queries that an event makes outdated (API document: Events, Stream).
 * The API document does not name the events of the stream. The app therefore chooses the queries by the first word of the event's name, or of `type`
 * in its data. An unknown event makes all account data outdated.
 */
export function effectsOf({ type, data }: { readonly type: string; readonly data: Foreign<string> }): Effects {
  const body = readBody(data)
  if (body.reset === true) return { queries: streamed, when: 'restarted' }
  const name = type === 'lifecycle' || type === 'message' || type === 'event' ? (typeof body.type === 'string' ? body.type : type) : type
  switch (/^[a-z]+/i.exec(name)?.[0].toLowerCase()) {
    case 'heartbeat':
    case 'ping':
      return { queries: [], when: 'beat' }
    case 'market':
    case 'mark':
    case 'marks':
    case 'price':
    case 'summary':
      return { queries: prices, when: 'soon' }
    case 'account':
      return { queries: ['account.summary', 'account.positions'], when: 'soon' }
    case 'collateral':
    case 'funding':
      return { queries: [...account, ...rows], when: 'at_once' }
    default:
      return { queries: [...account, ...rows, ...intents], when: 'at_once' }
  }
}

function readBody(data: Foreign<string>): Readonly<Record<string, unknown>> {
  const body = readJson(data)
  return isRecord(body) ? body : {}
}
