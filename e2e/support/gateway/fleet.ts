import { type ChildProcess, spawn } from 'node:child_process'
import { hash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { StoredBot } from '../../../electron/store/records/gateway-records.ts'
import type { BotPolicy } from '../../../shared/ipc/keys/gateway.ts'
import { type Bot, botOf, live, type Served } from './bot.ts'
import type { ChildFacts } from './gateway-child.ts'

export interface FleetGateway {
  hostUrl(): string
  /** What the user does at this gateway. */
  ask(message: { readonly pause: string | null } | { readonly resume: string }): void
  kill(): Promise<void>
  /** Starts it again, with the journal that it had. */
  restart(): Promise<void>
}

/** Several gateways, each a process with a journal of its own, and bots that all of them know. */
export interface Fleet {
  readonly gateways: readonly FleetGateway[]
  /** The bot at the gateway with this number. */
  bot(name: string, gateway: number): Bot
  readonly tokens: readonly string[]
  readonly key: string
  stop(): Promise<void>
}

export interface FleetOptions {
  readonly served: Served
  readonly state: string
  readonly gateways: number
  readonly bots: Readonly<Record<string, Partial<BotPolicy>>>
  readonly callsPerSecond?: number
}

const scopes = ['account:read', 'market:read', 'trade:execute', 'orders:manage'] as const
const script = new URL('gateway-child.ts', import.meta.url).pathname

export async function startFleet({ served, state, gateways: count, bots, callsPerSecond }: FleetOptions): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-fleet-'))
  const key = [...served.secrets.entries].find(([name]) => name.includes(served.keyId))?.[1].reveal() ?? ''
  const wallet = served.account.address
  const tokens = new Map<string, { readonly id: string; readonly token: string }>()
  const stored = Object.entries(bots).map(([label, policy]): StoredBot => {
    const [id, secret] = [randomBytes(6).toString('hex'), randomBytes(32).toString('base64url')]
    tokens.set(label, { id, token: `SVCbot1.${id}.${secret}` })
    return {
      ...{ id, label, wallet, keyId: served.keyId, scopes: [...scopes], tokenHash: hash('sha256', secret, 'hex'), policy: { ...live, ...policy } },
      ...{ isPaused: false, createdAtMs: Date.now(), expiresAtMs: null, lastUsedAtMs: null, isWatched: false, openedIn: [] },
    }
  })
  const started: ChildProcess[] = []
  const startOne = async (at: number): Promise<FleetGateway> => {
    let child: ChildProcess
    let hostUrl = ''
    const start = async () => {
      const facts: ChildFacts = {
        ...{ journalFile: join(folder, `journal-${at}.sqlite`), hostUrl: served.hostUrl, wallet, keyId: served.keyId, scopes, state },
        ...(callsPerSecond !== undefined && { callsPerSecond }),
      }
      const running = spawn(process.execPath, [script, JSON.stringify(facts)], { stdio: ['pipe', 'pipe', 'inherit', 'ipc'] })
      child = running
      started.push(running)
      running.stdin?.end(JSON.stringify({ key, stored }))
      const failed = once(running, 'exit').then(() => Promise.reject(new Error('The gateway ended before it listened')))
      failed.catch(() => undefined)
      const lines = createInterface(running.stdout ?? process.stdin)
      const [line] = (await Promise.race([once(lines, 'line'), failed])) as [string] // safe cast: a line is text
      hostUrl = (JSON.parse(line) as { hostUrl: string }).hostUrl // safe cast: the child writes this line
    }
    await start()
    return {
      hostUrl: () => hostUrl,
      ask: (message) => void child.send(message),
      kill: async () => {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      },
      restart: start,
    }
  }
  const stop = async () => {
    for (const child of started)
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, 'exit')
        child.kill('SIGKILL')
        await gone
      }
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    const gateways = await Promise.all(Array.from({ length: count }, (_, at) => startOne(at)))
    return {
      gateways,
      bot: (name, at) => {
        const { id, token } = tokens.get(name) ?? { id: '', token: '' }
        return botOf(id, token, async () => gateways[at]?.hostUrl() ?? '')
      },
      tokens: [...tokens.values()].map(({ token }) => token),
      key,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}
