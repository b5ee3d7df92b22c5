import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import { sleep as realSleep } from '../../../electron/kernel/deadline.ts'
import type { Confirm } from '../../../electron/kernel/files/dialogs.ts'
import type { Secret } from '../../../electron/kernel/secret.ts'
import { createClipboardSource, type SystemClipboard } from '../../../electron/keys/delivery/clipboard.ts'
import { type Faults, noFaults } from '../../../electron/practice/base/faults.ts'
import { createPracticeClock, type PracticeClock } from '../../../electron/practice/base/practice-clock.ts'
import type { Chain as SandboxChain } from '../../../electron/practice/chain/practice-chain.ts'
import { createExchange, type Exchange } from '../../../electron/practice/exchange/exchange.ts'
import { createServiceClock, createVitalSigns, judgedByTime } from '../../../electron/service/api/vital-signs.ts'
import { createStoredMap } from '../../../electron/service/field-names/stored-map.ts'
import type { ApiClient } from '../../../electron/service/transport/api-client.ts'
import { openJournal, type SqliteJournal } from '../../../electron/store/journal/tables/sqlite-journal.ts'
import { watchKeychain } from '../../../electron/store/keychain/keychain-process.ts'
import type { NoteSecretUse, SecretStore } from '../../../electron/store/secrets/secret-store.ts'
import { createPostJson } from '../../../electron/wallet/chain/rpc.ts'
import { createProfileServices, type ProfileServices } from '../../../electron/workspace/profile-services.ts'
import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { SignRequest } from '../../../shared/ipc/intents/signing.ts'
import type { Result } from '../../../shared/result.ts'
import { type Clock, systemClock } from '../../../shared/time.ts'
import { parsingHere } from '../parsing/parsing-here.ts'
import { createFakeChain, type FakeChain } from '../practice/fake-chain.ts'
import { createFakeRpc, type FakeRpc } from './fake-rpc.ts'
import { type Front, type Rewrite, startFront, type Takes } from './front.ts'
import { createMemorySecretStore, type MemorySecretStore } from './memory-secret-store.ts'
import { createMemoryVault } from './memory-vault.ts'
import { openApi } from './open-api.ts'
import type { Speaks } from './other-manners.ts'
import type { SentRequest } from './recording-dispatcher.ts'
import { tellWrites } from './sudden-death.ts'

/** All services of the main process for one profile, with a real practice exchange and an in-memory chain. */
export interface Workspace {
  readonly exchange: Exchange
  readonly chain: FakeChain
  readonly clock: PracticeClock
  readonly faults: Faults
  readonly account: PrivateKeyAccount
  readonly secrets: MemorySecretStore
  readonly rpc: FakeRpc
  /** Everything that the app logged. */
  readonly logged: readonly string[]
  /** The folder with the app's data. */
  readonly folder: string
  /** All requests of the app to the service, oldest first, including requests whose connection was cut. */
  readonly sent: SentRequest[]
  readonly events: AppEvent[]
  /** The profile’s encrypted values, by name. */
  readonly vault: ReadonlyMap<string, Secret>
  /** Ids that the app uses first, in this order, instead of random ids. */
  readonly nextIds: string[]
  /** Called whenever the app waits before a retry. */
  onSleep: () => void
  /**
   * Called with a description before each write of an intent, a transaction or a stored value (plain or encrypted). If this function throws, the
   * process dies before the write.
   */
  beforeWrite: (what: string) => void
  /** Whether the app is locked. A test may set this. */
  locked: boolean
  /** Secrets that the app showed in the window for secrets. */
  readonly revealed: Secret[]
  /** What the app's system dialogs asked, which the user agrees to. */
  readonly confirmed: Parameters<Confirm>[0][]
  /** Secrets that the app put on the clipboard. */
  readonly copied: Secret[]
  /** The clipboard’s text, which may also come from another program. */
  copiedElsewhere: string
  /** Paths that the user chooses in system dialogs, in this order. Without a path, a dialog is cancelled. */
  readonly chosenFiles: string[]
  readonly shownFiles: string[]
  /** Simulated DNS for webhook hosts: the addresses of a host name, or an error code. */
  readonly names: Map<string, readonly string[] | string>
  readonly hostUrl: string
  journal(): SqliteJournal
  /** Reports the use of a secret, as the app’s code for releasing secrets does. */
  readonly noteUse: NoteSecretUse
  handlers(): ProfileServices['handlers']
  gateway(): ProfileServices['gateway']
  /** Forgets the secrets in memory, as the app does when it is locked. */
  rest(): void
  /** Runs the service check as the command `svc-desk check` does. */
  readonly runCheck: ProfileServices['runCheck']
  /** Reports a connected wallet to the main process, as the app’s window does. */
  connect(account?: PrivateKeyAccount, chainId?: number): Promise<void>
  signIn(): Promise<void>
  /** Creates a bot-ready key and stores its secret. Returns the key's id. */
  createKey(label?: string): Promise<string>
  sign(request: SignRequest, account?: PrivateKeyAccount): Promise<`0x${string}`>
  /** Runs the intent tracker once, as its timer does. */
  tick(): Promise<void>
  settled(): Promise<void>
  /**
   * Kills and restarts the process. Only disk, keychain and exchange survive; pending calls never succeed. `meanwhile`: may change the journal’s file
   * while the process is down.
   */
  restart(meanwhile?: (journalFile: string) => void): Promise<void>
  /**
   * Restarts the app with a server in between that rewrites the exchange’s responses. Sign in first, because the sign-in message must contain the
   * exchange’s own address.
   */
  rewriteAnswers(rewrite: Rewrite, takes?: Takes): Promise<void>
  /** Restarts the app with a server in between, which `start` starts in front of the exchange's address. Sign in first. */
  goThrough(start: (hostUrl: string) => Promise<Front>): Promise<void>
  stop(): Promise<void>
}

export interface WorkspaceOptions {
  /** How far the computer’s clock is ahead of the exchange’s clock, in ms. */
  readonly computerAheadMs?: number
  /** The kind of the profile, `practice` by default. A practice profile accepts only the workspace’s own account. */
  readonly kind?: 'live' | 'practice'
  /** RPC address of a real chain, which the app reads instead of the in-memory chain. */
  readonly rpcUrl?: string
  /** A real chain for app and exchange, instead of the in-memory chain. */
  readonly realChain?: SandboxChain
  /** The folder from which the exchange loads its state. */
  readonly exchangeData?: string
  /** Address of a service to use instead of the practice exchange. */
  readonly hostUrl?: string
  /** Rewrites the body of each successful response of the practice exchange. */
  readonly speaks?: Speaks
  /** The keychain to use instead of the one in memory. */
  readonly keychain?: SecretStore
  /** The folder with the app's data, which another process used before. */
  readonly folder?: string
  /** The app waits in real time instead of advancing the clock, because the exchange runs in another process. */
  readonly waits?: boolean
}

export async function startWorkspace(options: WorkspaceOptions = {}): Promise<Workspace> {
  const { computerAheadMs = 0, kind = 'live', realChain, rpcUrl = realChain?.rpcUrl, exchangeData } = options
  const folder = options.folder ?? (await mkdtemp(join(tmpdir(), 'svc-desk-')))
  const journalFile = join(folder, 'journal.sqlite')
  const clock = createPracticeClock(systemClock)
  const computer: Clock = { now: () => clock.now() + computerAheadMs, monotonic: clock.monotonic }
  const chain = createFakeChain()
  const faults = noFaults()
  const exchange = createExchange({ chain: realChain ?? chain, clock, faults, seed: 7, dataDir: exchangeData ?? null, resolve: async () => ['93.184.216.34'] })
  const account = privateKeyToAccount(generatePrivateKey())
  exchange.seedCollateral(account.address, '10000')
  const listening = await exchange.listen(0)
  let hostUrl = options.hostUrl ?? listening.hostUrl
  let front: Front | null = null
  const secrets = createMemorySecretStore()
  const vault = createMemoryVault()
  const keep = vault.raw.set
  vault.raw.set = (name, secret) => {
    workspace.beforeWrite(`${secret === null ? 'erase' : 'keep'} ${name.split('/')[0]}`)
    return keep(name, secret)
  }
  const rpc = createFakeRpc(chain)
  const sent: SentRequest[] = []
  const events: AppEvent[] = []
  const copied: Secret[] = []
  const logged: string[] = []
  const nextIds: string[] = []
  const names: Workspace['names'] = new Map()
  const chosenFiles: string[] = []
  const shownFiles: string[] = []
  const choose = async () => chosenFiles.shift() ?? null
  const system: SystemClipboard = {
    readText: async () => workspace.copiedElsewhere,
    writeText: async (text) => {
      workspace.copiedElsewhere = text
    },
    clear: () => {
      workspace.copiedElsewhere = ''
    },
  }
  let ticks: (() => void)[] = []

  let boots = 0
  const boot = async (): Promise<{ api: ApiClient; journal: SqliteJournal; services: ProfileServices }> => {
    boots += 1
    const vitalSigns = createVitalSigns(computer, () => events.push({ type: 'invalidate', queries: judgedByTime }))
    const serviceClock = createServiceClock(computer, vitalSigns)
    const journal = openJournal({ file: journalFile, clock: serviceClock })
    tellWrites(journal, (what) => workspace.beforeWrite(what))
    // Advances the clock of app and exchange instead of waiting.
    const sleep = async (ms: number): Promise<boolean> => {
      if (options.waits === true) return realSleep(ms)
      clock.advance(ms)
      return true
    }
    const storedMap = createStoredMap({ profileId: 'practice', records: journal.records })
    const api = openApi({
      hostUrl,
      clock: computer,
      vitalSigns,
      sleep,
      sent,
      fieldMap: storedMap.answers,
      speaks: options.speaks,
      onExchange: (...exchange) => journal.requests.add('practice', ...exchange),
    })
    const services = createProfileServices({
      profileName: 'Practice',
      profile: { id: 'practice', kind, hostUrl, practiceWallet: kind === 'practice' ? account.address : null },
      api,
      storedMap,
      journal,
      vault,
      secrets: watchKeychain(options.keychain ?? secrets, serviceClock),
      clock: serviceClock,
      post: rpcUrl === undefined ? rpc.post : createPostJson(),
      rpcUrl: async () => rpcUrl ?? 'http://127.0.0.1/rpc',
      connection: () => ({ relayUrl: 'ws://127.0.0.1:1', projectId: 'test', appUrl: 'app://desk' }),
      copySecret: async (secret) => {
        copied.push(secret)
        return clock.now() + 30_000
      },
      clipboard: createClipboardSource(system),
      files: { chooseToOpen: choose, chooseToSave: choose, chooseFolder: choose, showInFolder: (path) => shownFiles.push(path) },
      parsing: parsingHere,
      outlets: {
        reveal: (_label, secret) => {
          workspace.revealed.push(secret)
          return { closesInMs: 60_000 }
        },
        confirm: async (question) => {
          workspace.confirmed.push(question)
          return true
        },
        unlocked: () => !workspace.locked,
        env: process.env,
        home: folder,
      },
      gatewaySocket: join(folder, `gateway-${boots}.sock`),
      gatewayPermit: join(folder, 'gateway.permit'),
      plansPermit: join(folder, 'plans.permit'),
      lookUp: async (host) => {
        const found = names.get(host) ?? ['93.184.216.34']
        if (typeof found === 'string') throw Object.assign(new Error(found), { code: found })
        return found
      },
      emit: (event) => events.push(event),
      every: (_ms, work) => {
        ticks.push(work)
        return () => {
          ticks = ticks.filter((one) => one !== work)
        }
      },
      sleep: async () => workspace.onSleep(),
      newId: () => nextIds.shift() ?? randomBytes(16).toString('hex'),
      log: (...line) => void logged.push(JSON.stringify(line)),
    })
    await services.start()
    return { api, journal, services }
  }

  let running: Awaited<ReturnType<typeof boot>>

  const handlers = () => running.services.handlers

  const connect: Workspace['connect'] = async (signer = account, chainId = 8453) => {
    value(await handlers()['wallet.report']({ address: signer.address, chainId, peerName: 'Phone', topic: 'topic' }))
  }

  const sign: Workspace['sign'] = async (request, signer = account) => {
    switch (request.method) {
      case 'personal_sign':
        return signer.signMessage({ message: request.message })
      case 'eth_signTypedData_v4':
        // A cast, because viem’s types require literal types. The account checks the data itself.
        return signer.signTypedData(JSON.parse(request.typedData) as Parameters<PrivateKeyAccount['signTypedData']>[0])
      case 'eth_sendTransaction':
        throw new Error('A transaction needs a chain: the account alone sends none')
    }
  }

  const signIn: Workspace['signIn'] = async () => {
    const challenge = value(await handlers()['session.challenge']({}))
    const request = value(await handlers()['session.ask']({ id: challenge.id, acceptFormat: true }))
    value(await handlers()['session.complete']({ id: challenge.id, signature: await sign(request) }))
  }

  const workspace: Workspace = {
    vault: vault.values,
    nextIds,
    names,
    copiedElsewhere: '',
    chosenFiles,
    shownFiles,
    locked: false,
    onSleep: () => {},
    beforeWrite: () => {},
    exchange,
    chain,
    clock,
    faults,
    account,
    secrets,
    rpc,
    sent,
    events,
    logged,
    folder,
    copied,
    revealed: [],
    confirmed: [],
    runCheck: (...wish) => running.services.runCheck(...wish),
    noteUse: (use) => running.services.noteSecretUse(use),
    hostUrl,
    journal: () => running.journal,
    handlers,
    gateway: () => running.services.gateway,
    rest: () => running.services.rest(),
    connect,
    signIn,
    sign,
    createKey: async (label = 'bot') => {
      const draft = value(await handlers()['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
      // The user confirms the contract by pressing a button, and types a phrase only if the app requires one.
      const ask = (typedPhrase: string) => handlers()['keys.ask']({ draftId: draft.id, typedPhrase, typedRouter: agreed.typedRouter })
      const pressed = await ask('')
      const isAsked = !pressed.ok && pressed.failure.kind === 'confirmation_required' && pressed.failure.what !== 'router'
      const request = value(isAsked ? await ask(pressed.failure.expected) : pressed)
      return value(await handlers()['keys.create']({ draftId: draft.id, signature: await sign(request) })).id
    },
    tick: async () => {
      clock.advance(5_001)
      for (const work of ticks) work()
      await running.services.settled()
    },
    settled: () => running.services.settled(),
    restart: async (meanwhile = () => {}) => {
      const { api, services, journal } = running
      services.stop()
      // Closing the journal prevents the old process from writing, as if it had been killed.
      journal.close()
      meanwhile(journalFile)
      running = await boot()
      await api.close()
      await services.settled()
    },
    rewriteAnswers: (rewrite, takes) => workspace.goThrough((url) => startFront(url, rewrite, takes)),
    goThrough: async (start) => {
      front = await start(listening.hostUrl)
      hostUrl = front.hostUrl
      await workspace.restart()
      await connect()
    },
    stop: async () => {
      running.services.stop()
      await running.api.close()
      await running.services.settled()
      running.journal.close()
      await front?.close()
      await exchange.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  running = await boot()
  return workspace
}

/** What the user types to confirm a new signing format and a new router. */
export const agreed = { typedPhrase: 'sign this layout', typedRouter: 'yes' } as const

export function value<T>(answer: Result<T, Failure>): T {
  if (!answer.ok) throw new Error(`Failed: ${JSON.stringify(answer.failure)}`)
  return answer.value
}

export function failure(answer: Result<unknown, Failure>): Failure {
  if (answer.ok) throw new Error(`Succeeded: ${JSON.stringify(answer.value)}`)
  return answer.failure
}
