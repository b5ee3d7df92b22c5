import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { sleep } from '../../electron/kernel/deadline.ts'
import { Secret } from '../../electron/kernel/secret.ts'
import { createApiClient } from '../../electron/service/api/client.ts'
import { createVitalSigns } from '../../electron/service/api/vital-signs.ts'
import type { KeyCredential } from '../../electron/service/transport/api-client.ts'
import { createDispatcher } from '../../electron/service/transport/dispatcher.ts'
import { createLimiter } from '../../electron/service/transport/limiter.ts'
import { createBreaker, createRetryBudget } from '../../electron/service/transport/retry.ts'
import { marketEndpoints } from '../../shared/api/endpoints/all-endpoints.ts'
import { systemClock } from '../../shared/time.ts'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

export const tradingKey: KeyCredential = {
  kind: 'key',
  keyId: 'bench',
  label: 'bench',
  apiKey: new Secret(`SVC${'0'.repeat(40)}`),
  wallet: `0x${'0'.repeat(40)}`,
}

/** The product’s API client, connected as in `electron/workspace/workspace.ts` but without the journal. */
export function productClient(hostUrl: string) {
  return createApiClient({
    hostUrl,
    version: '0.0.0',
    clock: systemClock,
    dispatcher: createDispatcher(new URL(hostUrl), { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }),
    limiter: createLimiter({ clock: systemClock, sleep }),
    breaker: createBreaker(systemClock),
    budget: createRetryBudget(),
    vitalSigns: createVitalSigns(systemClock),
    sleep,
    random: Math.random,
    onExchange: () => {},
  })
}

const inMicroseconds = (work: () => Promise<unknown>) => async (): Promise<number> => {
  const started = performance.now()
  await work()
  return (performance.now() - started) * 1_000
}

/** Measures fetching the market list from a local server with the product’s client. Compares it with `undici.request` and `fetch`. */
export async function measureApiCall(rounds: Rounds): Promise<Measured[]> {
  const service = new Worker(new URL('./api-service.ts', import.meta.url))
  const [port] = (await once(service, 'message')) as [number] // safe cast: the worker’s first message is its port
  const hostUrl = `http://127.0.0.1:${port}`
  const url = `${hostUrl}/api/dex/v1/markets`
  const api = productClient(hostUrl)
  const agent = new Agent({ connections: 8, pipelining: 1 })
  try {
    const p50 = await interleave(
      {
        ours: inMicroseconds(async () => {
          const answer = await api.call(marketEndpoints.getMarkets, { params: {}, query: {}, body: undefined, credential: tradingKey })
          if (!answer.ok) throw new Error(`The call failed: ${JSON.stringify(answer.failure)}`)
        }),
        undici: inMicroseconds(async () => {
          const { body } = await request(url, { dispatcher: agent })
          JSON.parse(await body.text())
        }),
        fetch: inMicroseconds(async () => {
          const answer = await fetch(url)
          JSON.parse(await answer.text())
        }),
      },
      rounds,
    )
    return [
      compare('API call, p50 in µs, against undici.request + JSON.parse', { ours: p50.ours, against: p50.undici, target: 1.15 }),
      compare('API call, p50 in µs, against fetch', { ours: p50.ours, against: p50.fetch, target: 0.8 }),
    ]
  } finally {
    await api.close()
    await agent.destroy()
    await service.terminate()
  }
}
