import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DelegatedItem } from '../../shared/ipc/tickets.ts'
import { limitOrder } from '../../shared/ticket/ticket.fixture.ts'
import { failure, value } from '../testing/desk.ts'
import { type Executing, executePath, startExecuting } from '../testing/executing.ts'
import { preparePath } from '../testing/trader.ts'

let desk: Executing
let folder: string
beforeEach(async () => {
  desk = await startExecuting()
  folder = await mkdtemp(join(tmpdir(), 'svc-desk-names-'))
})
afterEach(async () => {
  await desk.stop()
  await rm(folder, { recursive: true })
})

const sentPayload = () => JSON.parse(desk.sentTo(preparePath).at(-1)?.body ?? '{}').payload
const cancel = () => desk.handlers()['orders.prepare']({ action: 'cancel_order', order: limitOrder })

test('what the user says a field is called is what is sent, until it is taken back; an order to open keeps its names [ORD-05]', async () => {
  value(await desk.handlers()['corrections.save']({ cancel_order: { order_id: 'id' } }))
  await cancel()
  expect(sentPayload()).toEqual({ id: 'ord_1' })
  await desk.prepare({ leverage: 3 })
  expect(sentPayload()).toMatchObject({ leverage: 3, pair_id: 1 })
  value(await desk.handlers()['corrections.save']({}))
  await cancel()
  expect(sentPayload()).toEqual({ order_id: 'ord_1' })
})

test('what an executor is asked for goes by the user’s names too, tried and in a batch, and is found again by its own ids [ORD-13]', async () => {
  const names = { cancel: { order_id: 'id' }, batch: { actions: 'steps' }, create_limit: { client_order_id: 'cloid' } }
  value(await desk.handlers()['corrections.save'](names))
  const item: DelegatedItem = { action: 'cancel', order: limitOrder }
  const executed = () => JSON.parse(desk.sentTo(executePath).at(-1)?.body ?? '{}')
  await desk.handlers()['execution.dryRun']({ ticket: item, keyId: null })
  expect(executed()).toMatchObject({ action: 'cancel', prepare_only: true, payload: { id: 'ord_1' } })
  await desk.handlers()['execution.dryRun']({ ticket: { action: 'batch', items: [item, item] }, keyId: null })
  expect(executed().payload.steps).toEqual([item, item].map(() => ({ action: 'cancel', payload: { id: 'ord_1' } })))
  await desk.handlers()['execution.execute']({ ticket: { action: 'batch', items: [item] }, keyId: null })
  expect(executed().payload).toMatchObject({ steps: [{ action: 'cancel', payload: { id: 'ord_1' } }], idempotency_key: expect.stringMatching(/^desk-/) })
})

test('names outlive a restart, and travel to another profile in a file', async () => {
  const names = { close_position_market: { size: 'quantity' }, update_tpsl: { take_profit: 'tp' } }
  value(await desk.handlers()['corrections.save'](names))
  await desk.restart()
  expect(value(await desk.handlers()['corrections.get']({}))).toEqual(names)
  const path = join(folder, 'names.json')
  desk.chosenFiles.push(path)
  expect(value(await desk.handlers()['corrections.export']({}))).toEqual({ path })
  expect(JSON.parse(await readFile(path, 'utf8'))).toEqual(names)
  value(await desk.handlers()['corrections.save']({}))
  desk.chosenFiles.push(path)
  expect(value(await desk.handlers()['corrections.import']({}))).toEqual({ path })
  expect(value(await desk.handlers()['corrections.get']({}))).toEqual(names)
})

test('what cannot be is refused whole, and what stood stays; a closed dialog changes nothing', async () => {
  value(await desk.handlers()['corrections.save']({ cancel_order: { order_id: 'id' } }))
  expect(failure(await desk.handlers()['corrections.save']({ open_position: { leverage: 'x' } }))).toMatchObject({ kind: 'bad_input' })
  const path = join(folder, 'names.json')
  for (const text of ['{"cancel_order":{"order_id":"a b"}}', 'order_id=id']) {
    await writeFile(path, text)
    desk.chosenFiles.push(path)
    expect(failure(await desk.handlers()['corrections.import']({}))).toMatchObject({ kind: 'bad_input', field: 'corrections' })
  }
  desk.chosenFiles.push(join(folder, 'none.json'))
  expect(failure(await desk.handlers()['corrections.import']({}))).toMatchObject({ kind: 'file', issue: 'missing' })
  expect(value(await desk.handlers()['corrections.import']({}))).toEqual({ path: null })
  expect(value(await desk.handlers()['corrections.export']({}))).toEqual({ path: null })
  expect(value(await desk.handlers()['corrections.get']({}))).toEqual({ cancel_order: { order_id: 'id' } })
})
