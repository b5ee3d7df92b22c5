import { join } from 'node:path'
import { build } from 'vite'
import { expect, test } from 'vitest'

async function bundle(hooks: boolean): Promise<string> {
  const output = await build({
    configFile: false,
    logLevel: 'error',
    define: { __HOOKS__: JSON.stringify(hooks) },
    ssr: { noExternal: true },
    build: { ssr: join(import.meta.dirname, 'sandbox.ts'), write: false, minify: false, target: 'node24' },
  })
  if (Array.isArray(output) || !('output' in output)) throw new Error('One build has one output')
  return output.output.map((part) => (part.type === 'chunk' ? part.code : '')).join('\n')
}

const traces = [
  'practice/hooks/',
  'autoApprove',
  'rejectCode',
  'advanceMs',
  'POST /clock',
  'DELETE /faults',
  'GET /effects',
  'GET /rows',
  'POST /chain',
  'POST /sample',
  'POST /deliver',
]

test('the app’s production build contains no code of the test hooks, which set the clock, faults or automatic approval', { timeout: 60_000 }, async () => {
  const product = await bundle(false)
  expect(product).toContain('/api/dex/v1')
  expect(traces.filter((trace) => product.includes(trace))).toEqual([])
})

test('the app’s test build contains every text that must be absent from the production build, so that the search for these texts is valid', {
  timeout: 60_000,
}, async () => {
  const code = await bundle(true)
  expect(traces.filter((trace) => !code.includes(trace))).toEqual([])
})
