import { lookup } from 'node:dns/promises'
import { type Address, getAddress } from 'viem'
import type { Clock } from '../../../shared/time.ts'
import type { Faults } from '../base/faults.ts'
import { defaultCaps, type QuotaCaps } from '../base/key-quotas.ts'
import type { PracticeClock } from '../base/practice-clock.ts'
import type { Chain } from '../chain/practice-chain.ts'
import type { WireTypedData } from '../chain/wire-typed-data.ts'
import type { Alteration } from '../dialect/alter.ts'
import { createSpeakers } from '../dialect/speaker.ts'
import { createTruthLog, type LoggedTruth } from '../dialect/truth-log.ts'
import { createEnvelope } from './answer-envelope.ts'
import { createAdmission } from './auth/admission.ts'
import { createKeys } from './auth/api-keys.ts'
import { createAudit } from './auth/audit-rows.ts'
import { createDeveloperAnswers, keyRecord, webhookRecord } from './auth/developer-answers.ts'
import { createExecutionPayment } from './auth/execution-payment.ts'
import { createAgents } from './auth/key-agents.ts'
import { createKeyCreation } from './auth/key-creation.ts'
import { createLimiter } from './auth/limits.ts'
import { createSessions } from './auth/sessions.ts'
import { type Call, createCallLog } from './http/call-log.ts'
import { createRouter } from './http/router.ts'
import { createBreakers } from './market/breakers.ts'
import { createCandles } from './market/candles.ts'
import { createFunding } from './market/funding.ts'
import { createVault } from './market/liquidity-vault.ts'
import { createMarks } from './market/mark-prices.ts'
import { createOwnToken } from './market/own-token.ts'
import { createPricePath } from './market/price-path.ts'
import { createSummaries } from './market/summaries.ts'
import { createVolume } from './market/volume.ts'
import { createFaultSwitch } from './misbehaviour/fault-switch.ts'
import { createPast, type PastRows } from './past/past.ts'
import { createAssess } from './positions/assess.ts'
import { createBacking } from './positions/backing.ts'
import { createLedger } from './positions/ledger.ts'
import { createLiquidations } from './positions/liquidations.ts'
import { accountStatus, positionsOf } from './positions/margin.ts'
import { createMarketMoves } from './positions/market-moves.ts'
import { createOrderBook } from './positions/order-book.ts'
import { createAccountViews } from './routes/account-views.ts'
import { developerRoutes } from './routes/developer.ts'
import { createMarketViews } from './routes/market-views.ts'
import { publicRoutes } from './routes/public.ts'
import { versionedRoutes } from './routes/versioned.ts'
import { webhookRoutes } from './routes/webhook-routes.ts'
import { createHttpServer } from './server.ts'
import { createSpokenForms } from './signing/spoken-form.ts'
import type { LedgerRow } from './state/changes.ts'
import type { AuditRow, KeyRow } from './state/state.ts'
import { createStore } from './state/store.ts'
import type { LifecycleEvent } from './stream/lifecycle.ts'
import { createStream } from './stream/stream.ts'
import { createExecutor } from './trading/command-executor.ts'
import { createDelegated } from './trading/delegated.ts'
import { createPrepare } from './trading/prepare-action.ts'
import { createRiskPreview } from './trading/preview-risk.ts'
import { createRelay } from './trading/relay-intent.ts'
import { createSettlement } from './trading/settlement.ts'
import { createAccountEvents } from './webhooks/account-events.ts'
import type { Resolve } from './webhooks/callback-url.ts'
import { createDeliveries } from './webhooks/deliveries.ts'
import type { DeliveryRecord } from './webhooks/delivery-log.ts'
import { createPost } from './webhooks/post-delivery.ts'
import { createWebhooks } from './webhooks/webhook-subscriptions.ts'

/** What really exists on the exchange, even if its responses say otherwise. Tests use it to check, for example, that nothing happened twice. */
export interface Effects {
  /** Key records of every wallet, oldest first. */
  readonly keys: readonly Record<string, unknown>[]
  readonly positions: readonly Record<string, unknown>[]
  /** Ids of the open orders of every wallet. */
  readonly openOrders: readonly string[]
  /** Webhook subscriptions of every wallet, oldest first. */
  readonly webhooks: readonly Record<string, unknown>[]
  readonly relayed: readonly { readonly intent_id: string; readonly tx_hash: string }[]
  readonly prepared: number
  /** The idempotency keys of the commands that an executor carries out, oldest first; null for a command without one. */
  readonly commands: readonly (string | null)[]
}

/** The stored rows of one wallet, including its invented past trades. Amounts are in the exchange's own units. */
export interface ExchangeRows extends PastRows {
  /** The credits of play collateral that the wallet received, each in USDC. */
  readonly given: readonly string[]
  readonly ledger: readonly LedgerRow[]
}

export interface Exchange {
  /** Starts the HTTP server for `{host_url}` and `{base_url}` on loopback. With port 0, the system chooses the port. */
  listen(port: number): Promise<{ hostUrl: string }>
  /** Starts the server for the second host name, which serves only the versioned API. */
  listenSecond(port: number): Promise<{ hostUrl: string }>
  /** Opens or closes ports as `faults` requires. Call it after changing a fault that makes a host refuse connections. */
  faultsChanged(): Promise<void>
  /** Credits a wallet with play collateral in USDC, unless the wallet has already received it. */
  seedCollateral(wallet: Address, usdc: string): void
  /** Adds the given keys and audit rows, for example sample data. Replaces rows with the same id, and keeps the audit log sorted by time. */
  adopt(rows: { readonly keys: readonly KeyRow[]; readonly audit: readonly AuditRow[] }): void
  /**
   * Adds invented past trades to a wallet's lists, as if the wallet had traded for the last `days` days. Its collateral and positions stay unchanged.
   * A restart removes these trades.
   */
  givePast(wallet: Address, amount: { readonly trades: number; readonly days: number }): { readonly [list in keyof PastRows]: number }
  /** Every request so far, oldest first. */
  calls(): Call[]
  effects(): Effects
  rows(wallet: Address): ExchangeRows
  /** Returns the prepared actions that the exchange altered in its responses, each with its alteration. */
  altered(): readonly { readonly intent_id: string; readonly alteration: Alteration }[]
  /**
   * Returns the values that the exchange meant in its latest responses in a dialect, newest first. `asked` selects one request or one route; without
   * either, returns all that are stored.
   */
  truth(asked: { readonly requestId?: string; readonly route?: string }): readonly LoggedTruth[]
  /** The latest events that the exchange sent or is sending to webhook subscriptions, oldest first. */
  deliveries(): readonly DeliveryRecord[]
  /**
   * Delivers an invented event to every webhook subscription that lists the event, or only to the subscription `webhookId`. Returns the ids of the
   * subscriptions that receive it.
   */
  announce(wallet: Address, event: LifecycleEvent, webhookId?: string): readonly string[]
  /** Disables a webhook subscription, as another program of the user might. Does nothing if there is none. */
  disableWebhook(wallet: Address, webhookId: string): void
  /** Updates the exchange's orders and positions from the chain. The exchange also does this automatically after every block. */
  settle(): Promise<void>
  /** Writes all unsaved data and closes every connection. */
  stop(): Promise<void>
}

export interface ExchangeOptions {
  readonly chain: Chain
  readonly clock: PracticeClock
  /** The current faults. The exchange reads this object at every request, so changing it has an effect at once. */
  readonly faults: Faults
  readonly seed: number
  /** The folder for the state; null keeps the state in memory only. */
  readonly dataDir: string | null
  readonly quotaCaps?: QuotaCaps
  /** Resolves the host names of webhooks; by default, the system's resolver. */
  readonly resolve?: Resolve
  /** A certificate authority (PEM) to trust for webhook receivers, in addition to the usual ones. */
  readonly receiverAuthority?: string
  /** Called if a bug of the practice exchange throws an error. */
  readonly onDefect?: (error: unknown) => void
}

/** Creates the practice exchange. It implements the service of the API document strictly, on loopback and with play money. */
export function createExchange({
  chain,
  clock: rightClock,
  faults,
  seed,
  dataDir,
  quotaCaps: caps = defaultCaps,
  resolve = systemResolve,
  receiverAuthority,
  onDefect = () => {},
}: ExchangeOptions): Exchange {
  const clock: Clock = { now: () => rightClock.now() + faults.clockSkewMs, monotonic: rightClock.monotonic }
  const store = createStore({ dataDir })
  const path = createPricePath({ seed })
  const marks = createMarks({ path, clock, faults })
  const volume = createVolume({ path })
  const funding = createFunding({ path })
  const summaries = createSummaries({ marks, path, volume, funding })
  const audit = createAudit({ store, clock })
  const keys = createKeys({ store, clock })
  const webhooks = createWebhooks({ store, clock })
  const forms = createSpokenForms({ chain })
  const answers = createDeveloperAnswers({ keys, webhooks, clock, faults, forms })
  const sessions = createSessions({ store, clock, faults, audit })
  const ledger = createLedger({ store, clock })
  const assess = createAssess({ ledger, marks })
  const moves = createMarketMoves({ ledger, store, marks, funding, clock })
  const settlement = createSettlement({ chain, store, ledger, moves, marks, clock, forms })
  const executor = createExecutor({ chain, store, clock })
  const backing = createBacking({ chain, store, ledger })
  const candles = createCandles({ marks, path, volume })
  const market = createMarketViews({
    chain,
    clock,
    marks,
    candles,
    summaries,
    orderBook: createOrderBook({ marks, path, ledger }),
    ownToken: createOwnToken({ marks, path }),
    vault: createVault({ marks, path }),
    breakers: createBreakers({ faults, clock }),
    faults,
  })
  const past = createPast({ store, marks, clock, seed })
  const account = createAccountViews({
    chain,
    clock,
    marks,
    store,
    ledger,
    settlement,
    liquidations: createLiquidations({ marks, path, ledger }),
    past,
    faults,
  })
  const deliveries = createDeliveries({
    webhooks,
    post: createPost({ resolve, authority: receiverAuthority ?? null }),
    nowMs: clock.now,
    clock: rightClock,
    faults,
    onDefect,
  })
  const events = createAccountEvents({ chain, store, ledger, clock, announce: deliveries.announce })
  const subscriptionsChanged = () => {
    deliveries.subscriptionsChanged()
    void events.look()
  }
  // Deliver the events that the previous run of the exchange did not deliver.
  void events.look()
  const { router: contract, usdc } = chain
  const prepare = createPrepare({ chain, store, ledger, assess, settlement, marks, clock, faults, forms })

  const spoken = (grant: WireTypedData) => forms.typedData(faults.dialect, grant)

  const router = createRouter([
    ...developerRoutes({
      sessions,
      keys,
      creation: createKeyCreation({ store, keys, audit, answers, clock, router: contract, caps, spoken }),
      agents: createAgents({ store, keys, audit, answers, clock, router: contract, spoken }),
      payment: createExecutionPayment({ store, audit, answers, clock, router: contract, usdc }),
      audit,
      answers,
      store,
      clock,
    }),
    ...webhookRoutes({ webhooks, audit, answers, store, resolve, onChange: subscriptionsChanged }),
    ...versionedRoutes({
      market,
      account,
      prepare,
      delegated: createDelegated({ store, ledger, executor, settlement, marks, clock, faults }),
      preview: createRiskPreview({ ledger, assess, settlement, marks, clock }),
      stream: createStream({ store, ledger, marks, summaries, candles, clock, faults }),
    }),
    ...publicRoutes({ market, account, relay: createRelay({ chain, store, clock, forms }) }),
  ])
  const log = createCallLog()
  const truths = createTruthLog()
  const speakers = createSpeakers()
  const http = createHttpServer({
    router,
    admission: createAdmission({ keys, sessions, limiter: createLimiter({ clock }), clock, faults, caps }),
    audit,
    envelope: createEnvelope({ clock, faults }),
    faults: createFaultSwitch({ faults, clock }),
    log,
    truths,
    speaker: () => speakers(faults.dialect),
    clock: rightClock,
    onDefect,
  })
  // This update fails if the chain is paused or stopped. The next block then triggers another update.
  const unsubscribe = chain.onBlock(
    () =>
      void settlement
        .run()
        .then(() => {
          void events.look()
          return executor.sendQueued()
        })
        .then(backing.run)
        .catch(() => {}),
  )

  return {
    listen: (port) => http.listen('first', port),
    listenSecond: (port) => http.listen('second', port),
    faultsChanged: async () => {
      deliveries.faultsChanged()
      await http.faultsChanged()
    },
    seedCollateral: (wallet, amount) => {
      const address = getAddress(wallet)
      if (store.state.seeds.some((seeded) => seeded.wallet === address)) return
      store.state.seeds.push({ wallet: address, usdc: amount, atMs: clock.now() })
      store.commit()
    },
    adopt: (rows) => {
      const { state } = store
      const others = <T extends { readonly id: string }>(kept: readonly T[], added: readonly T[]) => {
        const ids = new Set(added.map(({ id }) => id))
        return kept.filter(({ id }) => !ids.has(id))
      }
      state.keys = [...others(state.keys, rows.keys), ...rows.keys].toSorted((a, b) => a.createdAtMs - b.createdAtMs)
      const audit = [...others(state.audit, rows.audit), ...rows.audit].toSorted((a, b) => a.atMs - b.atMs)
      state.audit = audit.map((row, index) => ({ ...row, sequence: index + 1 }))
      store.commit()
    },
    givePast: (wallet, amount) => {
      const address = getAddress(wallet)
      past.give(address, amount)
      const { orders, trades, closed, intents } = past.of(address)
      return { orders: orders.length, trades: trades.length, closed: closed.length, intents: intents.length }
    },
    calls: log.all,
    truth: truths.find,
    altered: () => [...prepare.altered].map(([intent_id, alteration]) => ({ intent_id, alteration })),
    effects: () => {
      const { state } = store
      return {
        keys: state.keys.map((key) => keyRecord(key, keys.statusOf(key))),
        positions: ledger.wallets().flatMap((wallet) => positionsOf(accountStatus(ledger.book(wallet), marks)).map((position) => ({ wallet, ...position }))),
        openOrders: ledger.wallets().flatMap((wallet) =>
          ledger
            .book(wallet)
            .orders.filter(({ status }) => status === 'open')
            .map(({ id }) => id),
        ),
        webhooks: state.webhooks.map(webhookRecord),
        relayed: state.intents.flatMap((intent) => (intent.txHash === null ? [] : [{ intent_id: intent.id, tx_hash: intent.txHash }])),
        prepared: state.intents.length,
        commands: state.commands.filter(({ prepareOnly }) => !prepareOnly).map(({ idempotencyKey }) => idempotencyKey),
      }
    },
    rows: (wallet) => {
      const { state } = store
      const [book, before] = [ledger.book(wallet), past.of(wallet)]
      const isOwn = (row: { readonly wallet: Address }) => row.wallet === wallet
      return {
        given: state.seeds.filter(isOwn).map(({ usdc: amount }) => amount),
        ledger: state.ledger.filter(isOwn),
        orders: [...before.orders, ...book.orders],
        trades: [...before.trades, ...book.trades],
        closed: [...before.closed, ...book.closed],
        intents: [...before.intents, ...state.intents.filter(isOwn)],
      }
    },
    deliveries: deliveries.all,
    announce: deliveries.announce,
    disableWebhook: (wallet, webhookId) => {
      const webhook = webhooks.find(wallet, webhookId)
      if (webhook === null || !webhooks.disable(webhook)) return
      store.commit()
      subscriptionsChanged()
    },
    settle: async () => {
      await settlement.run()
      await events.look()
    },
    stop: async () => {
      unsubscribe()
      await deliveries.stop()
      await http.stop()
      store.close()
    },
  }
}

const systemResolve: Resolve = (host) =>
  lookup(host, { all: true }).then(
    (found) => found.map(({ address }) => address),
    () => [],
  )
