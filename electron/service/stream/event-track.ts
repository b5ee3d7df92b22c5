import { isRecord } from '../../../shared/api/loose.ts'
import type { Foreign } from '../../../shared/foreign/foreign.ts'
import { readJson } from '../../../shared/foreign/parse-json.ts'
import type { QueryName } from '../../../shared/ipc/contract.ts'
import { accountQueries } from '../../../shared/ipc/intents/intent-queries.ts'

/**
 * Which events of a stream came, by the number at the end of their ids, and which of them a snapshot holds already: its sequence is the number
 * of the newest event at that moment.
 */
export interface EventTrack {
  /**
   * known: it came before. covered: it has not, and the snapshot holds it. new: neither, in whatever order it comes now. another: a numbering of
   * its own begins, and what was known of the one before counts no more. plain: its id has no number, and it has not come lately.
   */
  take(id: string): 'known' | 'covered' | 'new' | 'another' | 'plain'
  /** A heartbeat, which may tell by its id how far the stream is: whether it names an event that has not come. It counts as come then. */
  beat(id: string): boolean
  /** Whether an event between those that came, or between the snapshot and them, is missing. */
  hasGap(): boolean
  /** The number of the newest event that came; 0: none. */
  newest(): number
  /**
   * A snapshot with this sequence was read, and asked for when `newest` had come. Everything up to it is known by it; without one that fits the
   * numbering of the events nothing is covered, and whoever asks has read everything by other means. Tells which.
   */
  settle(sequence: string | null, newest: number): boolean
  /** Whether the snapshot is ahead of the events: those that lie between are still to come, or the two count different things. */
  behind(): boolean
  /** What is missing is known by other means now, and the snapshot covers nothing that is to come. */
  closeGap(): void
  /** The id to resume after: everything up to it came or is covered. null: no event came. */
  resumeAfter(): string | null
}

/** Ids that are remembered behind the newest. A service sends an event again soon or never. */
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
  /** Everything from the first number on and up to here came or is covered. */
  let whole = 0
  let newest = 0
  let came = new Map<number, string>()
  let plain: string[] = []
  let after: string | null = null
  /** The sequence of the snapshot; it may lack what stands before the numbers of the events. */
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
      // A heartbeat that counts itself begins no numbering among events.
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

/** What every event of the account may have changed. */
const account = [...accountQueries, 'guards.today'] as const
/** Pages of what happened, and how far it is. */
const rows = ['account.history', 'account.finality'] as const
const intents = ['intents.list', 'intents.get', 'intents.prepared', 'intents.execution'] as const
const prices = ['markets.summaries', 'markets.summary'] as const

/** All that a stream may make old: read again when one begins, ends or has a gap. */
export const streamed: readonly QueryName[] = [...account, ...rows, ...intents, ...prices]

interface Effects {
  readonly queries: readonly QueryName[]
  /**
   * soon: it only tells how things move, as they do all the time, and need not be read each time. anew: the stream could not go on after the
   * last event, and its numbers begin again. beat: nothing happened, the stream is alive.
   */
  readonly when: 'at_once' | 'soon' | 'anew' | 'beat'
}

/**
 * The reads that an event makes old (Events, Stream: market snapshots, account snapshots, lifecycle events, heartbeat). The names are not
 * shown, so the first word decides, of the event or of the `type` in its data; whatever is not known makes everything of the account old.
 */
export function effectsOf({ type, data }: { readonly type: string; readonly data: Foreign<string> }): Effects {
  const body = readBody(data)
  if (body.reset === true) return { queries: streamed, when: 'anew' }
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
