import type { Emit, Every, OnInvalidate } from '../kernel/events.ts'
import { dialogWords, fileKind } from '../kernel/files/dialog-words.ts'
import type { FileDialogs } from '../kernel/files/dialogs.ts'
import { createSaveText, type SaveText } from '../kernel/files/write-private.ts'
import type { Parsing } from '../kernel/parsing/parsing.ts'
import type { ProfileFacts } from '../kernel/profile-facts.ts'
import type { Secret } from '../kernel/secret.ts'
import { type Audit, createAudit } from '../keys/audit/audit.ts'
import type { ClipboardSource } from '../keys/delivery/clipboard.ts'
import type { SecretOutlets } from '../keys/delivery/secret-handlers.ts'
import { createSession, createSignInWatch, type Session, type SignInWatch } from '../keys/sign-in/session.ts'
import { coalescing, keptReads, type OnAnswer, refusalMemory, tellingAnswers, tellingRefusals } from '../service/api/kept-reads.ts'
import type { ServiceClock } from '../service/api/vital-signs.ts'
import { type Credentials, createCredentials } from '../service/credentials/credentials.ts'
import { createFieldMap, type FieldMapService } from '../service/field-names/field-map.ts'
import type { StoredMap } from '../service/field-names/stored-map.ts'
import type { ApiClient, KeyCredential } from '../service/transport/api-client.ts'
import type { Journal, Vault } from '../store/journal/journal.ts'
import type { WatchedKeychain } from '../store/keychain/keychain-process.ts'
import type { Records } from '../store/records/registry.ts'
import { createStoredSecrets, type StoredSecrets } from '../store/secrets/stored-secrets.ts'
import { type ChainBalances, createChainBalances } from '../wallet/chain/balances.ts'
import { type Chain, createChain } from '../wallet/chain/chain.ts'
import { onBase, type PostJson } from '../wallet/chain/rpc.ts'
import { type ChainTransactions, createChainTransactions } from '../wallet/chain/transactions.ts'
import { createWallet, type WalletReport } from '../wallet/connection/wallet.ts'
import { createPublishedContract, createTrust, createTrustedTokens, type Trust, type TrustedTokens } from '../wallet/trusted-contracts/trust.ts'
import type { LookUp } from '../webhooks/subscriptions/webhook-parts.ts'
import { createNoticeLog, type NoticeLog } from './notice-log.ts'

/** Everything that the caller passes to the services of a profile. */
export interface ProfileServicesDeps {
  readonly profile: ProfileFacts
  readonly profileName: string
  readonly api: ApiClient
  readonly storedMap: StoredMap
  readonly journal: Journal
  readonly vault: Vault
  readonly secrets: WatchedKeychain
  readonly clock: ServiceClock
  readonly post: PostJson
  readonly rpcUrl: () => Promise<string>
  readonly connection: () => { readonly relayUrl: string; readonly projectId: string; readonly appUrl: string }
  readonly copySecret: (secret: Secret) => Promise<number>
  readonly clipboard: ClipboardSource
  readonly files: FileDialogs
  readonly parsing: Parsing
  /** All ways by which a secret may leave the app, such as the clipboard or a file. */
  readonly outlets: SecretOutlets
  /** Where the gateway puts its unix socket; null for none. */
  readonly gatewaySocket: string | null
  /** The file without which the gateway's bots start paused. */
  readonly gatewayPermit: string
  /** The path of the file without which all fleet plans start paused. */
  readonly plansPermit: string
  /** Looks up the addresses of webhook hosts. */
  readonly lookUp: LookUp
  readonly emit: Emit
  readonly every: Every
  readonly sleep: (ms: number) => Promise<void>
  readonly newId: () => string
  /** Writes to the app's own log. */
  readonly log: (event: string, facts: Readonly<Record<string, unknown>>) => void
}

/** Shared by all areas of a profile: the connected and signed-in wallet, the stored secrets, the chain, and the trusted contracts. */
export interface ProfileParts extends Omit<ProfileServicesDeps, 'post' | 'rpcUrl' | 'connection'> {
  /** The API client. Sends one request for equal reads that run at the same time, and notifies the session when the service refuses a sign-in. */
  readonly api: ApiClient
  readonly onInvalidate: OnInvalidate
  /** Registers a listener, which is called with each successful answer of the service. */
  readonly onAnswer: (listener: OnAnswer) => void
  readonly records: Records
  /** The user's and the app's mapping of field names that the exchange's documentation does not state. */
  readonly fieldMap: FieldMapService
  readonly wallet: WalletReport
  readonly credentials: Credentials
  readonly webhookSecrets: StoredSecrets
  readonly session: Session
  readonly signIn: Session['signIn']
  readonly signInWatch: SignInWatch
  /** The connected wallet's key for `market:read`; null if none. */
  readonly marketKey: () => Promise<KeyCredential | null>
  readonly chain: Chain
  readonly transactions: ChainTransactions
  readonly balances: ChainBalances
  readonly trust: Trust
  readonly tokens: TrustedTokens
  readonly audit: Audit
  readonly notices: NoticeLog
  readonly note: Audit['noteUse']
  readonly saveText: SaveText
  /** Asks the user where to save a report; null if the user cancels. */
  readonly chooseReport: (suggested: string) => Promise<string | null>
}

export function createProfileParts({ post: send, rpcUrl, connection, ...deps }: ProfileServicesDeps): ProfileParts {
  const { profile, journal, vault, secrets, files, every, newId, clock } = deps
  const { records } = journal
  const client = coalescing(
    refusalMemory(keptReads(deps.api, clock, deps.storedMap.answers), (keyId) => credentials.facts(keyId)),
    clock,
  )
  const listeners: Parameters<OnInvalidate>[0][] = []
  const emit: Emit = (event) => {
    // An `invalidate` event makes all earlier data outdated. A read that starts now must not share the answer of a request that is already running.
    if (event.type === 'invalidate') {
      client.fence()
      for (const listener of listeners) listener(event.queries)
    }
    if (event.type === 'notice') {
      const whose = wallet.shown()
      let isNew = true
      try {
        // While the profile refuses the connected account, its notices are about the practice wallet, which is the profile's own wallet.
        isNew = notices.add(event, whose.ok ? whose.value : profile.practiceWallet)
      } catch (error) {
        // The list of notices is optional. If it fails, the operation that caused the notice, such as a cancel, must still succeed.
        deps.log('notice', { error: String(error) })
      }
      deps.emit({ type: 'invalidate', queries: ['notices.list'] })
      // A quiet notice has no pop-up, because the windows already show its cause. The system may show the notice once.
      if (event.quiet === true && (event.system === undefined || !isNew)) return
    }
    deps.emit(event)
  }
  const notices = createNoticeLog({ profile: profile.id, records, clock })
  const wallet = createWallet({ profile, vault, connection, lastUsed: () => lastUsedWallet(journal, profile.id) })
  const credentials = createCredentials({ profile, journal, secrets, clock, mayKeep: deps.outlets.unlocked })
  const webhookSecrets = createStoredSecrets({
    kind: 'webhook',
    profileId: profile.id,
    index: journal.webhookIndex,
    records,
    secrets,
    mayKeep: deps.outlets.unlocked,
  })
  const marketKey = async () => {
    const address = wallet.current()?.address
    const credential = address === undefined ? null : await credentials.forScope(address, 'market:read')
    return credential?.ok === true ? credential.value : null
  }
  const { post, mismatch } = onBase({ rpcUrl, post: send })
  const chain = createChain({ rpcUrl, post, mismatch })
  const published = createPublishedContract({ api: client, key: marketKey })
  const pinning = { profile, records, hasCode: chain.hasCode, rpcHost: async () => new URL(await rpcUrl()).host }
  const trust = createTrust({ ...pinning, published: published('router') })
  const signInWatch = createSignInWatch({ clock, emit, every, connected: () => wallet.current()?.address ?? null })
  const session = createSession({ profile, api: client, vault, secrets, trust, wallet, chain, watch: signInWatch, clock, newId })
  const answerListeners: OnAnswer[] = []
  const api = tellingAnswers(tellingRefusals(client, session.refused), (route, raw) => {
    for (const listener of answerListeners) listener(route, raw)
  })
  const saveText = createSaveText(files)
  const audit = createAudit({
    ...{ profile, api, journal, wallet, signIn: session.signIn, saveText, clock, emit, newId },
    answers: deps.storedMap.answers,
    labelOf: (keyId) => credentials.facts(keyId)?.label ?? null,
    ownerOf: ({ of, keyId }) => {
      const held = of === 'webhook' ? webhookSecrets : credentials
      const known = of === 'webhook' ? null : credentials.facts(keyId)
      return known?.wallet ?? held.entries().find((entry) => entry.keyId === keyId)?.wallet ?? null
    },
  })
  return {
    ...deps,
    api,
    emit,
    onInvalidate: (listener) => void listeners.push(listener),
    onAnswer: (listener) => void answerListeners.push(listener),
    records,
    fieldMap: createFieldMap({ map: deps.storedMap, files, parsing: deps.parsing, emit, newId }),
    wallet,
    credentials,
    webhookSecrets,
    session,
    signIn: session.signIn,
    signInWatch,
    marketKey,
    chain,
    transactions: createChainTransactions({ rpcUrl, post }),
    balances: createChainBalances({ rpcUrl, post }),
    trust,
    tokens: createTrustedTokens({ ...pinning, published }),
    audit,
    notices,
    note: audit.noteUse,
    saveText,
    chooseReport: (suggested) => files.chooseToSave({ ...dialogWords('saveReport'), kinds: [fileKind('csv')], suggested }),
  }
}

/** The wallet of the newest order or key operation in this profile's journal; null if there is none. */
function lastUsedWallet(journal: Pick<Journal, 'intents' | 'secretOperations'>, profileId: string): string | null {
  const [intent] = journal.intents.list(profileId, { wallet: null, beforeMs: null, limit: 1 }).intents
  const [operation] = journal.secretOperations.list(profileId, 1)
  if (intent === undefined || operation === undefined) return intent?.wallet ?? operation?.wallet ?? null
  return intent.createdAtMs >= operation.atMs ? intent.wallet : operation.wallet
}
