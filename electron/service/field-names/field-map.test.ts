import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { limitOrder } from '../../../e2e/support/fixtures/ticket.ts'
import { type Executing, executePath, startExecuting } from '../../../e2e/support/main/executing.ts'
import { preparePath } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { RequestNames } from '../../../shared/field-map/field-map-entries.ts'
import type { DelegatedItem } from '../../../shared/ipc/intents/tickets.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Executing
let folder: string
beforeEach(async () => {
  workspace = await startExecuting()
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-map-'))
})
afterEach(async () => {
  await workspace.stop()
  await rm(folder, { recursive: true })
})

const change = (names: RequestNames, from: 'you' | 'refusal' = 'you') =>
  workspace.handlers()['fieldMap.change']({
    set: Object.entries(names).flatMap(([of, fields]) =>
      Object.entries(fields).map(([field, at]) => ({ part: 'payloads' as const, of, field, at, unit: null })),
    ),
    remove: [],
    from,
  })
const guardedEntry = { part: 'answers', of: 'meta', field: 'capabilities', at: 'what it can', unit: null } as const
const map = async () => value(await workspace.handlers()['fieldMap.get']({}))
const names = async () => (await map()).entries.map(({ of, field, at, from }) => `${of}.${field} ${at} ${from}`)
const sentPayload = () => JSON.parse(workspace.sentTo(preparePath).at(-1)?.body ?? '{}').payload
const cancel = () => workspace.handlers()['intents.prepare']({ action: 'cancel_order', order: limitOrder })
const file = async (text: string) => {
  const path = join(folder, 'map.json')
  await writeFile(path, text)
  workspace.chosenFiles.push(path)
  return value(await workspace.handlers()['fieldMap.choose']({})).chosen
}

test('the app sends the field map’s names until its entries are removed; opening a position always uses the documented names [ORD-05]', async () => {
  value(await change({ cancel_order: { order_id: 'id' } }))
  await cancel()
  expect(sentPayload()).toEqual({ id: 'ord_1' })
  await workspace.prepare({ leverage: 3 })
  expect(sentPayload()).toMatchObject({ leverage: 3, pair_id: 1 })
  value(await change({ cancel_order: { order_id: 'order_id' } }))
  expect(await names()).toEqual([])
  await cancel()
  expect(sentPayload()).toEqual({ order_id: 'ord_1' })
})

test('an executor’s requests use the field map’s names, also in dry runs and batches, and the app still finds the order by its ids [ORD-13]', async () => {
  value(await change({ cancel: { order_id: 'id' }, batch: { actions: 'steps' }, create_limit: { client_order_id: 'cloid' } }))
  const item: DelegatedItem = { action: 'cancel', order: limitOrder }
  const executed = () => JSON.parse(workspace.sentTo(executePath).at(-1)?.body ?? '{}')
  await workspace.handlers()['intents.dryRun']({ ticket: item, keyId: null })
  expect(executed()).toMatchObject({ action: 'cancel', prepare_only: true, payload: { id: 'ord_1' } })
  await workspace.handlers()['intents.dryRun']({ ticket: { action: 'batch', items: [item, item] }, keyId: null })
  expect(executed().payload.steps).toEqual([item, item].map(() => ({ action: 'cancel', payload: { id: 'ord_1' } })))
  await workspace.handlers()['intents.execute']({ ticket: { action: 'batch', items: [item] }, keyId: null })
  expect(executed().payload).toMatchObject({ steps: [{ action: 'cancel', payload: { id: 'ord_1' } }], idempotency_key: expect.stringMatching(/^desk-/) })
})

test('requests about keys use the field map’s names, and the request console hides a signature even if its field is renamed [AUTH-09]', async () => {
  value(await change({ key_expiry: { expires_in_days: 'days' }, key_creation: { signature: 'grantProof', preparation_id: 'draft' } }))
  const [key] = value(await workspace.handlers()['keys.list']({})).keys
  await workspace.handlers()['keys.setExpiry']({ keyId: key?.id ?? '', days: 30 })
  expect(JSON.parse(workspace.sent.findLast(({ path }) => path.endsWith('/expiry'))?.body ?? '{}')).toEqual({ days: 30 })
  await workspace.createKey('second').catch(() => undefined)
  const body = JSON.parse(workspace.sent.findLast(({ path, method }) => path === '/api/dex/developer/keys' && method === 'POST')?.body ?? '{}')
  expect(body).toMatchObject({ label: expect.stringMatching(/^second/), grantProof: expect.stringMatching(/^0x/), draft: expect.any(String) })
  const all = { kind: 'all', status: 'any', text: '', upTo: null, offset: 0, limit: 200 } as const
  const { rows } = value(await workspace.handlers()['requests.list'](all))
  expect(rows.length).toBeGreaterThan(0)
  for (const { id } of rows) expect(JSON.stringify(await workspace.handlers()['requests.get']({ id }))).not.toContain(body.grantProof.slice(2, 60))
})

test('the app notifies every window of a field-map change; the user can undo and redo the change even after a restart', async () => {
  value(await change({ cancel_order: { order_id: 'id' } }))
  value(await change({ cancel_order: { order_id: 'ref' }, update_tpsl: { take_profit: 'tp' } }, 'refusal'))
  expect(workspace.events.filter((event) => event.type === 'invalidate' && event.queries.includes('fieldMap.get'))).toHaveLength(2)
  expect(workspace.events.at(-1)).toMatchObject({ queries: expect.arrayContaining(['account.riskPreview']) })
  await workspace.restart()
  await workspace.connect()
  expect(await names()).toEqual(['cancel_order.order_id ref refusal', 'update_tpsl.take_profit tp refusal'])
  value(await workspace.handlers()['fieldMap.undo']({}))
  expect(await names()).toEqual(['cancel_order.order_id id you'])
  await cancel()
  expect(sentPayload()).toEqual({ id: 'ord_1' })
  value(await workspace.handlers()['fieldMap.undo']({}))
  expect(await names()).toHaveLength(2)
  value(await workspace.handlers()['fieldMap.reset']({}))
  expect(await names()).toEqual([])
  value(await workspace.handlers()['fieldMap.undo']({}))
  expect(await names()).toHaveLength(2)
})

test('the app imports all field names that an earlier version of the app stored, and imports them only once', async () => {
  const old = { close_position_market: { size: 'position_id', position_id: 'ref' }, batch: { actions: 'steps' } }
  workspace.journal()[raw].values.set('corrections/practice', JSON.stringify(old))
  await workspace.restart()
  expect(await names()).toEqual(['batch.actions steps you', 'close_position_market.position_id ref you', 'close_position_market.size position_id you'])
  // The map contains an entry that today's rules would refuse. This must not prevent the user from adding another entry.
  value(await change({ cancel_order: { order_id: 'id' } }))
  value(await workspace.handlers()['fieldMap.reset']({}))
  await workspace.restart()
  expect(await names()).toEqual([])
})

test.each([
  ['newer', JSON.stringify({ version: 9, entries: [], more: true })],
  ['damaged', '{"version":2,"entries":[{"part":"signing"}]}'],
  ['damaged', 'no json'],
] as const)('the app treats a stored field map that is %s as empty and reports this, and undo restores the map', async (stored, text) => {
  workspace.journal()[raw].values.set('field-map/practice', text)
  await workspace.restart()
  expect(await map()).toMatchObject({ entries: [], stored })
  value(await change({ cancel_order: { order_id: 'id' } }))
  expect(await map()).toMatchObject({ stored: 'read' })
  value(await workspace.handlers()['fieldMap.undo']({}))
  expect(workspace.journal()[raw].values.get('field-map/practice')).toBe(text)
})

test('the app previews what a field-map file would change, then adds its entries or replaces all existing entries, as the user chooses', async () => {
  value(await change({ cancel_order: { order_id: 'id' }, update_tpsl: { take_profit: 'tp' } }))
  const path = join(folder, 'out.json')
  workspace.chosenFiles.push(path)
  expect(value(await workspace.handlers()['fieldMap.export']({}))).toEqual({ path })
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({
    version: 2,
    answers: {},
    payloads: { cancel_order: { order_id: 'id' }, update_tpsl: { take_profit: 'tp' } },
  })

  const text = JSON.stringify({ version: 2, payloads: { cancel_order: { order_id: 'ref' }, reduce: { size: 'qty' } } })
  const first = await file(text)
  expect(first).toMatchObject({
    issues: [],
    merge: { added: [{ of: 'reduce' }], changed: [{ before: { at: 'id' }, after: { at: 'ref' } }], removed: [] },
    replace: { added: [{ of: 'reduce' }], removed: [{ of: 'update_tpsl' }] },
  })
  expect(await names()).toEqual(['cancel_order.order_id id you', 'update_tpsl.take_profit tp you'])
  value(await workspace.handlers()['fieldMap.import']({ id: first?.id ?? '', how: 'merge' }))
  expect(await names()).toEqual(['cancel_order.order_id ref file', 'reduce.size qty file', 'update_tpsl.take_profit tp you'])
  expect(failure(await workspace.handlers()['fieldMap.import']({ id: first?.id ?? '', how: 'merge' }))).toEqual({ kind: 'not_found', what: 'file' })
  value(await workspace.handlers()['fieldMap.undo']({}))
  const second = await file(text)
  value(await workspace.handlers()['fieldMap.import']({ id: second?.id ?? '', how: 'replace' }))
  expect(await names()).toEqual(['cancel_order.order_id ref file', 'reduce.size qty file'])
})

test('the service check may set a field-map entry that no file may contain; an export of the field map omits that entry', async () => {
  expect(failure(await workspace.handlers()['fieldMap.change']({ set: [guardedEntry], remove: [], from: 'you' }))).toMatchObject({
    kind: 'field_map',
    issues: [{ code: 'guarded_field' }],
  })
  workspace.journal()[raw].values.set('field-map/practice', JSON.stringify({ version: 2, entries: [{ ...guardedEntry, from: 'check' }] }))
  await workspace.restart()
  value(await change({ cancel_order: { order_id: 'id' } }))
  expect(await names()).toEqual(['meta.capabilities what it can check', 'cancel_order.order_id id you'])
  const path = join(folder, 'out.json')
  workspace.chosenFiles.push(path)
  value(await workspace.handlers()['fieldMap.export']({}))
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ answers: {}, payloads: { cancel_order: { order_id: 'id' } } })
})

test('if a field-map file contains an invalid entry, the app refuses the whole file; closing the file dialog changes nothing', async () => {
  value(await change({ cancel_order: { order_id: 'id' } }))
  const before = await map()
  for (const wrong of [
    { open_position: { leverage: 'x' } },
    { reduce: { size: 'a b' } },
    { reduce: { size: 'ref', position_id: 'ref' } },
    { cancel: { order_id: 'idempotencyKey' } },
  ])
    expect(failure(await change({ ...wrong, update_tpsl: { take_profit: 'tp' } }))).toMatchObject({ kind: 'field_map' })
  for (const text of ['{"version":2,"payloads":{"cancel_order":{"order_id":"a b"}}}', 'order_id=id', '{"version":3}', '{"version":2,"contracts":{}}']) {
    const chosen = await file(text)
    expect(chosen?.issues).toHaveLength(1)
    expect(failure(await workspace.handlers()['fieldMap.import']({ id: chosen?.id ?? '', how: 'replace' }))).toMatchObject({ kind: 'not_found' })
  }
  await writeFile(join(folder, 'huge.json'), ' '.repeat(300_000))
  workspace.chosenFiles.push(join(folder, 'huge.json'))
  expect(failure(await workspace.handlers()['fieldMap.choose']({}))).toMatchObject({ kind: 'file', issue: 'too_large' })
  workspace.chosenFiles.push(join(folder, 'none.json'))
  expect(failure(await workspace.handlers()['fieldMap.choose']({}))).toMatchObject({ kind: 'file', issue: 'missing' })
  expect(value(await workspace.handlers()['fieldMap.choose']({}))).toEqual({ chosen: null })
  expect(value(await workspace.handlers()['fieldMap.export']({}))).toEqual({ path: null })
  expect(await map()).toEqual(before)
})

test('a field-map file can set where to read a response field, except for fields that the app compares before signing [FLOW-02]', async () => {
  const places = { position: { size: { path: 'amounts.size', unit: 'base' } } }
  const good = await file(JSON.stringify({ version: 2, answers: places }))
  expect(good?.issues).toEqual([])
  value(await workspace.handlers()['fieldMap.import']({ id: good?.id ?? '', how: 'merge' }))
  expect((await map()).entries).toEqual([{ part: 'answers', of: 'position', field: 'size', at: 'amounts.size', unit: 'base', from: 'file' }])
  expect(workspace.events.at(-1)).toMatchObject({ queries: expect.arrayContaining(['account.positions']) })
  const bad = await file(
    JSON.stringify({ version: 2, answers: { key_preparation: { agent: { path: 'a' } }, position: { size: { path: 'a', unit: 'percent' } } } }),
  )
  expect(bad?.issues.map(({ code }) => code)).toEqual(expect.arrayContaining(['bad_unit']))
  expect(bad?.issues).toHaveLength(2)
})
