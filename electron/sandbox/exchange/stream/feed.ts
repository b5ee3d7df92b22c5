import type { Address } from 'viem'
import { type Clock, second } from '../../../../shared/time.ts'
import type { Faults } from '../../faults.ts'
import { newId } from '../auth/tokens.ts'
import type { Candles } from '../market/candles.ts'
import { catalogue, type Market } from '../market/catalogue.ts'
import type { Marks } from '../market/marks.ts'
import type { Summaries } from '../market/summaries.ts'
import type { Store } from '../state/store.ts'
import type { Ledger } from '../trading/ledger.ts'
import { accountOf, positionsOf, standingsOf } from '../trading/margin.ts'
import { lifecycleOf } from './lifecycle.ts'

export interface FeedParts {
  readonly store: Store
  readonly ledger: Ledger
  readonly marks: Marks
  readonly summaries: Summaries
  readonly candles: Candles
  readonly clock: Clock
  readonly faults: Pick<Faults, 'stream'>
}

/** What a caller asks the stream for. */
export interface FeedQuery {
  readonly wallet: Address
  /** null: no market in particular. */
  readonly market: Market | null
  readonly interval: string
}

/** One event of a stream; `id` is what a client resumes after. */
export interface StreamEvent {
  readonly id: string
  readonly event: string
  readonly data: unknown
}

/** The events of one wallet, market and interval, numbered, of which the latest are kept for whoever was away. */
export interface Feed {
  /** Takes in what has happened meanwhile. */
  advance(): void
  /** The number of the newest event. */
  last(): number
  after(count: number): readonly StreamEvent[]
  /** The number of an event's id; null when it is not of this feed, or so old that what came after it is no longer kept. */
  numberOf(id: string): number | null
  /** Everything as it stands, under the id of the newest event. */
  snapshots(isReset: boolean): readonly StreamEvent[]
}

const keptEvents = 500

export function createFeed({ store, ledger, marks, summaries, candles, clock, faults }: FeedParts, { wallet, market, interval }: FeedQuery): Feed {
  const { state } = store
  const prefix = newId('', 10)
  const rowsOfWallet = () => state.ledger.filter((row) => row.wallet === wallet)
  let kept: StreamEvent[] = []
  let count = 0
  let toldRows = new Set(rowsOfWallet().map(({ sequence }) => sequence))
  let seen = { sequence: state.sequence, rows: state.ledger.length }
  let toldMarksOf = marks.atMs()

  const add = (event: string, data: unknown) => {
    count += 1
    kept.push({ id: `${prefix}-${count}`, event, data })
    const room = faults.stream?.buffer ?? keptEvents
    if (kept.length > room) kept = kept.slice(-room)
  }

  const marketSnapshot = (): Record<string, unknown> => ({
    ...{ sequence: Math.floor(marks.atMs() / second), at_ms: marks.atMs(), markets: catalogue.map(summaries.mark) },
    ...(market !== null && { pair_id: market.id, summary: summaries.summary(market), interval, candle: candles.own(market, interval, 1).candles[0] ?? null }),
  })
  const accountSnapshot = (): Record<string, unknown> => {
    const standings = standingsOf(ledger.book(wallet), marks)
    const sequence = rowsOfWallet().at(-1)?.sequence ?? 0
    return { sequence, account: accountOf(wallet, standings), positions: positionsOf(standings) }
  }

  let toldAccount = JSON.stringify(accountSnapshot())

  const tellRows = () => {
    if (seen.sequence === state.sequence && seen.rows === state.ledger.length) return
    seen = { sequence: state.sequence, rows: state.ledger.length }
    const rows = rowsOfWallet()
    const book = ledger.book(wallet)
    const standing = new Set(rows.map(({ sequence }) => sequence))
    const gone = [...toldRows].filter((sequence) => !standing.has(sequence))
    if (gone.length > 0) {
      const created_at = Math.floor(clock.now() / second)
      add('lifecycle', { id: `evt_${gone[0]}_chain.reorg`, type: 'chain.reorg', created_at, data: { sequences: gone } })
    }
    for (const [index, row] of rows.entries())
      if (!toldRows.has(row.sequence)) for (const event of lifecycleOf(row, book, rows.slice(0, index + 1))) add('lifecycle', event)
    toldRows = standing
  }

  return {
    advance: () => {
      tellRows()
      if (marks.atMs() !== toldMarksOf) {
        toldMarksOf = marks.atMs()
        add('market_snapshot', marketSnapshot())
      }
      const account = accountSnapshot()
      const text = JSON.stringify(account)
      if (text !== toldAccount) add('account_snapshot', account)
      toldAccount = text
    },
    last: () => count,
    after: (number) => kept.slice(Math.max(0, kept.length - (count - number))),
    numberOf: (id) => {
      const [, of, text] = /^([A-Za-z0-9]+)-(\d{1,15})$/.exec(id) ?? []
      const number = Number(text)
      return of === prefix && number <= count && number >= count - kept.length ? number : null
    },
    snapshots: (isReset) => {
      const marked = (data: Record<string, unknown>) => (isReset ? { reset: true, ...data } : data)
      const id = `${prefix}-${count}`
      return [
        { id, event: 'market_snapshot', data: marked(marketSnapshot()) },
        { id, event: 'account_snapshot', data: marked(accountSnapshot()) },
      ]
    },
  }
}
