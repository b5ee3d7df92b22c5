import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import type { Clock } from '../../shared/time.ts'
import { endAll, sleep } from '../kernel/deadline.ts'
import type { Every } from '../kernel/events.ts'
import type { FileDialogs } from '../kernel/files/dialogs.ts'
import type { Parsing } from '../kernel/parsing/parsing.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { ClipboardSource, SecretClipboard } from '../keys/delivery/clipboard.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import { createApiClient } from '../service/api/client.ts'
import { createServiceClock, createVitalSigns, judgedByTime } from '../service/api/vital-signs.ts'
import { createStoredMap } from '../service/field-names/stored-map.ts'
import { createDispatchers, createOpenDispatcher } from '../service/transport/dispatcher.ts'
import type { Limiter } from '../service/transport/limiter.ts'
import { createBreaker, createRetryBudget } from '../service/transport/retry.ts'
import type { ProxyEnvironment } from '../service/transport/system-proxy.ts'
import type { Vault } from '../store/journal/journal.ts'
import { openJournal, type SqliteJournal } from '../store/journal/tables/sqlite-journal.ts'
import { watchKeychain } from '../store/keychain/keychain-process.ts'
import { practiceName } from '../store/records/profile-store.ts'
import { vaultAccount } from '../store/secrets/erase-profile.ts'
import type { SecretStore } from '../store/secrets/secret-store.ts'
import { openVault } from '../store/secrets/vault.ts'
import { publicBaseRpc } from '../wallet/chain/chain.ts'
import { createPostJson } from '../wallet/chain/rpc.ts'
import { systemLookUp } from '../webhooks/subscriptions/webhook-parts.ts'
import { createProfileServices, type ProfileServices } from './profile-services.ts'
import type { ActiveProfile } from './workspace-switch.ts'

export interface WorkspaceParts {
  readonly profile: ActiveProfile
  readonly clock: Clock
  /** Limits requests to a host. Shared by everything that sends to the same host. */
  readonly limiter: Limiter
  readonly journalFile: string
  readonly secrets: SecretStore
  readonly clipboard: SecretClipboard
  readonly clipboardSource: ClipboardSource
  readonly files: FileDialogs
  readonly parsing: Parsing
  readonly outlets: SecretOutlets
  readonly version: string
  readonly proxy: ProxyEnvironment
  /** The proxy through which the app sends reads to the exchange's second host (GEN-02). */
  readonly secondProxy: ProxyEnvironment
  readonly emit: (event: AppEvent) => void
  readonly every: Every
  readonly projectId: () => string
  /** Called when the service refuses a request because of its rate limit. */
  readonly onLimited: (retryAfterMs: number) => void
  /** Writes to the app's own log. */
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
  /** The RPC that the user set for this profile; null for the default. */
  readonly rpcUrl: () => Promise<string | null>
}

export interface Workspace
  extends Pick<ProfileServices, 'handlers' | 'access' | 'webhookAccess' | 'gateway' | 'noteSecretUse' | 'runCheck' | 'pinnedRouter' | 'wake'> {
  readonly profileId: string
  /** The base URL of the service, which the service's document calls `{host_url}`. */
  readonly hostUrl: string
  readonly kind: 'live' | 'practice'
  readonly journal: SqliteJournal
  readonly vault: Vault
  /** The loopback relay that the page may connect to; null for a live profile. */
  readonly practiceRelay: string | null
  clockOffsetMs(): number | null
  /** From now on, also sends reads to this second host (GEN-02). null: sends reads only to the first host. */
  readBySecondHost(hostUrl: string | null, proxy: ProxyEnvironment): void
  /** Clears secrets from memory that no running operation needs, because the app is locked. */
  rest(): Promise<void>
  close(): Promise<void>
}

/**
 * Queries whose answers depend on encrypted records. Those records count as missing while the keychain is locked, so the windows repeat the queries
 * after the unlock.
 */
const keptSealed = ['lab.state', 'receiverTest.state', 'app.health', 'app.attention'] as const
const publicRelay = 'wss://relay.walletconnect.org'
/** The URL that the phone shows for the app. The domain is reserved for examples, so it can't belong to anyone. */
const appUrl = 'https://svc-desk.example'
/** The wallet library requires a project ID. The practice relay ignores it. */
const practiceProjectId = '0'.repeat(32)

/**
 * Opens the profile's journal, corrects the state of operations that the last run did not finish, and starts the profile's services. Throws
 * `ExpectedFailure` if another process has the journal open. Before it throws, it closes everything that it opened.
 */
export async function buildWorkspace(parts: WorkspaceParts): Promise<Workspace> {
  const { profile } = parts
  const facts = factsOf(profile)
  const vitalSigns = createVitalSigns(parts.clock, () => parts.emit({ type: 'invalidate', queries: judgedByTime }))
  const clock = createServiceClock(parts.clock, vitalSigns)
  const secrets = watchKeychain(parts.secrets, clock, () => parts.emit({ type: 'invalidate', queries: keptSealed }))
  const journal = openJournal({ file: parts.journalFile, clock })
  /** The functions that close everything opened so far, in the order in which the workspace must call them. */
  const open: (() => unknown)[] = [journal.close]
  const close = () => endAll(open.splice(0), (error) => parts.log('close', { error: String(error) }))
  try {
    const rpcDispatcher = createOpenDispatcher(parts.proxy)
    open.unshift(() => rpcDispatcher.destroy())
    const storedMap = createStoredMap({ profileId: facts.id, records: journal.records })
    // The client opens no connection until the services make their first call.
    const api = createApiClient({
      hostUrl: facts.hostUrl,
      version: parts.version,
      clock: parts.clock,
      ...createDispatchers(new URL(facts.hostUrl), parts.proxy),
      limiter: parts.limiter,
      breaker: createBreaker(parts.clock),
      budget: createRetryBudget(),
      vitalSigns,
      sleep,
      random: Math.random,
      fieldMap: storedMap.answers,
      onExchange: (record, wallet, note) => journal.requests.add(facts.id, record, wallet, note),
      onLimited: parts.onLimited,
    })
    const readBySecondHost = (hostUrl: string | null, proxy: ProxyEnvironment) =>
      api.readBySecondHost(hostUrl === null ? null : { hostUrl, ...createDispatchers(new URL(hostUrl), proxy) })
    readBySecondHost(profile.secondHostUrl ?? null, parts.secondProxy)
    const vault = openVault({ journal, secrets, account: vaultAccount(facts.id), mayKeep: parts.outlets.unlocked })
    const services = createProfileServices({
      profile: facts,
      profileName: profile.kind === 'practice' ? practiceName : profile.name,
      api,
      storedMap,
      journal,
      vault: vault.records,
      secrets,
      clock,
      post: createPostJson(rpcDispatcher),
      rpcUrl: async () => (profile.kind === 'practice' ? profile.descriptor.rpcUrl : ((await parts.rpcUrl()) ?? publicBaseRpc)),
      connection: () =>
        profile.kind === 'practice'
          ? { relayUrl: profile.descriptor.relayUrl, projectId: practiceProjectId, appUrl }
          : { relayUrl: publicRelay, projectId: parts.projectId(), appUrl },
      copySecret: async (secret) => clock.now() + (await parts.clipboard.copySecret(secret)).clearsInMs,
      clipboard: parts.clipboardSource,
      files: parts.files,
      parsing: parts.parsing,
      outlets: parts.outlets,
      gatewaySocket: gatewaySocket(parts.journalFile),
      gatewayPermit: join(dirname(parts.journalFile), 'gateway.permit'),
      plansPermit: join(dirname(parts.journalFile), 'plans.permit'),
      lookUp: systemLookUp,
      emit: parts.emit,
      every: parts.every,
      sleep: async (ms) => {
        await sleep(ms)
      },
      newId: () => randomBytes(16).toString('hex'),
      log: parts.log,
    })
    // Close the services and the API client before the journal, because running calls still write their outcome to it.
    open.unshift(services.stop, api.close, services.settled)
    await services.start()
    open.unshift(services.follow())
    return {
      profileId: facts.id,
      handlers: services.handlers,
      access: services.access,
      webhookAccess: services.webhookAccess,
      gateway: services.gateway,
      noteSecretUse: services.noteSecretUse,
      runCheck: services.runCheck,
      hostUrl: facts.hostUrl,
      kind: facts.kind,
      journal,
      vault: vault.records,
      practiceRelay: profile.kind === 'practice' ? profile.descriptor.relayUrl : null,
      pinnedRouter: services.pinnedRouter,
      wake: services.wake,
      clockOffsetMs: api.clockOffsetMs,
      readBySecondHost,
      rest: () => {
        services.rest()
        return vault.rest()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}

/** Longest path of a socket that works on every system. */
const longestSocketPath = 100

/** The profile's folder is private, so no other user reaches a socket in it. */
function gatewaySocket(journalFile: string): string | null {
  const path = join(dirname(journalFile), 'gateway.sock')
  return process.platform === 'win32' || Buffer.byteLength(path) > longestSocketPath ? null : path
}

function factsOf(profile: ActiveProfile): ProfileFacts {
  if (profile.kind === 'live') return { id: profile.id, kind: 'live', hostUrl: profile.hostUrl, practiceWallet: null }
  const { hostUrl, walletAddress, router, usdc, svc } = profile.descriptor
  return { id: profile.id, kind: 'practice', hostUrl, practiceWallet: walletAddress, practiceContracts: { router, usdc, svc } }
}
