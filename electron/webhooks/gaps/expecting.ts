import type { HistoryRow } from '../../../shared/ipc/reads/account-history.ts'
import type { Markets } from '../../reads/markets/markets.ts'
import type { IntentRow } from '../../store/journal/journal.ts'
import type { ExpectedEvent } from './expected.ts'
import { expectedOfHistory } from './from-history.ts'
import { expectedOfTransactions, type OwnIntent } from './from-transactions.ts'
import type { Reading } from './history-reading.ts'
import { intentsBy } from './own-intents.ts'
import { createSightings } from './sightings.ts'

export interface Expecting {
  readonly reading: Reading
  readonly sinceMs: number
  readonly intents: readonly IntentRow[]
  readonly own: readonly OwnIntent[]
}

/** Gives what a reading of the account and the journal say must have been sent. It keeps in mind when it saw what has no time of its own. */
export function createExpecting(markets: Pick<Markets, 'known'>) {
  const sightings = createSightings()
  const withMarket = (row: HistoryRow): HistoryRow => ({
    ...row,
    symbol: row.symbol ?? (row.pairId === null ? null : (markets.known(row.pairId)?.symbol ?? null)),
  })

  return ({ reading: { rows, askedMs, readMs }, sinceMs, intents, own }: Expecting): ExpectedEvent[] => {
    const times = { askedMs, readMs, sightings }
    const history = { orders: rows.orders.map(withMarket), trades: rows.trades.map(withMarket), closed: rows.history.map(withMarket) }
    return [
      ...expectedOfHistory({ history, sinceMs, ...times, intentOf: intentsBy(intents) }),
      ...expectedOfTransactions({ own, listed: rows.transactions.map(withMarket), ...times }),
    ]
  }
}
