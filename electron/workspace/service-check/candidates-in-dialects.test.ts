import { afterEach, expect, test } from 'vitest'
import { startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { value } from '../../../e2e/support/main/workspace.ts'
import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import type { FieldMap } from '../../../shared/api/reader/field.ts'
import { parseJson } from '../../../shared/foreign/parse-json.ts'
import type { CheckedResource } from '../../../shared/ipc/host/service-check.ts'
import { asJson, jsonText } from '../../practice/dialect/json.ts'
import { createSpeaker } from '../../practice/dialect/speaker.ts'
import type { LoggedTruth } from '../../practice/dialect/truth-log.ts'
import { topCandidates } from './accepting.ts'
import { judge } from './judge-answer.ts'
import { planOf } from './steps.ts'

let workspace: Trader | undefined
afterEach(async () => {
  await workspace?.stop()
  workspace = undefined
})

/** Removes case, dots and separators from a field's path before comparing: some simulated services use flat column names instead of nesting. */
const canonical = (path: string): string => path.replace(/[._\-\s]/g, '').toLowerCase()
const isAt = (path: string, truth: string): boolean => canonical(path).includes(canonical(truth))

type Look = (map: FieldMap | undefined) => readonly CheckedResource[]

const isReadAt = (look: Look, resource: string, field: string, path: string): boolean =>
  look({ [resource]: { [field]: { path } } }).some(
    (one) => one.resource === resource && one.fields.some((each) => each.field === field && each.state === 'read'),
  )

interface Count {
  read: number
  right: number
  readonly wrong: string[]
  readonly none: string[]
}

/**
 * Rewrites one answer with the field names of a simulated service (`seed`). Then counts the fields for which the check suggests the true place
 * first. Covers only fields that the app can read under the exchange's own names.
 */
function count(seed: number, { route, body, fields, requestId }: LoggedTruth, to: Count): void {
  const step = planOf(false).find(({ kind, endpoint }) => kind === 'read' && endpoint.route === route)
  if (step === undefined) return
  const reader = step.endpoint.response
  const sent = parseJson(jsonText(asJson(createSpeaker(seed).answer(route, body, { requestId, nowMs: 0, action: null }))))
  const own = judge(reader, body, undefined).resources
  const look: Look = (map) => judge(reader, sent, map).resources
  const tops = topCandidates(look, undefined)
  for (const { resource, records, fields: read, unread } of look(undefined)) {
    if (records === 0) continue
    for (const field of read) {
      const path = own.find((one) => one.resource === resource)?.fields.find((one) => one.field === field.field)?.path ?? null
      const told = path === null ? undefined : fields.find((one) => one.field === path || path.endsWith(`.${one.field}`))
      if (told === undefined || told.value === null || told.path.length === 0 || told.standing !== 'told' || field.documented) continue
      const truth = told.path.join('.')
      const top = tops.find((one) => one.resource === resource && one.field === field.field)
      const name = `${seed} ${route} ${resource}.${field.field} at ${truth}`
      if (field.state === 'read') to.read += 1
      // The app may be unable to read the field at its true place, because nothing there shows the unit. A missing suggestion then doesn't count.
      else if (top === undefined && !unread.some(({ path: at }) => isAt(at, truth) && isReadAt(look, resource, field.field, at))) continue
      else if (top === undefined) to.none.push(name)
      else if (isAt(top.path, truth)) to.right += 1
      else to.wrong.push(`${name}, not ${top.path}`)
    }
  }
}

test('the service check suggests the right property first for a field that the service sends under an unknown name', async () => {
  workspace = await startTrader()
  const { faults, exchange } = workspace
  const { ref, signature } = await workspace.asked({ pairId: 1 })
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await exchange.settle()
  const counted: Count = { read: 0, right: 0, wrong: [], none: [] }
  const seen = new Set<string>()
  for (let seed = 1; seed <= 10; seed += 1) {
    faults.dialect = seed
    value(await workspace.handlers()['serviceCheck.start']({ how: 'again', dryRuns: false, only: null }))
    await workspace.settled()
    for (const told of exchange.truth({}).filter(({ requestId }) => !seen.has(requestId))) {
      seen.add(told.requestId)
      count(seed, told, counted)
    }
  }
  expect(counted.read).toBeGreaterThan(1_000)
  expect(counted.wrong).toEqual([])
  expect(counted.none.length / (counted.none.length + counted.right), counted.none.join('\n')).toBeLessThan(0.05)
}, 60_000)

test('the service check never suggests a property that contains a profit or loss for a field that contains a price', () => {
  const positions = { positions: [{ position_id: '1', pair_id: 1, side: 'long', unrealised_pnl: '1.5', funding_pnl: '-0.01' }] }
  const [seen] = endpoints.getPositions.response.inspect(positions)
  expect(seen?.fields.filter(({ unit }) => unit === 'price').flatMap(({ suggestions }) => suggestions)).toEqual([])
})

test('the service check never suggests a property that the app already reads as another field in any row of the answer', () => {
  const row = { orderKey: '1', marketId: 1, side: 'BUY', type: 'MARKET', px: '95529.9', szUsd: 524.46, status: 'FILLED', trigPx: null }
  const orders = {
    orders: {
      items: [
        { ...row, notionalCents: null },
        { ...row, orderKey: '2', notionalCents: 52488 },
      ],
    },
  }
  const [seen] = endpoints.getOrders.response.inspect(orders)
  expect(seen?.fields.find(({ field }) => field === 'triggerPrice')?.suggestions).toEqual([])
  expect(seen?.unread.map(({ path }) => path)).not.toContain('notionalCents')
})

test('the service check never suggests a property with an unrelated name as a text field, or a 32-byte id as a transaction hash', () => {
  const executed = { execution: { command_id: 'cmd_1', state: 'executed', relayer: 'exec-fra-1', instruction: 'create_limit' } }
  const [delegated] = endpoints.getDelegatedExecution.response.inspect(executed)
  expect(delegated?.fields.find(({ field }) => field === 'reason')?.suggestions).toEqual([])
  const closed = { history: { items: [{ id: `0x${'0'.repeat(62)}43`, position_id: 'pos_1', pair_id: 1, side: 'long', exit_price: '1.5' }] } }
  const [row] = endpoints.getPositionHistory.response.inspect(closed)
  const offered = (name: string) => row?.fields.find(({ field }) => field === name)?.suggestions.map(({ path }) => path)
  expect([offered('txHash'), offered('closeId')]).toEqual([[], ['id']])
})

test('the service check inspects each result of an executor’s action, and suggests no other property for a field whose value is null', () => {
  const result = { index: 0, action: 'create_limit', state: 'executed', reason: null, id: 1795457482053, position_id: null }
  const [, results] = endpoints.getDelegatedExecution.response.inspect({ execution: { command_id: 'cmd_1', state: 'executed', results: [result] } })
  expect(results).toMatchObject({ resource: 'delegated_result', records: 1 })
  expect(results?.fields.flatMap(({ field, suggestions }) => suggestions.map(({ path }) => `${field} at ${path}`))).toEqual([])
  // The app reads `id` without a suggestion, because the result's `action` shows what kind of ID it is.
  expect(results?.fields.find(({ field }) => field === 'id')).toMatchObject({ state: 'read', path: 'id' })
})

test('the service check never suggests a property that contains an IP address for a field that contains a name', () => {
  const key = { key_id: 'key_1', label: 'bot', status: 'active', usage: { last_ip: '127.0.0.1' } }
  const [seen] = endpoints.listKeys.response.inspect({ keys: [key] })
  expect(seen?.fields.filter(({ field }) => field !== 'allowlist').flatMap(({ suggestions }) => suggestions.map(({ path }) => path))).not.toContain(
    'usage.last_ip',
  )
})
