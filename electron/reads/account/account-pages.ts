import { second } from '../../../shared/time.ts'
import type { Emit, Every, OnInvalidate } from '../../kernel/events.ts'
import type { SaveText } from '../../kernel/files/save-text.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/service-clock.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapBook } from '../../service/field-names/field-map.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import type { Journal } from '../../store/journal/journal.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type AccountReader, createAccountReader } from '../history/account-reader.ts'
import { createHistory } from '../history/history.ts'
import { createHistoryBooks, type HistoryBooks } from '../history/history-book.ts'
import { createKnownRows } from '../history/known-rows.ts'
import { createOwnCancels } from '../history/own-cancels.ts'
import { createReports } from '../history/reports.ts'
import { createWatchList, type WatchList } from '../history/watch-list.ts'
import type { Markets } from '../markets/markets.ts'
import { createAccountViews } from './account-views.ts'
import { createOpenOrders } from './open-orders.ts'
import { createRiskAlerts } from './risk-alerts.ts'

export interface AccountPagesDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'intents' | 'values'>
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly markets: Markets
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  readonly saveText: SaveText
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly fieldMap: Pick<FieldMapBook, 'answers'>
  readonly onInvalidate: OnInvalidate
  readonly every: Every
}

/** How often an account with alerts is read while nobody looks at it. */
const watchEveryMs = 30 * second

export interface AccountPages {
  readonly reader: AccountReader
  /** Books of their own, with nothing read yet. */
  freshBooks(): HistoryBooks
  /** Begins to look after accounts with alerts. */
  start(): void
  stop(): void
  /** Resolves when no look is under way. */
  settled(): Promise<void>
  readonly handlers: WatchList['handlers'] &
    ReturnType<typeof createAccountViews>['handlers'] &
    ReturnType<typeof createHistory>['handlers'] &
    ReturnType<typeof createReports>['handlers'] &
    ReturnType<typeof createRiskAlerts>['handlers']
}

/** What the Account page shows of a wallet, be it the connected one or one that is only watched. */
export function createAccountPages(deps: AccountPagesDeps): AccountPages {
  const { profile, journal, credentials, wallet, emit } = deps
  const watched = createWatchList({ profile, values: journal.values })
  const reader = createAccountReader({ credentials, wallet, watched })
  const known = createKnownRows(deps)
  const booksTelling = (onProgress: () => void): HistoryBooks =>
    createHistoryBooks({ api: deps.api, fieldMap: deps.fieldMap, reader, known, monotonic: deps.clock.monotonic, onProgress })
  const books = booksTelling(() => emit({ type: 'invalidate', queries: ['account.history', 'account.report'] }))
  const history = createHistory({ ...deps, reader, books, known })
  const reports = createReports({ ...deps, reader, books })
  const alerts = createRiskAlerts({ profile, values: journal.values, reader, emit })
  const openOrders = createOpenOrders({ api: deps.api, monotonic: deps.clock.monotonic, ownCancels: createOwnCancels(deps) })
  deps.onInvalidate((queries) => {
    if (queries.includes('account.orders')) openOrders.forget()
  })
  const views = createAccountViews({ ...deps, reader, openOrders, onRead: alerts.look })

  /** Reads the accounts that are to be watched for, whether or not a window shows them. */
  const watch = async (): Promise<void> => {
    const own = wallet.current() === null ? [] : [null]
    for (const one of [...own, ...watched.list().map(({ address }) => address)]) {
      const subject = reader.subject(one)
      if (!subject.ok || !alerts.watches(subject.value)) continue
      await views.handlers['account.summary']({ watch: one })
      await views.handlers['account.positions']({ watch: one })
    }
  }
  let looking: Promise<void> = Promise.resolve()
  let stop = () => {}

  return {
    reader,
    freshBooks: () => booksTelling(() => {}),
    handlers: { ...watched.handlers, ...views.handlers, ...history.handlers, ...reports.handlers, ...alerts.handlers },
    start: () => {
      stop = deps.every(watchEveryMs, () => {
        // One that fails does not end the watching.
        looking = looking.then(watch).catch(() => undefined)
      })
    },
    stop: () => stop(),
    settled: () => looking,
  }
}
