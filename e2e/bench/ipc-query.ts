import type { Page } from 'playwright-core'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

/** A page’s clock has a resolution of 0.1 ms, so one sample is the mean of several calls in a row. */
const callsPerSample = 10
const requestBytes = 256
const query = 'app.settings'

const filled: unknown = { fill: 'x'.repeat(requestBytes - JSON.stringify([query, { fill: '' }]).length) }
// The cast is intended: the query’s type is an empty object, but the test fills it up to the request size. The main process drops unknown fields.
const input = filled as Record<string, never>

const sample = (page: Page) => (): Promise<number> =>
  page.evaluate(
    async ([name, value, calls]) => {
      const started = performance.now()
      for (let call = 0; call < calls; call += 1) await window.appBridge.call(name, value)
      return (performance.now() - started) / calls
    },
    [query, input, callsPerSample] as const,
  )

/**
 * Measures the time for a query from the product’s window to the main process and back. The query itself costs almost nothing. Compares it with the
 * fixture app’s window `echo`, whose handler returns the same bytes through the same preload.
 */
export async function measureIpcQuery(rounds: Rounds, { product, echo }: { readonly product: Page; readonly echo: Page }): Promise<Measured[]> {
  const answer = await product.evaluate(([name, value]) => window.appBridge.call(name, value), [query, input] as const)
  if (!answer.result.ok) throw new Error(`${query} failed: ${JSON.stringify(answer.result.failure)}`)
  const echoed = await echo.evaluate((value) => (window.appBridge.call as (name: string, input: unknown) => Promise<unknown>)('bench.echo', value), answer)
  if (JSON.stringify(echoed) !== JSON.stringify(answer)) throw new Error('The fixture does not echo')

  const p50 = await interleave({ ours: sample(product), against: sample(echo) }, rounds)
  return [compare('IPC query round trip, 256 B, p50 in ms, against a bare echo', { ...p50, target: 1.25 })]
}
