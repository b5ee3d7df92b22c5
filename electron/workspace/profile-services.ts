import { endpoints } from '../../shared/api/endpoints/all-endpoints.ts'
import type { Attention } from '../../shared/ipc/host/app.ts'
import { ok } from '../../shared/result.ts'
import { minute, second } from '../../shared/time.ts'
import { createGateway, type Gateway } from '../gateway/gateway.ts'
import { createIntents, type Intents } from '../intents/intents.ts'
import { createPresets, type Presets } from '../intents/presets/presets.ts'
import { createRiskLimits, heldByServiceChange, type RiskLimitsService } from '../intents/risk-limits/risk-limits.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { Audit } from '../keys/audit/audit.ts'
import { createSecretHandlers } from '../keys/delivery/secret-handlers.ts'
import { createKeyAccess, type KeyAccess } from '../keys/keys.ts'
import type { Session } from '../keys/sign-in/session.ts'
import { createKillSwitch, type KillSwitch } from '../kill-switch/kill-switch.ts'
import type { RevokeAll } from '../kill-switch/revoke-all.ts'
import { type AccountPages, createAccountPages } from '../reads/account/account-pages.ts'
import { createRiskPreview } from '../reads/account/risk-alerts.ts'
import { createActivity, createHealth, createRequestConsole } from '../reads/activity/activity.ts'
import { createMarketServices, type MarketServices } from '../reads/markets/market-services.ts'
import type { Markets } from '../reads/markets/markets.ts'
import { createDiscovery, type Discovery } from '../service/capabilities/discovery.ts'
import type { FieldMapService } from '../service/field-names/field-map.ts'
import { createLiveStream, type LiveStream } from '../service/stream/live-stream.ts'
import type { NoteSecretUse } from '../store/secrets/secret-store.ts'
import type { Chain } from '../wallet/chain/chain.ts'
import type { WalletReport } from '../wallet/connection/wallet.ts'
import type { WebhookAccess } from '../webhooks/subscriptions/webhook-parts.ts'
import { createWebhookServices, type WebhookServices } from '../webhooks/webhook-services.ts'
import { type AttentionDeps, createAttention } from './attention.ts'
import { createKeyServices, type KeyServices } from './key-services.ts'
import { createProfileParts, type ProfileParts, type ProfileServicesDeps } from './profile-parts.ts'
import { createRunCheck, type RunCheck } from './service-check/report.ts'
import { createServiceCheck, type ServiceCheck } from './service-check/service-check.ts'
import { createSnoozes } from './snoozes.ts'

export interface ProfileServices {
  readonly handlers: WalletReport['handlers'] &
    Chain['handlers'] &
    Session['handlers'] &
    Audit['handlers'] &
    Discovery['handlers'] &
    MarketServices['handlers'] &
    AccountPages['handlers'] &
    KeyServices['handlers'] &
    WebhookServices['handlers'] &
    TradingServices['handlers'] &
    ReturnType<typeof createSecretHandlers> &
    Gateway['handlers'] &
    ProfileStatus['handlers']
  /** Gives keys to `svc-desk` commands in a terminal. */
  readonly access: KeyAccess
  readonly webhookAccess: WebhookAccess
  /** Lets `svc-desk` commands see and stop the bots of the gateway. */
  readonly gateway: Gateway['access']
  readonly noteSecretUse: NoteSecretUse
  readonly runCheck: RunCheck
  /** The address of the trusted router; null if no router is trusted yet. */
  pinnedRouter(): string | null
  /** Corrects the state of operations that the last run did not finish, then follows those that are still open. Call before any handler. */
  start(): Promise<void>
  readonly follow: ServiceWatch['follow']
  readonly wake: ServiceWatch['wake']
  /** Clears secrets from memory that no running operation needs, because the app is locked. */
  rest(): void
  stop(): void
  /** Resolves when no operation on an intent is running. After `stop`, wait for this and close the client; then the journal can be closed. */
  settled(): Promise<void>
}

/** How often to look for disabled webhooks. The service sends no event about them. */
const webhooksEveryMs = 3 * minute

/** Builds all services of one profile. When the user switches to another profile, the app stops these services and builds new ones. */
export function createProfileServices(deps: ProfileServicesDeps): ProfileServices {
  const parts = createProfileParts(deps)
  const { wallet, chain, session, signInWatch, credentials, webhookSecrets, trust, audit, note } = parts
  const service = createServiceWatch(parts)
  const { discovery, stream } = service
  const { markets, handlers: marketHandlers } = createMarketServices(parts)
  const account = createAccountPages({ ...parts, markets })
  const keys = createKeyServices({
    ...parts,
    payments: { prepare: (...asked) => trading.payments.prepare(...asked), list: (keyId) => trading.payments.list(keyId) },
    gatewayBots: {
      move: (from, to) => gateway.access.moveKey(from, to),
      count: (keyId) => gateway.access.status().bots.filter((bot) => bot.keyId === keyId).length,
      everHad: (keyId) => gateway.access.everHadKey(keyId),
    },
  })
  const webhooks = createWebhookServices({
    ...parts,
    stored: webhookSecrets,
    markets,
    reader: account.reader,
    freshRepositories: account.freshRepositories,
    lookAgain: (ref) => trading.lookAgain(ref),
  })
  const trading = createTradingServices({ ...parts, markets, fillOf: account.fillOf, revokeAll: keys.revokeAll, discovery })
  const gateway = createGateway({ ...parts, riskLimits: trading.riskLimits, socket: parts.gatewaySocket, permit: parts.gatewayPermit })
  const secretHandlers = createSecretHandlers({ ...parts, holds: { key: keys.holdKey, webhook: webhooks.holdSecret } })
  const status = createProfileStatus({
    ...parts,
    stream,
    changes: discovery.changes,
    failing: webhooks.failing,
    draftOf: keys.draftOf,
    more: (address) => [...trading.attention(address), ...keys.attention(address), ...webhooks.attention(address)],
  })
  // Stop the gateway first, so that no bot sends an order while the rest ends. Stop `trading` before `keys`: a kill switch in `trading` may be about to
  // start the revocation of keys.
  const ending = [gateway, webhooks, trading, keys, account]
  return {
    handlers: {
      ...wallet.handlers,
      ...chain.handlers,
      ...session.handlers,
      ...audit.handlers,
      ...discovery.handlers,
      ...marketHandlers,
      ...account.handlers,
      ...keys.handlers,
      ...webhooks.handlers,
      ...trading.handlers,
      ...secretHandlers,
      ...gateway.handlers,
      // Bots stop before the kill switch does anything, or they would open again what it closes. Plans stop, or they would make new keys meanwhile.
      'bulkActions.start': (input) => {
        if (input.kind === 'kill') keys.pausePlans()
        gateway.access.pauseForExit()
        return trading.handlers['bulkActions.start'](input)
      },
      'bulkActions.revoke': (input) => {
        keys.pausePlans()
        return trading.handlers['bulkActions.revoke'](input)
      },
      'revokeAll.start': (input) => {
        keys.pausePlans()
        gateway.access.pauseForExit()
        return keys.handlers['revokeAll.start'](input)
      },
      ...status.handlers,
    },
    access: createKeyAccess(credentials),
    webhookAccess: webhooks.access,
    gateway: gateway.access,
    noteSecretUse: note,
    runCheck: trading.runCheck,
    pinnedRouter: trust.router,
    start: async () => {
      await keys.recover()
      await webhooks.recover()
      await trading.start()
      keys.start()
      signInWatch.start()
      account.start()
      await gateway.start()
    },
    follow: () => {
      const ends = [service.follow(), deps.every(second, status.watch), deps.every(webhooksEveryMs, webhooks.watch)]
      return () => {
        for (const end of ends) end()
      }
    },
    wake: service.wake,
    rest: () => {
      keys.rest()
      webhookSecrets.rest()
    },
    stop: () => {
      for (const area of ending) area.stop()
      signInWatch.stop()
    },
    settled: async () => {
      for (const area of ending) await area.settled()
    },
  }
}

interface ProfileStatusDeps extends ProfileParts, Pick<AttentionDeps, 'changes' | 'failing' | 'draftOf' | 'more'> {
  readonly stream: Pick<LiveStream, 'state'>
}

type ProfileStatusCall =
  | 'app.clock'
  | 'app.health'
  | 'app.attention'
  | 'app.snooze'
  | 'app.wake'
  | 'app.acceptRebuiltJournal'
  | 'notices.list'
  | 'notices.mark'
  | 'activity.secrets'
  | 'requests.list'
  | 'requests.get'

interface ProfileStatus {
  /** Updates the attention list. Call it every second. */
  watch(): void
  readonly handlers: Handlers<ProfileStatusCall>
}

/** The profile's status and history: its health, the attention list, the notices, the running operations that use secrets, and the log of every request. */
function createProfileStatus(deps: ProfileStatusDeps): ProfileStatus {
  const { api, journal, notices, wallet } = deps
  const health = createHealth(deps)
  const attention = createAttention({ ...deps, health, snoozes: createSnoozes(deps) })
  return {
    watch: attention.watch,
    handlers: {
      ...createActivity(deps).handlers,
      ...createRequestConsole(deps).handlers,
      ...attention.handlers,
      'app.clock': async () => ok({ offsetMs: api.clockOffsetMs() }),
      'app.acceptRebuiltJournal': async () => {
        journal.acceptRebuilt()
        return ok<Record<never, never>>({})
      },
      'notices.list': () => {
        const whose = wallet.shown()
        return ok(whose.ok ? notices.list(whose.value) : [])
      },
      'notices.mark': ({ ids, read }) => {
        notices.mark(ids, read)
        return ok({})
      },
    },
  }
}

interface ServiceWatch {
  readonly stream: Pick<LiveStream, 'state'>
  readonly discovery: Discovery
  /**
   * Asks the service for its time once. Then follows the account's event stream and the data that the service publishes about itself. Returns at
   * once, without waiting for an answer: a function that stops the following.
   */
  follow(): () => void
  /** Call after the computer slept or its clock was set: treats the open stream as dead, and asks the service for its time again. */
  wake(): Promise<void>
}

/** Time limit for the request that asks for the service's time. Short, because the user's own requests wait for it. */
const clockDeadlineMs = 5 * second
/**
 * Time limit for reading the snapshot that contains the number of the stream's newest event. Short, because the app holds back the stream's events
 * until the snapshot arrives.
 */
const snapshotDeadlineMs = 5 * second
/**
 * How often to read the data that the service publishes about itself. This data seldom changes, and every response's headers already reveal a new
 * API version.
 */
const discoverEveryMs = 5 * minute
const watchEveryMs = 2 * second

const nothing = { params: {}, query: {}, body: undefined } as const

/** Follows what the service reports without a user's request: changes of the account, its published data and its time. */
function createServiceWatch(parts: ProfileParts): ServiceWatch {
  const { api, credentials, wallet, marketKey, outlets, emit, every, clock, log } = parts
  const discovery = createDiscovery({ ...parts, key: marketKey, pinnedRouter: parts.trust.router, log: (drifts) => log('drift', { drifts }) })
  const stream = createLiveStream({
    open: api.openStream,
    // Open no stream while the app is locked, because an open stream keeps its key in memory. No window shows the data then, and the app follows
    // orders by polling.
    wallet: () => (outlets.unlocked() ? (wallet.current()?.address ?? null) : null),
    credential: (address) => credentials.forScope(address, 'account:read'),
    sequence: async (address) => {
      const key = await credentials.forScope(address, 'market:read')
      if (!key.ok) return null
      const answer = await api.call(endpoints.getSnapshot, { ...nothing, credential: key.value, deadlineMs: snapshotDeadlineMs })
      return answer.ok ? answer.value.value.sequence : null
    },
    market: async (address) => {
      const key = await credentials.forScope(address, 'market:read')
      if (!key.ok) return null
      const answer = await api.call(endpoints.getMarkets, { ...nothing, credential: key.value, deadlineMs: snapshotDeadlineMs })
      return answer.ok ? (answer.value.value.markets[0]?.id ?? null) : null
    },
    onOld: (queries) => emit({ type: 'invalidate', queries }),
    clock,
  })
  /**
   * Measures again how much the service's clock differs from this computer's clock. Any request is enough, because every answer has a `Date` header.
   * Until the answer arrives, the app assumes no difference.
   */
  const recheckClock = async () => {
    await api.call(endpoints.getPublicStatus, { ...nothing, credential: null, deadlineMs: clockDeadlineMs })
  }
  /** Runs the work in the background. If it fails, only logs the failure, because the app repeats the work regularly. */
  const begin = (work: () => Promise<void>) => void work().catch((error: unknown) => log('watch', { error: String(error) }))
  return {
    stream,
    discovery,
    follow: () => {
      begin(recheckClock)
      const ends = [every(second, stream.tick), every(discoverEveryMs, discovery.read), every(watchEveryMs, discovery.watch)]
      begin(discovery.read)
      return () => {
        for (const end of ends) end()
        stream.stop()
      }
    },
    wake: async () => {
      stream.again()
      await recheckClock()
    },
  }
}

interface TradingServicesDeps extends ProfileParts {
  readonly markets: Markets
  readonly revokeAll: RevokeAll
  readonly fillOf: AccountPages['fillOf']
  readonly discovery: Pick<Discovery, 'held'>
}

interface TradingServices {
  /** Items for the attention list about the wallet's kill switch. */
  attention(wallet: string): Attention[]
  /** Corrects the state of operations that the last run did not finish, then follows those that are still open. */
  start(): Promise<void>
  stop(): void
  readonly payments: Intents['payments']
  readonly riskLimits: RiskLimitsService
  /** Runs the service check for `svc-desk` in a terminal. */
  readonly runCheck: RunCheck
  /** Looks up an intent's transactions, however long ago it ended. */
  lookAgain(ref: string): Promise<void>
  /** Resolves when no operation on an intent is running. */
  settled(): Promise<void>
  readonly handlers: FieldMapService['handlers'] &
    ServiceCheck['handlers'] &
    Presets['handlers'] &
    RiskLimitsService['handlers'] &
    ReturnType<typeof createRiskPreview>['handlers'] &
    Intents['handlers'] &
    KillSwitch['handlers']
}

/** Everything that places orders, through the wallet or a key's executor, and everything that can block an order. */
function createTradingServices({ discovery, ...parts }: TradingServicesDeps): TradingServices {
  const presets = createPresets(parts)
  const rails = createRiskLimits(parts)
  const riskLimits = heldByServiceChange(rails, discovery)
  const serviceCheck = createServiceCheck(parts)
  parts.onAnswer(serviceCheck.answered)
  const riskPreview = createRiskPreview(parts)
  const intents = createIntents({ ...parts, riskLimits })
  const killSwitch = createKillSwitch({ ...parts, intents: intents.handlers })
  return {
    attention: killSwitch.attention,
    payments: intents.payments,
    riskLimits,
    runCheck: createRunCheck({ check: serviceCheck, wallet: parts.wallet }),
    start: async () => {
      await intents.start()
      killSwitch.start()
    },
    stop: () => {
      serviceCheck.stop()
      killSwitch.stop()
      intents.stop()
    },
    lookAgain: intents.lookAgain,
    settled: async () => {
      await serviceCheck.settled()
      await killSwitch.settled()
      await intents.settled()
    },
    handlers: {
      ...parts.fieldMap.handlers,
      ...serviceCheck.handlers,
      ...presets.handlers,
      ...riskLimits.handlers,
      ...riskPreview.handlers,
      ...intents.handlers,
      ...killSwitch.handlers,
    },
  }
}
