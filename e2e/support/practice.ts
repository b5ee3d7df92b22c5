import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Faults } from '../../electron/practice/base/faults.ts'
import type { ExchangeRows } from '../../electron/practice/exchange/exchange.ts'
import type { DeliveryRecord } from '../../electron/practice/exchange/webhooks/delivery-log.ts'
import { PhoneAnswer, PracticeDescriptor } from '../../shared/practice.ts'
import { outOf, root } from './project.ts'

/** A request that the practice exchange received, by documented route. Status 0: the connection was cut before the response. */
export interface Call {
  readonly method: string
  readonly route: string
  readonly path: string
  readonly status: number
  readonly userAgent: string | null
  readonly atMs: number
  readonly requestId: string
  readonly action: string | null
}

export interface Effects {
  readonly keys: {
    readonly key_id: string
    readonly label: string
    readonly status: string
    readonly scopes: readonly string[]
    readonly expires_at: string
    readonly ip_allowlist: readonly string[]
    readonly quotas: Readonly<Record<string, number>>
    readonly agent: { readonly address: string; readonly granted: boolean } | null
    readonly executor: string | null
  }[]
  readonly webhooks: {
    readonly webhook_id: string
    readonly url: string
    readonly events: readonly string[]
    readonly status: 'active' | 'disabled'
  }[]
  readonly positions: {
    readonly wallet: string
    readonly pair_id: number
    readonly symbol: string
    readonly side: string
    readonly size: string
    readonly margin_usdc: string
    readonly take_profit: string | null
    readonly stop_loss: string | null
  }[]
  readonly relayed: { readonly intent_id: string; readonly tx_hash: string }[]
  readonly prepared: number
}

/** A practice exchange in its own process, controlled by test hooks. It keeps running when the app is killed. */
export interface Practice {
  readonly descriptor: PracticeDescriptor
  /** Path of the file with the exchange’s addresses (its descriptor). The app reads this file to connect. */
  readonly descriptorFile: string
  calls(): Promise<Call[]>
  callsTo(route: string): Promise<Call[]>
  effects(): Promise<Effects>
  /** The exchange’s stored data of the phone’s wallet. */
  rows(): Promise<ExchangeRows>
  /** All webhook deliveries of the exchange, oldest first. */
  deliveries(): Promise<DeliveryRecord[]>
  /** Delivers a sample event of this type now, if the phone's wallet subscribed to it. Returns the event's id and its webhooks. */
  deliver(
    type: string,
    more?: { readonly webhookId?: string; readonly revokedEventId?: string },
  ): Promise<{ readonly event_id: string; readonly webhook_ids: readonly string[] }>
  /** Disables a webhook of the phone’s wallet, as another program might. */
  disableWebhook(webhookId: string): Promise<void>
  faults(change: Partial<Faults>): Promise<void>
  clearFaults(): Promise<void>
  advance(ms: number): Promise<void>
  wallet(change: Record<string, unknown>): Promise<void>
  relay(change: Record<string, unknown>): Promise<void>
  chain(change: Record<string, unknown>): Promise<void>
  /**
   * Creates `keys` keys of all kinds for the phone’s wallet, as another program might have done, and `audit` rows in its audit log. Returns the
   * active keys with their secrets.
   */
  sample(keys: number, audit?: number): Promise<{ readonly key_id: string; readonly label: string; readonly api_key: string }[]>
  /** Adds a year of random trading history to a wallet (the phone’s wallet by default). Returns the number of trades, orders and closed positions. */
  past(past: { readonly trades: number; readonly wallet?: string }): Promise<{ readonly trades: number; readonly orders: number; readonly closed: number }>
  phone(): Promise<PhoneAnswer['state']>
  /** Stops the exchange and deletes its data. `keepIn`: an existing folder that gets a copy of the data first. */
  stop(keepIn?: string): Promise<void>
}

export const defaultSeed = 7

async function descriptorOf(child: ChildProcess): Promise<PracticeDescriptor> {
  const lines = createInterface({ input: child.stdout ?? process.stdin })
  const errors: string[] = []
  child.stderr?.on('data', (chunk: Buffer) => errors.push(chunk.toString()))
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the practice exchange ended before it was ready:\n${errors.join('')}`)
  })
  const read = (async () => {
    for await (const text of lines) if (text.startsWith('{')) return PracticeDescriptor.parse(JSON.parse(text))
    throw new Error('the practice exchange said nothing')
  })()
  return Promise.race([read, ended])
}

/**
 * Starts the exchange from its build, which is twice as fast as from source. `aheadMs`: how far its clock is ahead of this computer’s (negative:
 * behind). `seed`: determines its prices and random history. `data`: the folder with the data of an earlier exchange, of which this one gets a copy.
 */
export async function startPractice({
  aheadMs = 0,
  seed = defaultSeed,
  data = null,
}: {
  readonly aheadMs?: number
  readonly seed?: number
  readonly data?: string | null
} = {}): Promise<Practice> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-desk-practice-'))
  if (data !== null) cpSync(data, dataDir, { recursive: true })
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(outOf('hooks'), 'main/sandbox.js'),
      '--json',
      '--hooks',
      '--port',
      '0',
      '--seed',
      String(seed),
      `--ahead=${aheadMs}`,
      '--data-dir',
      dataDir,
    ],
    { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] },
  )
  const descriptor = await descriptorOf(child)
  const descriptorFile = join(dataDir, 'descriptor.json')
  writeFileSync(descriptorFile, JSON.stringify(descriptor), { mode: 0o600 })

  const ask = async (base: string | null, method: string, path: string, body?: unknown): Promise<unknown> => {
    if (!base) throw new Error('this practice exchange has no test hooks')
    const answer = await fetch(`${base}${path}`, {
      method,
      headers: { authorization: `Bearer ${descriptor.token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer.json()
  }
  const hook = (method: string, path: string, body?: unknown) => ask(descriptor.hooksUrl, method, path, body)
  const calls = async () => (await hook('GET', '/calls')) as Call[] // the hooks' own answer

  return {
    descriptor,
    descriptorFile,
    calls,
    callsTo: async (route) => (await calls()).filter((call) => `${call.method} ${call.route}` === route || call.route === route),
    effects: async () => (await hook('GET', '/effects')) as Effects, // the hooks' own answer
    rows: async () => (await hook('GET', '/rows')) as ExchangeRows, // the hooks' own answer
    deliveries: async () => (await hook('GET', '/deliveries')) as DeliveryRecord[], // the hooks' own answer
    deliver: async (type, more = {}) => (await hook('POST', '/deliver', { type, ...more })) as Awaited<ReturnType<Practice['deliver']>>, // the hooks' own answer
    disableWebhook: async (webhookId) => void (await hook('POST', '/disable', { webhookId })),
    faults: async (change) => void (await hook('POST', '/faults', change)),
    clearFaults: async () => void (await hook('DELETE', '/faults')),
    advance: async (advanceMs) => void (await hook('POST', '/clock', { advanceMs })),
    wallet: async (change) => void (await hook('POST', '/wallet', change)),
    relay: async (change) => void (await hook('POST', '/relay', change)),
    chain: async (change) => void (await hook('POST', '/chain', change)),
    sample: async (keys, audit = 0) => ((await hook('POST', '/sample', { keys, audit })) as { keys: Awaited<ReturnType<Practice['sample']>> }).keys, // the hooks' own answer
    past: async (past) => (await hook('POST', '/past', past)) as Awaited<ReturnType<Practice['past']>>, // the hooks' own answer
    phone: async () => PhoneAnswer.parse(await ask(descriptor.phoneUrl, 'GET', '/state')).state,
    stop: async (keepIn) => {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM')
        await once(child, 'exit')
      }
      if (keepIn !== undefined) cpSync(dataDir, keepIn, { recursive: true })
      rmSync(dataDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
    },
  }
}
