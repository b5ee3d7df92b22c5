import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { CollateralState } from '../../../shared/api/schemas/collateral.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { TokenSymbol } from '../../../shared/ipc/intents/tickets.ts'
import type { AccountSummary, account, Collateral, Position } from '../../../shared/ipc/reads/account.ts'
import type { HistoryFilter } from '../../../shared/ipc/reads/account-history.ts'
import { type Filled, filledBy, tokenRole } from '../../../shared/positions.ts'
import { fail, ok } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import type { Emit, Every, OnInvalidate } from '../../kernel/events.ts'
import type { SaveText } from '../../kernel/files/write-private.ts'
import type { Handlers } from '../../kernel/handlers.ts'
import type { ProfileFacts } from '../../kernel/profile-facts.ts'
import type { ServiceClock } from '../../service/api/vital-signs.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { FieldMapService } from '../../service/field-names/field-map.ts'
import type { ApiClient, KeyCredential } from '../../service/transport/api-client.ts'
import type { IntentRow, Journal } from '../../store/journal/journal.ts'
import type { ChainBalances } from '../../wallet/chain/balances.ts'
import type { Chain } from '../../wallet/chain/chain.ts'
import type { WalletReport } from '../../wallet/connection/wallet.ts'
import { type AccountReader, createAccountReader, type Subject } from '../history/account-reader.ts'
import { createHistory } from '../history/history.ts'
import { createHistoryRepositories, type HistoryRepositories } from '../history/history-repository.ts'
import { createKnownRows, createOwnCancels } from '../history/history-rows.ts'
import { createReports } from '../history/reports.ts'
import { createWatchList, type WatchList } from '../history/watch-list.ts'
import type { Markets } from '../markets/markets.ts'
import { createOpenOrders, type OpenOrdersReader } from './open-orders.ts'
import { createRiskAlerts } from './risk-alerts.ts'

export interface AccountPagesDeps {
  readonly profile: ProfileFacts
  readonly api: ApiClient
  readonly journal: Pick<Journal, 'intents' | 'records'>
  readonly credentials: Credentials
  readonly wallet: WalletReport
  readonly markets: Markets
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  readonly saveText: SaveText
  readonly clock: ServiceClock
  readonly emit: Emit
  readonly fieldMap: Pick<FieldMapService, 'answers'>
  readonly onInvalidate: OnInvalidate
  readonly every: Every
}

const anyRow: HistoryFilter = { symbol: null, side: null, state: null, fromMs: null, toMs: null, text: '' }

/** How often the app reads an account that has alerts while no window shows the account. */
const watchEveryMs = 30 * second

export interface AccountPages {
  readonly reader: AccountReader
  /**
   * Reads what an order traded, with a key of the connected wallet. `not_yet`: the trades do not contain the order yet, or the read failed. null: the
   * order belongs to another wallet, or no key may read the account.
   */
  fillOf(order: Pick<IntentRow, 'ref' | 'wallet' | 'action' | 'pairId'>): Promise<Filled | 'not_yet' | null>
  /** Creates new history tables without rows. */
  freshRepositories(): HistoryRepositories
  start(): void
  stop(): void
  settled(): Promise<void>
  readonly handlers: WatchList['handlers'] &
    ReturnType<typeof createAccountViews>['handlers'] &
    ReturnType<typeof createHistory>['handlers'] &
    ReturnType<typeof createReports>['handlers'] &
    ReturnType<typeof createRiskAlerts>['handlers']
}

/** Creates the data of the Account page, for the connected wallet or a wallet that the user only watches. */
export function createAccountPages(deps: AccountPagesDeps): AccountPages {
  const { profile, journal, credentials, wallet, emit } = deps
  const watched = createWatchList({ profile, records: journal.records })
  const reader = createAccountReader({ credentials, wallet, watched })
  const known = createKnownRows(deps)
  const repositoriesNotifying = (onProgress: () => void): HistoryRepositories =>
    createHistoryRepositories({ api: deps.api, fieldMap: deps.fieldMap, reader, known, monotonic: deps.clock.monotonic, onProgress })
  const repositories = repositoriesNotifying(() => emit({ type: 'invalidate', queries: ['account.history', 'account.report'] }))
  const history = createHistory({ ...deps, reader, repositories, known })
  const reports = createReports({ ...deps, reader, repositories })
  const alerts = createRiskAlerts({ profile, records: journal.records, reader, emit })
  const openOrders = createOpenOrders({ api: deps.api, monotonic: deps.clock.monotonic, ownCancels: createOwnCancels(deps) })
  deps.onInvalidate((queries) => {
    if (queries.includes('account.orders')) openOrders.forget()
  })
  const views = createAccountViews({ ...deps, reader, openOrders, onRead: alerts.look })

  /** Reads every account that has alerts, even if no window shows it. */
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
    freshRepositories: () => repositoriesNotifying(() => {}),
    fillOf: async (order) => {
      const subject = reader.subject(null)
      if (!subject.ok || subject.value.wallet !== order.wallet) return null
      // New tables, because the tables of the windows show new rows only when the user asks for them.
      const fresh = repositoriesNotifying(() => {})
      const opened = await fresh.open(subject.value, 'trades')
      if (!opened.ok) return 'not_yet'
      const view = fresh.view(subject.value, 'trades', anyRow)
      if (view?.source.route !== 'versioned') return null
      return filledBy(order, { ...view, rows: view.rows.map(known(subject.value)), total: view.rows.length }) ?? 'not_yet'
    },
    handlers: { ...watched.handlers, ...views.handlers, ...history.handlers, ...reports.handlers, ...alerts.handlers },
    start: () => {
      stop = deps.every(watchEveryMs, () => {
        // Ignore a failed read, so that later reads still happen.
        looking = looking.then(watch).catch(() => undefined)
      })
    },
    stop: () => stop(),
    settled: () => looking,
  }
}

interface AccountViewsDeps {
  readonly api: ApiClient
  readonly reader: AccountReader
  readonly openOrders: OpenOrdersReader
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
  /** Called with the result of every account read, regardless of the caller of that read, so that alerts can use it. */
  readonly onRead: (subject: Subject, read: { readonly summary?: AccountSummary; readonly positions?: readonly Position[] }) => void
}

/** Reads the current state of a wallet for all pages: the connected wallet, or a wallet that the user only watches. */
function createAccountViews({ api, reader, openOrders, balances, chain, onRead }: AccountViewsDeps) {
  const collateral = createCollateral({ api, balances, chain })
  const nothing = { params: {}, query: {}, body: undefined } as const
  const twinOf = ({ wallet }: Subject) => ({ ...nothing, query: { wallet }, credential: null }) as const

  const handlers: Handlers<Exclude<keyof typeof account, 'account.riskPreview'>> = {
    'account.summary': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getAccount, { ...nothing, credential }),
        () => api.call(endpoints.getPublicAccount, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const { wallet } = subject.value
      const other = ofAnother(value.wallet, wallet)
      if (other !== null) return fail(other)
      const summary = { ...value, wallet, readAtMs }
      onRead(subject.value, { summary })
      return ok({ ...summary, source })
    },
    'account.positions': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getPositions, { ...nothing, credential }),
        () => api.call(endpoints.getPublicPositions, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      onRead(subject.value, { positions: value.positions })
      return ok({ positions: value.positions, missing: value.missing, source, readAtMs })
    },
    'account.orders': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const read = (credential: KeyCredential | null) => openOrders.read(subject.value.wallet, credential)
      const answer = await reader.read(subject.value, read, read)
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      return ok({ orders: [...value.orders], cut: value.cut, source, readAtMs })
    },
    'account.collateral': async ({ watch }) => {
      const subject = reader.subject(watch)
      if (!subject.ok) return subject
      const answer = await reader.read(
        subject.value,
        (credential) => api.call(endpoints.getCollateral, { ...nothing, credential }),
        () => api.call(endpoints.getPublicCollateral, twinOf(subject.value)),
      )
      if (!answer.ok) return answer
      const { value, source, readAtMs } = answer.value
      const { wallet } = subject.value
      const other = ofAnother(value.wallet, wallet)
      if (other !== null) return fail(other)
      return ok({ ...(await collateral(value, wallet)), source, readAtMs })
    },
  }
  return { handlers }
}

/** Returns a failure if the service answered for a wallet other than the requested one; otherwise null. */
const ofAnother = (said: string | null, asked: string): Failure | null =>
  said === null || said.toLowerCase() === asked.toLowerCase() ? null : { kind: 'wrong_wallet', wallet: said, expected: asked }

interface CollateralDeps {
  readonly api: ApiClient
  readonly balances: ChainBalances
  readonly chain: Pick<Chain, 'hasCode'>
}

const isOwn = (symbol: string): boolean => tokenRole(symbol) === 'own'

/**
 * Reads a wallet's collateral at the exchange, the wallet's balances on the chain, and whether the service accepts a deposit by permit. If the
 * service names no contract for a token, uses the contract from the service's config.
 */
function createCollateral({ api, balances, chain }: CollateralDeps) {
  const nothing = { params: {}, query: {}, body: undefined } as const
  let ownSymbol: string | null = null

  /**
   * Finds the symbol of the protocol's own token. Called if the wallet has no balance in that token. Looks first in the collateral of the service's
   * config, then in the token's market.
   */
  const readOwnSymbol = async (model: unknown): Promise<string | null> => {
    const listed = CollateralState.read(model)
    const [only, ...more] = listed.ok ? listed.value.balances.filter(({ token }) => isOwn(token)) : []
    if (only !== undefined) return more.length === 0 ? only.token : null
    const market = await api.call(endpoints.getTokenMarket, { ...nothing, credential: null })
    const symbol = market.ok ? market.value.value.symbol : null
    return symbol !== null && isOwn(symbol) ? symbol : null
  }

  return async ({ balances: held, missing, unknownFields }: CollateralState, wallet: string): Promise<Omit<Collateral, 'readAtMs'>> => {
    const [config, walletEth, contractWallet] = await Promise.all([
      api.call(endpoints.getConfig, { ...nothing, credential: null }),
      balances.eth(wallet),
      chain.hasCode(wallet),
    ])
    const { contracts = null, collateralModel = null } = config.ok ? config.value.value : {}
    const others = held.map(({ token }) => token).filter(isOwn)
    if (others.length === 0) ownSymbol ??= await readOwnSymbol(collateralModel)
    // If the wallet has balances in several tokens besides USDC, the app does not know to which of them the published contract belongs, so it uses
    // none.
    const publishedFor = (token: string) => (isOwn(token) ? (others.length === 1 ? contracts?.svc : null) : contracts?.usdc) ?? null
    return {
      balances: await Promise.all(
        held.map(async ({ token, contract: named, balance, locked, withdrawable }) => {
          const contract = named ?? publishedFor(token)
          const found = contract === null ? null : await balances.token(contract, wallet)
          return { asset: token, contract, balance, locked, withdrawable, walletBalance: found?.balance ?? null, decimals: found?.decimals ?? null }
        }),
      ),
      tokens: ['USDC', ...new Set(others.length > 0 ? others : ownSymbol === null ? [] : [ownSymbol])].filter(
        (symbol) => TokenSymbol.safeParse(symbol).success,
      ),
      permitOffered: config.ok ? config.value.value.permit : null,
      walletEth,
      contractWallet,
      missing,
      unknownFields,
    }
  }
}
