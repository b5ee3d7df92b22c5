import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Bench, start } from '../../../e2e/support/practice/start.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { planOf } from './steps.ts'

let bench: Bench
beforeAll(async () => {
  bench = await start()
})
afterAll(() => bench.stop())

test('the service check reads every GET route of the service except the event stream', () => {
  const reads = planOf(false).flatMap((step) => (step.kind === 'read' ? [step.endpoint.route] : []))
  const routes = Object.values(endpoints).flatMap(({ route }) => (route.startsWith('GET ') && route !== 'GET /stream' ? [route] : []))
  expect(reads.toSorted()).toEqual(routes.toSorted())
})

test.each(Object.entries(endpoints))('the practice exchange has the service’s route %s', async (_, { root, route }) => {
  const [method = '', path = ''] = route.split(' ')
  const full = `${method} ${root === 'base' ? '/api/dex/v1' : ''}${path.replaceAll(/\{\w+\}/g, '1')}`
  const answer = await bench.call(full, method === 'GET' || method === 'DELETE' ? {} : { body: {} })
  expect(answer.text).not.toContain('This path was not found')
  expect(answer.status).not.toBe(405)
})
