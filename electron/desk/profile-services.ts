import { endpoints } from '../../shared/api/endpoints/all.ts'
import { ok } from '../../shared/result.ts'
import { minute, second } from '../../shared/time.ts'
import { createAccountPages } from '../account/account-pages.ts'
import { createRiskPreview } from '../account/risk-preview.ts'
import { createActivity } from '../activity/activity.ts'
import { createAttention } from '../activity/attention.ts'
import { createHealth, type HealthWatch } from '../activity/health.ts'
import { createRequestConsole } from '../activity/request-console.ts'
import type { ApiClient } from '../api/api-client.ts'
import { coalescing } from '../api/coalescing.ts'
import { createDeadline, sleep as pause } from '../api/deadline.ts'
import type { FileDialogs } from '../app/file-dialogs.ts'
import { createSaveText } from '../app/save-text.ts'
import { createAudit } from '../audit/audit.ts'
import { createChainBalances } from '../chain/balances.ts'
import { createChain } from '../chain/chain.ts'
import type { PostJson } from '../chain/rpc.ts'
import { createChainTransactions } from '../chain/transactions.ts'
import { createCorrections } from '../corrections/corrections.ts'
import { createDiscovery } from '../discovery/discovery.ts'
import { heldByDrift } from '../discovery/held-by-drift.ts'
import { createExecution } from '../execution/execution.ts'
import { createGuards } from '../guards/guards.ts'
import type { Handlers } from '../ipc/handlers.ts'
import type { Journal, Vault } from '../journal/journal.ts'
import { createCredentials } from '../keys/credentials.ts'
import { createKeyShelf, type KeyShelf } from '../keys/key-shelf.ts'
import { createKeys } from '../keys/keys.ts'
import { createFavourites } from '../markets/favourites.ts'
import { createMarketLists } from '../markets/market-lists.ts'
import { createMarketState } from '../markets/market-state.ts'
import { createMarkets } from '../markets/markets.ts'
import { createReadings } from '../markets/readings.ts'
import { createBroadcasts } from '../orders/broadcasts.ts'
import { createOrders } from '../orders/orders.ts'
import { createPanic } from '../panic/panic.ts'
import { createPins } from '../pins/pins.ts'
import { createPublishedContract } from '../pins/published-contract.ts'
import { createTokenPins } from '../pins/token-pins.ts'
import { createPresets } from '../presets/presets.ts'
import { createReplacements } from '../replacements/replacements.ts'
import type { ClipboardSource } from '../secrets/clipboard-source.ts'
import { createHeldSecrets } from '../secrets/held-secrets.ts'
import { watchKeychain } from '../secrets/keychain-watch.ts'
import type { Secret } from '../secrets/secret.ts'
import { createSecretHandlers, type SecretOutlets } from '../secrets/secret-handlers.ts'
import type { SecretStore } from '../secrets/secret-store.ts'
import type { NoteSecretUse } from '../secrets/secret-use.ts'
import type { Emit, Every } from '../session/events.ts'
import { lastUsedWallet } from '../session/last-used-wallet.ts'
import type { ProfileFacts } from '../session/profile-facts.ts'
import type { ServiceClock } from '../session/service-clock.ts'
import { createSession } from '../session/session.ts'
import { createSignInWatch } from '../session/sign-in-watch.ts'
import { tellingRefusals } from '../session/telling-refusals.ts'
import { createWallet } from '../session/wallet.ts'
import { createLiveStream, type LiveStream } from '../stream/live-stream.ts'
import { createSweeps } from '../sweeps/sweeps.ts'
import { createGapCheck } from '../webhooks/gaps/gap-check.ts'
import { createLabService } from '../webhooks/lab/lab-service.ts'
import { createPost } from '../webhooks/post.ts'
import { createReceiverTests } from '../webhooks/receiver-test/receiver-test-service.ts'
import type { LookUp } from '../webhooks/webhook-host.ts'
import { createWebhookShelf, type WebhookShelf } from '../webhooks/webhook-shelf.ts'
import { createWebhooks } from '../webhooks/webhooks.ts'
import { createKeyCare } from './key-care.ts'

export interface ProfileServicesDeps {
  readonly profile: ProfileFacts
  /** As the user knows it. */
  readonly profileName: string
  /** The profile's own client. */
  readonly api: ApiClient
  readonly journal: Journal
  readonly vault: Vault
  readonly secrets: SecretStore
  readonly clock: ServiceClock
  readonly post: PostJson
  readonly rpcUrl: () => Promise<string>
  readonly connection: () => { readonly relayUrl: string; readonly projectId: string; readonly appUrl: string }
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly clipboard: ClipboardSource
  readonly files: FileDialogs
  /** Through which secrets leave the app. */
  readonly outlets: SecretOutlets
  /** Of webhook hosts. */
  readonly lookUp: LookUp
  readonly emit: Emit
  readonly every: Every
  readonly sleep: (ms: number) => Promise<void>
  readonly newId: () => string
  /** The app's own log. */
  readonly log?: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

/** The service's time is worth no longer wait than what is asked for by the user. */
const clockDeadlineMs = 5 * second
/** The events of the stream wait for it. */
const snapshotDeadlineMs = 5 * second
/** What the service publishes of itself changes seldom; that its answers carry other versions is seen in each of them. */
const discoverEveryMs = 5 * minute
const watchEveryMs = 2 * second

type ServiceName = keyof ReturnType<typeof compose>['offered']['handlers']

export interface ProfileServices {
  readonly handlers: Handlers<ServiceName>
  readonly health: HealthWatch
  /** For the terminal. */
  readonly shelf: KeyShelf
  readonly webhookShelf: WebhookShelf
  readonly noteSecretUse: NoteSecretUse
  /** The account's stream; asked for from `follow` on. */
  readonly stream: LiveStream
  /** Settles what the last run left half done, then follows what is open. Before any handler is called. */
  start(): Promise<void>
  /** From now on asks for the account's stream and listens to it; returns the way to stop. */
  follow(): () => void
  /** Asks the service for its time: at the start, and after the computer slept. */
  recheckClock(): Promise<void>
  stop(): void
  /** Resolves when nothing is being done to any intent: after `stop`, and after the client was closed, the journal may be closed. */
  settled(): Promise<void>
}

/** Everything that one profile does, put together. A change of profile stops one set and makes another. */
export function createProfileServices(deps: ProfileServicesDeps): ProfileServices {
  const { offered, parts } = compose(deps)
  const { keys, replacements, panic, sweeps, webhooks, lab, receiverTests, broadcasts, orders, execution, care, signInWatch, discovery, accountPages } = parts
  return {
    ...offered,
    start: async () => {
      await keys.recover()
      await webhooks.recover()
      replacements.recover()
      panic.recover()
      await orders.recover()
      orders.tracker.start()
      await execution.recover()
      execution.tracker.start()
      sweeps.start()
      await care.start()
      signInWatch.start()
      accountPages.start()
    },
    follow: () => {
      const ends = [
        deps.every(second, () => void offered.stream.tick()),
        deps.every(discoverEveryMs, () => void discovery.read()),
        deps.every(watchEveryMs, discovery.watch),
      ]
      void discovery.read()
      return () => {
        for (const end of ends) end()
        offered.stream.stop()
      }
    },
    recheckClock: async () => {
      // Whatever it answers carries a `Date`.
      await deps.api.call(endpoints.getPublicStatus, { params: {}, query: {}, body: undefined, credential: null, deadlineMs: clockDeadlineMs })
    },
    stop: () => {
      lab.stop()
      sweeps.stop()
      panic.stop()
      orders.tracker.stop()
      execution.tracker.stop()
      care.stop()
      signInWatch.stop()
      accountPages.stop()
      receiverTests.stop()
    },
    settled: async () => {
      await lab.settled()
      await sweeps.settled()
      await panic.settled()
      await broadcasts.idle()
      await orders.settled()
      await execution.settled()
      await care.settled()
      await accountPages.settled()
      await receiverTests.settled()
    },
  }
}

function compose(deps: ProfileServicesDeps) {
  const { profile, journal, vault, post, rpcUrl, connection, copySecret, every, sleep, newId, clock } = deps
  const secrets = watchKeychain(deps.secrets, clock)
  const shared = coalescing(deps.api)
  const emit: Emit = (event) => {
    // What a window reads again from now on is no older than what it was told.
    if (event.type === 'invalidate') shared.fence()
    deps.emit(event)
  }
  const wallet = createWallet({ profile, vault, connection, lastUsed: () => lastUsedWallet(journal, profile.id) })
  const credentials = createCredentials({ profile, journal, secrets, clock })
  const chain = createChain({ rpcUrl, post })
  const marketKey = async () => {
    const address = wallet.current()?.address
    const credential = address === undefined ? null : await credentials.forScope(address, 'market:read')
    return credential?.ok === true ? credential.value : null
  }
  const published = createPublishedContract({ api: shared, key: marketKey })
  const pinning = { profile, values: journal.values, hasCode: chain.hasCode, rpcHost: async () => new URL(await rpcUrl()).host }
  const pins = createPins({ ...pinning, published: published('router') })
  const tokens = createTokenPins({ ...pinning, published })
  const transactions = createChainTransactions({ rpcUrl, post })
  const broadcasts = createBroadcasts({ profile, journal })
  const signInWatch = createSignInWatch({ clock, emit, every, connected: () => wallet.current()?.address ?? null })
  const session = createSession({ profile, api: shared, vault, secrets, pins, wallet, chain, watch: signInWatch, clock, newId })
  const api = tellingRefusals(shared, session.refused)
  const readings = createReadings()
  const markets = createMarkets({ api, credentials, wallet, clock, readings })
  const marketState = createMarketState({ api, credentials, wallet, clock, readings })
  const marketLists = createMarketLists({ api, credentials, wallet, clock, candles: markets.handlers['markets.candles'] })
  const favourites = createFavourites({ profile, values: journal.values })
  const balances = createChainBalances({ rpcUrl, post })
  const corrections = createCorrections({ profile, values: journal.values, files: deps.files })
  const riskPreview = createRiskPreview({ api, credentials, wallet, markets, corrections: corrections.current })
  const accountPages = createAccountPages({ profile, api, journal, credentials, wallet, markets, balances, chain, files: deps.files, clock, emit, every })
  const discovery = createDiscovery({ profile, api, key: marketKey, values: journal.values, emit, clock, log: (drifts) => deps.log?.('drift', { drifts }) })
  const rails = createGuards({ profile, profileName: deps.profileName, values: journal.values, api, credentials, wallet, markets, clock })
  const guards = heldByDrift(rails, discovery)
  const presets = createPresets({ profile, values: journal.values })
  const { files, clipboard } = deps
  const saveText = createSaveText(files)
  const webhookSecrets = createHeldSecrets({ kind: 'webhook', profileId: profile.id, index: journal.webhookIndex, values: journal.values, secrets })
  const audit = createAudit({
    ...{ profile, api, journal, wallet, signIn: session.signIn, saveText, clock, emit, newId },
    ownerOf: ({ of, keyId }) =>
      of === 'webhook'
        ? (webhookSecrets.entries().find((entry) => entry.keyId === keyId)?.wallet ?? null)
        : (credentials.facts(keyId)?.wallet ?? credentials.entries().find((entry) => entry.keyId === keyId)?.wallet ?? null),
  })
  const keys = createKeys({
    profile,
    api,
    journal,
    vault,
    secrets,
    credentials,
    wallet,
    signIn: session.signIn,
    pins,
    chain,
    clock,
    emit,
    newId,
    copySecret,
    importSources: { clipboard, chooseFile: () => files.chooseToOpen({ title: 'Import an API key', button: 'Import', kinds: [] }) },
    note: audit.noteUse,
  })
  const care = createKeyCare({
    profile,
    api,
    journal,
    vault,
    credentials,
    list: keys.work.list,
    wallet,
    session,
    pins,
    tokens,
    chain,
    transactions,
    broadcasts,
    files,
    clock,
    emit,
    every,
    newId,
  })
  const replacements = createReplacements({
    ...keys.work,
    bindExecutor: async (keyId, executor, before, confirmLabel) => care.handlers['agents.bindExecutor']({ keyId, executor, before, confirmLabel }),
  })
  const saveTable = (suggested: string) =>
    files.chooseToSave({ title: 'Save the report', button: 'Save', kinds: [{ name: 'Table', extensions: ['csv'] }], suggested })
  const panic = createPanic({ ...keys.work, sleep, chooseReport: saveTable })
  const webhooks = createWebhooks({
    profile,
    api,
    journal,
    secrets,
    held: webhookSecrets,
    wallet,
    signIn: session.signIn,
    clock,
    emit,
    newId,
    lookUp: deps.lookUp,
    copySecret,
    note: audit.noteUse,
  })
  const receiverTests = createReceiverTests({
    post: createPost({ clock, startDeadline: createDeadline }),
    sleep: pause,
    newId: () => `evt_sample_${newId()}`,
    held: webhookSecrets,
    lookUp: deps.lookUp,
    copySecret,
    reveal: deps.outlets.reveal,
    saveText,
    vault,
    profileId: profile.id,
    clock,
    emit,
    log: deps.log ?? (() => {}),
  })
  const shelf = createKeyShelf(credentials)
  const webhookShelf = createWebhookShelf(webhookSecrets)
  const lab = createLabService({ shelf: webhookShelf, vault, profileId: profile.id, clock, emit })
  const gapCheck = createGapCheck({
    ...{ profile, journal, markets, clock, reader: accountPages.reader, freshBooks: accountPages.freshBooks },
    signIn: session.signIn,
    webhooks: async () => webhooks.handlers['webhooks.list']({}),
    lab: lab.labRecord,
    saveText,
  })
  const holds = { key: keys.holdKey, webhook: webhooks.holdSecret }
  const leaving = createSecretHandlers({ profile, holds, outlets: deps.outlets, files, note: audit.noteUse, clock, newId })
  const orders = createOrders({
    corrections: corrections.current,
    profile,
    api,
    journal,
    vault,
    credentials,
    wallet,
    chain,
    transactions,
    broadcasts,
    guards,
    pins,
    tokens,
    markets,
    clock,
    emit,
    every,
    sleep,
    newId,
  })
  const execution = createExecution({
    profile,
    api,
    journal,
    vault,
    credentials,
    wallet,
    markets,
    guards,
    corrections: corrections.current,
    clock,
    emit,
    every,
    sleep,
    newId,
  })
  const sweeps = createSweeps({
    ...{ profile, api, journal, credentials, wallet, markets, orders, panic, clock, emit, every, newId },
    execute: async (order) => execution.handlers['execution.execute'](order),
    chooseReport: saveTable,
  })
  const stream = createLiveStream({
    open: api.openStream,
    wallet: () => wallet.current()?.address ?? null,
    credential: (address) => credentials.forScope(address, 'account:read'),
    sequence: async (address) => {
      const key = await credentials.forScope(address, 'market:read')
      if (!key.ok) return null
      const answer = await api.call(endpoints.getSnapshot, { params: {}, query: {}, body: undefined, credential: key.value, deadlineMs: snapshotDeadlineMs })
      return answer.ok ? answer.value.value.sequence : null
    },
    onOld: (queries) => emit({ type: 'invalidate', queries }),
    clock,
  })
  const activity = createActivity({ profile, journal, wallet })
  const requestConsole = createRequestConsole({ profile, journal, wallet })
  const health = createHealth({ api, stream, secrets, journal, clock })
  const more = (address: string) => [
    ...sweeps.attention(address),
    ...panic.attention(address),
    ...replacements.attention(address),
    ...webhooks.attention(address),
    ...care.attention(address),
  ]
  const attention = createAttention({ profile, journal, credentials, api, session, health, wallet, draftOf: keys.draftOf, more, clock })
  const own: Handlers<'app.clock' | 'app.health' | 'app.attention' | 'app.acceptRebuiltJournal'> = {
    'app.clock': async () => ok({ offsetMs: api.clockOffsetMs() }),
    'app.health': async () => ok(await health.read()),
    'app.attention': async () => ok(await attention()),
    'app.acceptRebuiltJournal': async () => {
      journal.acceptRebuilt()
      return ok<Record<never, never>>({})
    },
  }
  const handlers = {
    ...wallet.handlers,
    ...chain.handlers,
    ...session.handlers,
    ...keys.handlers,
    ...replacements.handlers,
    ...webhooks.handlers,
    ...lab.handlers,
    ...receiverTests.handlers,
    ...gapCheck,
    ...panic.handlers,
    ...leaving,
    ...markets.handlers,
    ...marketState.handlers,
    ...marketLists.handlers,
    ...favourites.handlers,
    ...riskPreview.handlers,
    ...accountPages.handlers,
    ...guards.handlers,
    ...discovery.handlers,
    ...presets.handlers,
    ...corrections.handlers,
    ...sweeps.handlers,
    ...orders.handlers,
    ...execution.handlers,
    ...care.handlers,
    ...audit.handlers,
    ...activity.handlers,
    ...requestConsole.handlers,
    ...own,
  }
  return {
    offered: { handlers, health, stream, shelf, webhookShelf, noteSecretUse: audit.noteUse },
    parts: { keys, replacements, panic, sweeps, webhooks, lab, receiverTests, broadcasts, orders, execution, care, signInWatch, discovery, accountPages },
  }
}
