import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts'
import type { DeskEvent } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { SignRequest } from '../../shared/ipc/signing.ts'
import type { Result } from '../../shared/result.ts'
import { systemClock } from '../../shared/time.ts'
import { createProfileServices, type ProfileServices } from '../activity/profile-services.ts'
import type { ApiClient } from '../api/api-client.ts'
import type { Journal } from '../journal/journal.ts'
import { openJournal } from '../journal/sqlite-journal.ts'
import { createExchange, type Exchange } from '../sandbox/exchange/exchange.ts'
import { createFakeChain, type FakeChain } from '../sandbox/exchange/testing/fake-chain.ts'
import { type Faults, noFaults } from '../sandbox/faults.ts'
import { createPracticeClock, type PracticeClock } from '../sandbox/practice-clock.ts'
import type { Secret } from '../secrets/secret.ts'
import { createFakeRpc, type FakeRpc } from './fake-rpc.ts'
import { createMemorySecretStore, type MemorySecretStore } from './memory-secret-store.ts'
import { createMemoryVault } from './memory-vault.ts'
import { openApi } from './open-api.ts'
import type { SentRequest } from './recording-dispatcher.ts'

/** Everything that main composes for one profile, in front of a real practice exchange with a chain in memory. */
export interface Desk {
  readonly exchange: Exchange
  readonly chain: FakeChain
  readonly clock: PracticeClock
  readonly faults: Faults
  readonly account: PrivateKeyAccount
  readonly secrets: MemorySecretStore
  readonly rpc: FakeRpc
  /** Every request that left, oldest first, also those that were cut. */
  readonly sent: SentRequest[]
  readonly events: DeskEvent[]
  /** Encrypted values, by name. */
  readonly vault: ReadonlyMap<string, Secret>
  /** Taken instead of random ids, first in first out. */
  readonly nextIds: string[]
  /** Called whenever a service waits before it tries again. */
  onSleep: () => void
  /** Values that were put on the clipboard. */
  readonly copied: Secret[]
  readonly hostUrl: string
  journal(): Journal
  handlers(): ProfileServices['handlers']
  /** Reports a wallet as the renderer would. */
  connect(account?: PrivateKeyAccount, chainId?: number): Promise<void>
  signIn(): Promise<void>
  /** A bot-ready key, its secret stored. Gives the key's id. */
  createKey(label?: string): Promise<string>
  sign(request: SignRequest, account?: PrivateKeyAccount): Promise<`0x${string}`>
  /** One pass of the tracker, as a second would bring it. */
  tick(): Promise<void>
  /** The process is killed and starts again: only the disk, the keychain and the exchange survive. Calls under way never end well. */
  restart(): Promise<void>
  stop(): Promise<void>
}

export async function startDesk(): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'svc-desk-'))
  const clock = createPracticeClock(systemClock)
  const chain = createFakeChain()
  const faults = noFaults()
  const exchange = createExchange({ chain, clock, faults, seed: 7, dataDir: null })
  const account = privateKeyToAccount(generatePrivateKey())
  exchange.seedCollateral(account.address, '10000')
  const { hostUrl } = await exchange.listen(0)
  const secrets = createMemorySecretStore()
  const vault = createMemoryVault()
  const rpc = createFakeRpc(chain)
  const sent: SentRequest[] = []
  const events: DeskEvent[] = []
  const copied: Secret[] = []
  const nextIds: string[] = []
  let ticks: (() => void)[] = []

  const boot = async (): Promise<{ api: ApiClient; journal: Journal; services: ProfileServices }> => {
    const journal = openJournal({ file: join(folder, 'journal.sqlite'), clock })
    // Waiting moves the clock that both sides share, so that no test waits for real.
    const sleep = async (ms: number): Promise<boolean> => {
      clock.advance(ms)
      return true
    }
    const api = openApi({ hostUrl, clock, sleep, sent, onExchange: (record) => journal.requests.add('practice', record) })
    const services = createProfileServices({
      profile: { id: 'practice', kind: 'live', hostUrl, practiceWallet: null },
      api,
      journal,
      vault,
      secrets,
      clock,
      post: rpc.post,
      rpcUrl: async () => 'http://127.0.0.1/rpc',
      connection: () => ({ relayUrl: 'ws://127.0.0.1:1', projectId: 'test', appUrl: 'app://desk' }),
      copySecret: async (secret) => {
        copied.push(secret)
        return clock.now() + 30_000
      },
      emit: (event) => events.push(event),
      every: (_ms, work) => {
        ticks.push(work)
        return () => {
          ticks = ticks.filter((one) => one !== work)
        }
      },
      sleep: async () => desk.onSleep(),
      newId: () => nextIds.shift() ?? randomBytes(16).toString('hex'),
    })
    await services.start()
    return { api, journal, services }
  }

  let running: Awaited<ReturnType<typeof boot>>

  const handlers = () => running.services.handlers

  const connect: Desk['connect'] = async (signer = account, chainId = 8453) => {
    value(await handlers()['wallet.report']({ address: signer.address, chainId, peerName: 'Phone', topic: 'topic' }))
  }

  const sign: Desk['sign'] = (request, signer = account) =>
    request.method === 'personal_sign'
      ? signer.signMessage({ message: request.message })
      : // The account checks the shape itself; the types of viem want a literal.
        signer.signTypedData(JSON.parse(request.typedData) as Parameters<PrivateKeyAccount['signTypedData']>[0])

  const signIn: Desk['signIn'] = async () => {
    const challenge = value(await handlers()['session.challenge']({}))
    const request = value(await handlers()['session.ask']({ id: challenge.id, acceptLayout: true }))
    value(await handlers()['session.complete']({ id: challenge.id, signature: await sign(request) }))
  }

  const desk: Desk = {
    vault: vault.values,
    nextIds,
    onSleep: () => {},
    exchange,
    chain,
    clock,
    faults,
    account,
    secrets,
    rpc,
    sent,
    events,
    copied,
    hostUrl,
    journal: () => running.journal,
    handlers,
    connect,
    signIn,
    sign,
    createKey: async (label = 'bot') => {
      const draft = value(await handlers()['keys.prepare']({ label, expiresInDays: 90, ipAllowlist: [] }))
      const request = value(await handlers()['keys.ask']({ draftId: draft.id, ...agreed }))
      return value(await handlers()['keys.create']({ draftId: draft.id, signature: await sign(request) })).id
    },
    tick: async () => {
      clock.advance(5_001)
      for (const work of ticks) work()
      await running.services.settled()
    },
    restart: async () => {
      const { api, services, journal } = running
      services.stop()
      // From here on the old process writes nothing any more, as a killed one would not.
      journal.close()
      running = await boot()
      await api.close()
      await services.settled()
    },
    stop: async () => {
      running.services.stop()
      await running.api.close()
      await running.services.settled()
      running.journal.close()
      await exchange.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
  running = await boot()
  return desk
}

/** The user's words where a layout and a router are new. */
export const agreed = { typedPhrase: 'sign this layout', typedRouter: 'yes' } as const

/** The value of an answer that must have succeeded. */
export function value<T>(answer: Result<T, Failure>): T {
  if (!answer.ok) throw new Error(`Failed: ${JSON.stringify(answer.failure)}`)
  return answer.value
}

/** The failure of an answer that must have failed. */
export function failure(answer: Result<unknown, Failure>): Failure {
  if (answer.ok) throw new Error(`Succeeded: ${JSON.stringify(answer.value)}`)
  return answer.failure
}
