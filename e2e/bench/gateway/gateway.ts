import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import { Agent, type Dispatcher, request } from 'undici'
import type { ChildFacts } from '../../support/gateway/gateway-child.ts'
import { compare, type Measured } from '../metric.ts'
import { interleave, type Rounds } from '../rounds.ts'

const path = '/api/dex/v1/account'
const key = `SVC${'0'.repeat(40)}`
const calls = 200
const atOnce = 16
/** How many bots share the gateway's calls per second, and how often each calls. */
const bots = { count: 100, callsPerSecond: 5, sharedPerSecond: 250, seconds: 10, settlingSeconds: 2 }

interface Running {
  readonly hostUrl: string
  readonly tokens: readonly string[]
  stop(): Promise<void>
}

async function start(script: string, argument: string, input = ''): Promise<Running> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', new URL(script, import.meta.url).pathname, argument], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  child.stdin.end(input)
  const ended = once(child, 'exit')
  const failed = ended.then(() => Promise.reject(new Error(`${script} ended before it listened`)))
  failed.catch(() => undefined)
  const [line] = (await Promise.race([once(createInterface(child.stdout), 'line'), failed])) as [string] // safe cast: a line is text
  const { hostUrl, tokens } = JSON.parse(line) as { hostUrl: string; tokens: string[] } // safe cast: both programs write this line
  return {
    hostUrl,
    tokens,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}

/** The local service in a thread of its own, and a gateway in a process of its own as the product runs it, with its journal in `folder`. */
async function startService(folder: string) {
  const home = mkdtempSync(join(folder, 'bench-gateway-'))
  const service = new Worker(new URL('../api-service.ts', import.meta.url))
  const [port] = (await once(service, 'message')) as [number] // safe cast: the worker’s first message is its port
  const hostUrl = `http://127.0.0.1:${port}`
  let journals = 0
  return {
    hostUrl,
    gateway: (facts: Pick<ChildFacts, 'bots' | 'callsPerSecond'> = {}) => {
      journals += 1
      const own: ChildFacts = {
        ...{
          journalFile: join(home, `journal-${journals}.sqlite`),
          hostUrl,
          wallet: `0x${'0'.repeat(40)}`,
          keyId: 'bench',
          scopes: ['account:read'],
          ...facts,
        },
      }
      return start('../../support/gateway/gateway-child.ts', JSON.stringify(own), key)
    },
    stop: async () => {
      await service.terminate()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function call(hostUrl: string, token: string, dispatcher: Dispatcher): Promise<void> {
  const { statusCode, body } = await request(`${hostUrl}${path}`, { dispatcher, headers: { 'x-svc-api-key': token } })
  const text = await body.text()
  if (statusCode !== 200) throw new Error(`${statusCode} ${text}`)
}

/**
 * Measures a bot's read of the account through the gateway, from a local service. Compares it with the same read through a bare pass-through over
 * undici: the time that each adds to one call, and the time of many calls at once. Targets: at most 1.3 times the added time, and at least 0.7 times
 * as many calls per second.
 */
export async function measureGateway(rounds: Rounds, folder: string): Promise<Measured[]> {
  const service = await startService(folder)
  const [gateway, bare] = await Promise.all([service.gateway(), start('./pass-through.ts', service.hostUrl)])
  const [one, many] = [new Agent({ connections: 1, pipelining: 1 }), new Agent({ connections: atOnce, pipelining: 1 })]
  const [token = ''] = gateway.tokens
  const oneCall = (hostUrl: string) => async (): Promise<number> => {
    const started = performance.now()
    await call(hostUrl, token, one)
    return (performance.now() - started) * 1_000
  }
  const manyCalls = (hostUrl: string) => async (): Promise<number> => {
    let left = calls
    const work = async () => {
      while (left > 0) {
        left -= 1
        await call(hostUrl, token, many)
      }
    }
    const started = performance.now()
    await Promise.all(Array.from({ length: atOnce }, work))
    return ((performance.now() - started) / calls) * 1_000
  }
  try {
    const p50 = await interleave({ direct: oneCall(service.hostUrl), bare: oneCall(bare.hostUrl), ours: oneCall(gateway.hostUrl) }, rounds)
    const added = (side: readonly number[]) => side.map((one, round) => one - (p50.direct[round] ?? Number.NaN))
    const cost = await interleave({ bare: manyCalls(bare.hostUrl), ours: manyCalls(gateway.hostUrl) }, { ...rounds, turns: 5 })
    return [
      compare('Gateway, added latency p50 in µs, against a bare undici pass-through', {
        ...{ ours: added(p50.ours), against: added(p50.bare), target: 1.3 },
      }),
      compare('Gateway, ms per 1,000 calls over 16 connections, against a bare undici pass-through', { ours: cost.ours, against: cost.bare, target: 1 / 0.7 }),
    ]
  } finally {
    await Promise.all([one.destroy(), many.destroy(), gateway.stop(), bare.stop()])
    await service.stop()
  }
}

/**
 * Measures how evenly 100 bots of 5 calls a second share 250 calls a second: how far the bot furthest from its share is away from it, in calls. The
 * share is what each of them should get.
 */
export async function measureSharing({ rounds }: Pick<Rounds, 'rounds'>, folder: string): Promise<Measured[]> {
  const service = await startService(folder)
  try {
    const shares: number[] = []
    const furthest: number[] = []
    for (let round = 0; round < Math.min(rounds, 3); round += 1) {
      const answered = await shared(service)
      const share = answered.reduce((sum, one) => sum + one, 0) / answered.length
      shares.push(share)
      furthest.push(Math.max(...answered.map((one) => Math.abs(one - share))))
    }
    return [
      compare('Gateway, calls by which one of 100 bots misses its share of 250 calls a second, against the share', {
        ...{ ours: furthest, against: shares, target: 0.1 },
      }),
    ]
  } finally {
    await service.stop()
  }
}

/** The answers that each bot gets within the measured seconds. Each calls on time, whether or not its earlier calls have been answered. */
async function shared(service: Awaited<ReturnType<typeof startService>>): Promise<number[]> {
  const gateway = await service.gateway({ bots: bots.count, callsPerSecond: bots.sharedPerSecond })
  const agent = new Agent({ connections: 1_000, pipelining: 1 })
  const answered = Array<number>(bots.count).fill(0)
  const waiting = new Set<Promise<void>>()
  let isMeasured = false
  const timers = gateway.tokens.map((token, bot) => {
    const ask = () => {
      const answer = call(gateway.hostUrl, token, agent)
        .then(() => {
          if (isMeasured) answered[bot] = (answered[bot] ?? 0) + 1
        })
        // What the gateway still holds when it stops has no answer, and a full queue is refused: neither counts as a call of this bot.
        .catch(() => undefined)
        .finally(() => waiting.delete(answer))
      waiting.add(answer)
    }
    return setInterval(ask, 1_000 / bots.callsPerSecond)
  })
  const seconds = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_000))
  await seconds(bots.settlingSeconds)
  isMeasured = true
  await seconds(bots.seconds)
  isMeasured = false
  for (const timer of timers) clearInterval(timer)
  await gateway.stop()
  await Promise.all([...waiting])
  await agent.destroy()
  if (answered.length !== bots.count) throw new Error(`${answered.length} of ${bots.count} bots`)
  return answered
}
