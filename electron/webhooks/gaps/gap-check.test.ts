import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { GapCheck } from '../../../shared/ipc/gaps.ts'
import type { ActionTicket } from '../../../shared/ipc/tickets.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { type RunningChain, startChain } from '../../sandbox/chain/start-chain.ts'
import { createPracticeClock } from '../../sandbox/practice-clock.ts'
import { freePort } from '../../terminal/testing/free-port.ts'
import { failure, value } from '../../testing/desk.ts'
import { patience, type Sender, startSender } from '../../testing/sender.ts'
import { marketTicket } from '../../testing/trader.ts'

const receiptRoute = 'POST /api/dex/actions/receipt'

let chain: RunningChain
let desk: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  desk = await startSender(chain, { kind: 'practice' })
})
afterEach(() => desk.stop())

const check = async (sinceMs: number | null = null) => desk.handlers()['gaps.check']({ sinceMs })
type Checked = Extract<GapCheck, { kind: 'checked' }>
async function checked(): Promise<Checked> {
  const answer = value(await check())
  if (answer.kind !== 'checked') throw new Error(answer.kind)
  return answer
}
const of = ({ rows }: Checked, result: Checked['rows'][number]['result']) => rows.filter((row) => row.result === result).map(({ types }) => types.join(' or '))
const captured = async () => value(await desk.handlers()['lab.events']({ from: 0, to: 100 })).rows.map(({ type }) => type)

/** A webhook to the lab, which listens from now on. */
async function listen(events: string[]): Promise<string> {
  const port = await freePort()
  const { id } = value(await desk.handlers()['webhooks.create']({ url: `http://127.0.0.1:${port}/in`, events }))
  const answer = { kind: 'fixed', status: 200, delayS: 0 } as const
  value(await desk.handlers()['lab.open']({ webhookId: id, port, path: '/in', forwardTo: null, answer }))
  return id
}

async function trade(): Promise<string> {
  const { ref } = value(await desk.handlers()['orders.prepare'](await marketTicket(desk))).intent
  const signature = await desk.sign(value(await desk.ask(ref)))
  value(await desk.handlers()['orders.signed']({ ref, signature }))
  await desk.finalise(ref)
  return ref
}

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
/** The approval and the deposit, both through the wallet. */
async function sendDeposit(): Promise<string> {
  const { ref } = (await desk.prepareAction(deposit)).intent
  await desk.step(ref)
  await desk.becomes(ref, 'PREPARED')
  await desk.step(ref)
  await desk.finalise(ref)
  return ref
}

const delivered = (type: string, count: number) =>
  expect
    .poll(async () => {
      await desk.tick()
      return (await captured()).filter((one) => one === type).length
    }, patience)
    .toBe(count)

test('everything that was delivered is found in the history, and exactly what was dropped is missing, once it cannot come any more [HOOK-07] [HOOK-08]', async () => {
  expect(value(await check())).toEqual({ kind: 'never_opened' })
  await listen(['*'])
  const first = await trade()
  await sendDeposit()
  await delivered('transaction.confirmed', 3)
  desk.clock.advance(2 * minute)
  const all = await checked()
  expect(of(all, 'missing')).toEqual([])
  expect(of(all, 'captured').sort()).toEqual([
    'collateral.changed',
    'order.accepted',
    'order.filled',
    'position.changed',
    'transaction.confirmed',
    'transaction.confirmed',
    'transaction.confirmed',
  ])
  expect(all.rows.find(({ types }) => types[0] === 'transaction.confirmed' && types.length === 1)).toMatchObject({ by: 'transaction' })
  expect(all.rows.filter(({ intentRef }) => intentRef === first).map(({ types }) => types[0])).toContain('order.filled')
  expect(all.extra).toEqual({ count: 0, events: [] })
  expect(all.counts).toEqual({ expected: 7, captured: 7, missing: 0, due: 0, unjudged: 0 })

  desk.faults.deliveries = { drop: ['position.changed'] }
  const second = await trade()
  await delivered('transaction.confirmed', 4)
  await delivered('order.filled', 2)
  desk.faults.deliveries = null
  const soon = await checked()
  desk.clock.advance(2 * minute)
  const late = await checked()
  expect([...of(soon, 'due'), ...of(soon, 'missing')]).toEqual(['position.changed'])
  expect(of(late, 'missing')).toEqual(['position.changed'])
  expect(late.rows.find(({ result }) => result === 'missing')).toMatchObject({ intentRef: second, symbol: expect.stringContaining('-'), eventId: null })
  expect(late.counts).toMatchObject({ captured: 10, missing: 1, due: 0, unjudged: 0 })

  const file = join(tmpdir(), `gaps-${process.pid}.csv`)
  desk.chosenFiles.push(file)
  expect(value(await desk.handlers()['gaps.save']({ sinceMs: null, format: 'csv', missing: true }))).toEqual({ state: 'saved', path: file, rows: 1 })
  const [head, line, ...more] = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(head).toContain('time,event,intent,market')
  expect(line).toMatch(/Z,position\.changed,.*,missing,/)
  expect(more).toEqual([])
  desk.chosenFiles.push(file)
  value(await desk.handlers()['gaps.save']({ sinceMs: null, format: 'json', missing: true }))
  const records: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(records).toEqual([expect.objectContaining({ types: ['position.changed'], result: 'missing', eventId: null, time: expect.stringMatching(/Z$/) })])
}, 60_000)

test('a hash that the service refused is not called missing; reported again, its event comes [FLOW-05] [HOOK-09]', async () => {
  await listen(['transaction.confirmed', 'transaction.reverted'])
  desk.faults.answer = [{ route: receiptRoute, status: 400, code: 'BAD_REQUEST', times: 1 }]
  const ref = await sendDeposit()
  await delivered('transaction.confirmed', 1)
  desk.clock.advance(2 * minute)
  const before = await checked()
  expect(before.rows.map(({ result, why }) => [result, why]).sort()).toEqual([
    ['captured', null],
    ['unjudged', 'not_reported'],
  ])
  const listed = async () => value(await desk.handlers()['receipts.list']({ ref: null })).broadcasts.map(({ index, receipt }) => [index, receipt])
  expect(await listed()).toEqual([
    [1, 'reported'],
    [0, 'refused'],
  ])
  // However old it is by then.
  desk.clock.advance(60 * minute)
  expect(value(await desk.handlers()['receipts.report']({ ref, index: 0 }))).toEqual({ receipt: 'reported' })
  expect(value(await desk.handlers()['receipts.report']({ ref, index: 0 }))).toEqual({ receipt: 'reported' })
  expect(desk.receipts()).toHaveLength(3)
  expect(failure(await desk.handlers()['receipts.report']({ ref, index: 7 }))).toMatchObject({ kind: 'not_found' })
  await chain.mine(1)
  await delivered('transaction.confirmed', 2)
  expect(of(await checked(), 'captured')).toEqual(['transaction.confirmed', 'transaction.confirmed'])
  // Nothing of orders, positions and collateral was subscribed to.
  expect((await checked()).counts.expected).toBe(2)
}, 60_000)

test('what happened while the lab did not listen is not judged, and without the webhook nothing is [HOOK-08]', async () => {
  await listen(['order.filled'])
  await trade()
  await delivered('order.filled', 1)
  value(await desk.handlers()['lab.pause']({}))
  desk.clock.advance(5 * minute)
  await trade()
  // Nobody answers any of its attempts.
  await expect
    .poll(async () => {
      await desk.tick()
      return desk.exchange.deliveries().map(({ state }) => state)
    }, patience)
    .toEqual(['delivered', 'given_up'])
  desk.clock.advance(5 * minute)
  value(await desk.handlers()['lab.resume']({}))
  const both = await checked()
  expect(both.rows.map(({ types, result, why }) => [...types, result, why])).toEqual([
    ['order.filled', 'unjudged', 'not_listened'],
    ['order.filled', 'captured', null],
  ])
  expect(both.spans).toHaveLength(2)
  expect(value(await check(both.spans[1]?.fromMs ?? null))).toMatchObject({ rows: [], counts: { expected: 0 } })
  // Another wallet has other webhooks, and another history.
  const other = privateKeyToAccount(generatePrivateKey())
  expect(failure(await desk.connect(other).then(() => check()))).toMatchObject({ kind: expect.stringMatching(/sign_in|wallet/) })
}, 60_000)
