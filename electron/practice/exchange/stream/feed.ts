import type { Address } from 'viem'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import type { Candles } from '../market/candles.ts'
import { catalogue } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import type { Summaries } from '../market/summaries.ts'
import type { Store } from '../state/store.ts'
import type { Ledger } from '../trading/ledger.ts'
import { accountOf, positionsOf, standingsOf } from '../trading/margin.ts'
import { createRowWatch } from './row-watch.ts'

export interface FeedParts {
  readonly store: Store
  readonly ledger: Ledger
  readonly marks: Marks
  readonly summaries: Summaries
  readonly candles: Candles
  readonly clock: Clock
  readonly faults: Pick<Faults, 'stream'>
}

/** One event of a stream; `id` is what a client resumes after: the sequence of `/snapshot`. */
export interface StreamEvent {
  readonly id: string | null
  readonly event: string
  readonly data: unknown
}

/** The events of one wallet, numbered without a gap, of which the latest are kept for whoever was away. */
export interface Feed {
  /** Takes in what has happened meanwhile. */
  advance(): void
  /** The number of the newest event. */
  last(): number
  after(count: number): readonly StreamEvent[]
  /** Whether all that came after the event of this id is still kept. */
  reaches(id: string): boolean
  /** Everything as it stands, under the number of the newest event. */
  snapshots(isReset: boolean): readonly StreamEvent[]
}

const keptEvents = 500
const marketEvery = 2 * second
/** An account that only its marks have changed is told of this often at most. */
const accountEvery = 6 * second

export function createFeed({ store, ledger, marks, summaries, clock, faults }: FeedParts, wallet: Address): Feed {
  const rows = createRowWatch({ store, ledger, clock }, wallet)
  const marketSnapshot = () => ({ sequence: count, at_ms: marks.atMs(), markets: catalogue.map(summaries.mark) })
  const account = () => {
    const standings = standingsOf(ledger.book(wallet), marks)
    return { account: accountOf(wallet, standings), positions: positionsOf(standings) }
  }
  let kept: StreamEvent[] = []
  // Higher than any number of an earlier run, so that an id of one is known to be too old.
  let count = Math.floor(clock.now() / second) * 1_000
  let marketAtMs = marks.atMs()
  let accountAtMs = marks.atMs()
  let toldAccount = JSON.stringify(account())

  const add = (event: string, dataOf: () => unknown) => {
    count += 1
    kept.push({ id: String(count), event, data: dataOf() })
    const room = faults.stream?.buffer ?? keptEvents
    if (kept.length > room) kept = kept.slice(-room)
  }

  /** Tells whether there was anything to tell. */
  const tellRows = (): boolean => {
    const { hasChanged, events } = rows.look()
    for (const event of events) add(event.type, () => event)
    return hasChanged
  }

  const tellAccount = (isDue: boolean) => {
    if (!isDue && marks.atMs() - accountAtMs < accountEvery) return
    accountAtMs = marks.atMs()
    const now = account()
    const text = JSON.stringify(now)
    if (text !== toldAccount) add('account_snapshot', () => ({ sequence: count, ...now }))
    toldAccount = text
  }

  return {
    advance: () => {
      tellAccount(tellRows())
      if (marks.atMs() - marketAtMs < marketEvery) return
      marketAtMs = marks.atMs()
      add('market_snapshot', marketSnapshot)
    },
    last: () => count,
    after: (number) => kept.slice(Math.max(0, kept.length - (count - number))),
    reaches: (id) => /^\d{1,15}$/.test(id) && Number(id) <= count && Number(id) >= count - kept.length,
    snapshots: (isReset) => {
      const marked = (data: object) => (isReset ? { reset: true, ...data } : data)
      return [
        { id: null, event: 'market_snapshot', data: marked(marketSnapshot()) },
        { id: String(count), event: 'account_snapshot', data: marked({ sequence: count, ...account() }) },
      ]
    },
  }
}
