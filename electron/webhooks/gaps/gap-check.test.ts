import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { freePort } from '../../../e2e/support/free-port.ts'
import { patience, type Sender, startSender } from '../../../e2e/support/main/sender.ts'
import { marketTicket } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { ActionTicket } from '../../../shared/ipc/intents/tickets.ts'
import type { GapCheck } from '../../../shared/ipc/webhooks/gaps.ts'
import { minute, systemClock } from '../../../shared/time.ts'
import { createPracticeClock } from '../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../practice/chain/start-chain.ts'

const receiptRoute = 'POST /api/dex/actions/receipt'

let chain: RunningChain
let workspace: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain, { kind: 'practice' })
})
afterEach(() => workspace.stop())

const check = async (sinceMs: number | null = null) => workspace.handlers()['gaps.check']({ sinceMs })
type Checked = Extract<GapCheck, { kind: 'checked' }>
async function checked(): Promise<Checked> {
  const answer = value(await check())
  if (answer.kind !== 'checked') throw new Error(answer.kind)
  return answer
}
const of = ({ rows }: Checked, result: Checked['rows'][number]['result']) => rows.filter((row) => row.result === result).map(({ types }) => types.join(' or '))
const unexplained = ({ extra }: Checked) => extra.events.filter(({ type }) => !type.startsWith('funding.'))
const captured = async () => value(await workspace.handlers()['lab.events']({ from: 0, to: 100 })).rows.map(({ type }) => type)

async function listen(events: string[]): Promise<string> {
  const port = await freePort()
  const { id } = value(await workspace.handlers()['webhooks.create']({ url: `http://127.0.0.1:${port}/in`, events }))
  const answer = { kind: 'fixed', status: 200, delayS: 0 } as const
  value(await workspace.handlers()['lab.open']({ webhookId: id, port, path: '/in', forwardTo: null, answer }))
  return id
}

async function trade(): Promise<string> {
  const { ref } = value(await workspace.handlers()['intents.prepare'](await marketTicket(workspace))).intent
  const signature = await workspace.sign(value(await workspace.ask(ref)))
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.finalise(ref)
  return ref
}

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
async function sendDeposit(): Promise<string> {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  await workspace.step(ref)
  await workspace.becomes(ref, 'PREPARED')
  await workspace.step(ref)
  await workspace.finalise(ref)
  return ref
}

const delivered = (type: string, count: number) =>
  expect
    .poll(async () => {
      await workspace.tick()
      return (await captured()).filter((one) => one === type).length
    }, patience)
    .toBe(count)

test('the gap check finds every delivered event, and calls undelivered events missing once they can no longer arrive [HOOK-07] [HOOK-08]', async () => {
  expect(value(await check())).toEqual({ kind: 'never_opened' })
  await listen(['*'])
  const first = await trade()
  await sendDeposit()
  await delivered('transaction.confirmed', 3)
  workspace.clock.advance(2 * minute)
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
  expect(unexplained(all)).toEqual([])
  expect(all.counts).toEqual({ expected: 7, captured: 7, missing: 0, due: 0, unjudged: 0 })

  workspace.faults.deliveries = { drop: ['position.changed'] }
  const second = await trade()
  await delivered('transaction.confirmed', 4)
  await delivered('order.filled', 2)
  workspace.faults.deliveries = null
  const soon = await checked()
  workspace.clock.advance(2 * minute)
  const late = await checked()
  expect([...of(soon, 'due'), ...of(soon, 'missing')]).toEqual(['position.changed'])
  expect(of(late, 'missing')).toEqual(['position.changed'])
  expect(late.rows.find(({ result }) => result === 'missing')).toMatchObject({ intentRef: second, symbol: expect.stringContaining('-'), eventId: null })
  expect(late.counts).toMatchObject({ captured: 10, missing: 1, due: 0, unjudged: 0 })

  const file = join(tmpdir(), `gaps-${process.pid}.csv`)
  workspace.chosenFiles.push(file)
  expect(value(await workspace.handlers()['gaps.save']({ sinceMs: null, format: 'csv', missing: true }))).toEqual({ state: 'saved', path: file, rows: 1 })
  const [head, line, ...more] = (await readFile(file, 'utf8')).trim().split('\r\n')
  expect(head).toContain('time,event,intent,market')
  expect(line).toMatch(/Z,position\.changed,.*,missing,/)
  expect(more).toEqual([])
  workspace.chosenFiles.push(file)
  value(await workspace.handlers()['gaps.save']({ sinceMs: null, format: 'json', missing: true }))
  const records: unknown = JSON.parse(await readFile(file, 'utf8'))
  expect(records).toEqual([expect.objectContaining({ types: ['position.changed'], result: 'missing', eventId: null, time: expect.stringMatching(/Z$/) })])
}, 60_000)

/** Undoes a transaction's block and all blocks above it by a reorganisation. A second node keeps the transactions out of the new blocks. */
async function takeBlockBack(ref: string): Promise<void> {
  const { txHash } = await workspace.intent(ref)
  const { blockNumber } = await workspace.client.getTransactionReceipt({ hash: txHash as `0x${string}` })
  await chain.reorganise(Number((await chain.blockNumber()) - blockNumber) + 1)
}
async function takeBack(ref: string): Promise<void> {
  await takeBlockBack(ref)
  await workspace.becomes(ref, 'SUBMITTED')
}
const corrected = ({ rows }: Checked) =>
  rows
    .filter(({ key }) => key.startsWith('correction/'))
    .map(({ types, result, why, takesBackId }) => [...types, takesBackId?.replace(/^evt_.*_/, '') ?? null, why ?? result])
    .sort()

test('after a reorganisation, the gap check expects corrections, links those that arrive, and reports those that are missing [HOOK-07] [FLOW-06]', async () => {
  await listen(['*'])
  const ref = await trade()
  await delivered('transaction.confirmed', 1)
  expect(of(await checked(), 'captured')).toHaveLength(4)
  workspace.faults.deliveries = { drop: ['transaction.pending'] }
  await takeBack(ref)
  await delivered('chain.reorg', 4)
  const soon = await checked()
  expect(corrected(soon)).toEqual([
    ['chain.reorg', 'order.accepted', 'captured'],
    ['chain.reorg', 'order.filled', 'captured'],
    ['chain.reorg', 'position.changed', 'captured'],
    ['transaction.pending', 'transaction.confirmed', 'due'],
  ])
  // The reorganisation removed rows from the history. The check expects no events for those.
  expect(soon.rows).toHaveLength(4)
  expect(unexplained(soon)).toEqual([])
  // The fourth `chain.reorg` revokes `transaction.confirmed`, whose row waits for another type of correction.
  expect(soon.corrections).toEqual({ count: 4, unmatched: 1 })
  const linked = soon.rows.find(({ takesBackId }) => takesBackId?.endsWith('order.filled'))
  expect(linked).toMatchObject({ by: 'event', takesBackType: 'order.filled', intentRef: ref, eventId: `${linked?.takesBackId}_chain.reorg` })
  workspace.clock.advance(2 * minute)
  const late = await checked()
  expect(of(late, 'missing')).toEqual(['transaction.pending'])
  expect(late.counts).toMatchObject({ captured: 3, missing: 1, due: 0, unjudged: 0 })
}, 60_000)

test('the gap check sees in the history that a reorganisation reverted a final intent, and the app follows the intent again [HOOK-07] [FLOW-06]', async () => {
  await listen(['*'])
  const ref = await trade()
  const gone = await sendDeposit()
  await delivered('transaction.confirmed', 3)
  workspace.clock.advance(10 * minute)
  expect((await checked()).counts).toMatchObject({ missing: 0, due: 0, captured: 7 })
  workspace.faults.deliveries = { drop: ['transaction.pending', 'chain.reorg'] }
  await takeBlockBack(ref)
  await expect.poll(() => workspace.exchange.deliveries().filter(({ type }) => type === 'transaction.pending').length, patience).toBe(3)
  await workspace.tick()
  expect([(await workspace.intent(ref)).state, (await workspace.intent(gone)).state]).toEqual(['FINAL', 'FINAL'])
  workspace.clock.advance(minute)
  const soon = await checked()
  const wanted = [
    ['chain.reorg', 'collateral.changed'],
    ['chain.reorg', 'order.accepted'],
    ['chain.reorg', 'order.filled'],
    ['chain.reorg', 'position.changed'],
    ['transaction.pending', 'transaction.confirmed'],
    ['transaction.pending', 'transaction.confirmed'],
    ['transaction.pending', 'transaction.confirmed'],
  ]
  const all = (result: string) => wanted.map((one) => [...one, result])
  expect(corrected(soon)).toEqual(all('due'))
  expect([(await workspace.intent(ref)).state, (await workspace.intent(gone)).state]).toEqual(['SUBMITTED', 'SUBMITTED'])
  expect(unexplained(soon)).toEqual([])
  // The check above made the app follow the intent again. The next check therefore doesn't look up the intent.
  workspace.clock.advance(2 * minute)
  const looks = () => workspace.sent.filter(({ path }) => path.includes('/executions/')).length
  const before = looks()
  const late = await checked()
  expect(looks()).toBe(before)
  expect(corrected(late)).toEqual(all('missing'))
  expect(late.counts).toMatchObject({ captured: 0, missing: 7, due: 0, unjudged: 0 })
}, 60_000)

test('if a final event was never delivered, the gap check does not call its correction missing, but links a correction that arrives [HOOK-07]', async () => {
  await listen(['transaction.confirmed', 'transaction.pending'])
  workspace.faults.deliveries = { drop: ['transaction.confirmed', 'transaction.pending'] }
  const sent = (wanted: string, count: number) =>
    expect.poll(() => workspace.exchange.deliveries().filter(({ type }) => type === wanted).length, patience).toBe(count)
  const lost = await trade()
  await sent('transaction.confirmed', 1)
  await takeBack(lost)
  await sent('transaction.pending', 1)
  workspace.clock.advance(2 * minute)
  expect(corrected(await checked())).toEqual([['transaction.pending', null, 'never_delivered']])
  workspace.faults.deliveries = { drop: ['transaction.confirmed'] }
  const named = await trade()
  await sent('transaction.confirmed', 2)
  await takeBack(named)
  await delivered('transaction.pending', 1)
  expect((await checked()).rows.find(({ result }) => result === 'captured')).toMatchObject({
    ...{ types: ['transaction.pending'], intentRef: named, by: 'transaction', takesBackType: null },
    takesBackId: expect.stringMatching(/^evt_tx_.*_transaction\.confirmed$/),
  })
}, 60_000)

test('the gap check reads the history every 30 s while an event is due, before calling one missing, after a reorganisation and on request [HOOK-07]', async () => {
  await listen(['*'])
  workspace.faults.deliveries = { drop: ['position.changed'] }
  const ref = await trade()
  await delivered('transaction.confirmed', 1)
  const asked = async (work: () => Promise<unknown>) => {
    const from = workspace.sent.length
    await work()
    return workspace.sent.slice(from).map(({ path }) => path.replace(/\?.*/, '').replace(/^\/api\/dex\/(v1|developer)\//, ''))
  }
  const once = ['orders', 'trades', 'transactions', 'positions/history', 'webhooks']
  const last = await checked()
  expect(of(last, 'due')).toEqual(['position.changed'])
  // The window repeats the check every five seconds. The check calls an event missing only if the history was read after the event's deadline.
  const requests: string[][] = []
  const wanted: string[][] = []
  let readAtMs = workspace.clock.now()
  while (of(last, 'due').length > 0) {
    workspace.clock.advance(5_000)
    const nowMs = workspace.clock.now()
    requests.push(await asked(async () => Object.assign(last, await checked())))
    const isRead = nowMs - readAtMs >= 30_000 || of(last, 'due').length === 0
    wanted.push(isRead ? once : [])
    if (isRead) readAtMs = nowMs
  }
  expect(requests).toEqual(wanted)
  expect(requests.length).toBeGreaterThan(4)
  expect(of(last, 'missing')).toEqual(['position.changed'])
  expect(await asked(checked)).toEqual([])
  value(await workspace.handlers()['gaps.renew']({}))
  expect(await asked(checked)).toEqual(once)
  await takeBack(ref)
  await delivered('transaction.pending', 1)
  expect(await asked(async () => expect((await checked()).rows.every(({ key }) => key.startsWith('correction/'))).toBe(true))).toEqual(once)
}, 60_000)

test('while the service refuses a transaction’s hash, the gap check calls no event missing; it finds the event afterwards [FLOW-05] [HOOK-09]', async () => {
  await listen(['transaction.confirmed', 'transaction.reverted'])
  workspace.faults.answer = [{ route: receiptRoute, status: 400, code: 'BAD_REQUEST', times: 1 }]
  const ref = await sendDeposit()
  await delivered('transaction.confirmed', 1)
  workspace.clock.advance(2 * minute)
  const before = await checked()
  expect(before.rows.map(({ result, why }) => [result, why]).sort()).toEqual([
    ['captured', null],
    ['unjudged', 'not_reported'],
  ])
  const listed = async () => value(await workspace.handlers()['receipts.list']({ ref: null })).broadcasts.map(({ index, receipt }) => [index, receipt])
  expect(await listed()).toEqual([
    [1, 'reported'],
    [0, 'refused'],
  ])
  // Even an hour later, the user can let the app report the hash to the service. If the user requests this twice, the app still reports it only once.
  workspace.clock.advance(60 * minute)
  expect(value(await workspace.handlers()['receipts.report']({ ref, index: 0 }))).toEqual({ receipt: 'reported' })
  expect(value(await workspace.handlers()['receipts.report']({ ref, index: 0 }))).toEqual({ receipt: 'reported' })
  expect(workspace.receipts()).toHaveLength(3)
  expect(failure(await workspace.handlers()['receipts.report']({ ref, index: 7 }))).toMatchObject({ kind: 'not_found' })
  await chain.mine(1)
  await delivered('transaction.confirmed', 2)
  expect(of(await checked(), 'captured')).toEqual(['transaction.confirmed', 'transaction.confirmed'])
  expect((await checked()).counts.expected).toBe(2)
}, 60_000)

test('the gap check does not judge events from times when the receiver lab did not listen, or of a wallet without the webhook [HOOK-08]', async () => {
  await listen(['order.filled'])
  await trade()
  await delivered('order.filled', 1)
  value(await workspace.handlers()['lab.pause']({}))
  workspace.clock.advance(5 * minute)
  await trade()
  await expect
    .poll(async () => {
      await workspace.tick()
      return workspace.exchange.deliveries().map(({ state }) => state)
    }, patience)
    .toEqual(['delivered', 'given_up'])
  workspace.clock.advance(5 * minute)
  value(await workspace.handlers()['lab.resume']({}))
  const both = await checked()
  expect(both.rows.map(({ types, result, why }) => [...types, result, why])).toEqual([
    ['order.filled', 'unjudged', 'not_listened'],
    ['order.filled', 'captured', null],
  ])
  expect(both.spans).toHaveLength(2)
  expect(value(await check(both.spans[1]?.fromMs ?? null))).toMatchObject({ rows: [], counts: { expected: 0 } })
  const other = privateKeyToAccount(generatePrivateKey())
  expect(failure(await workspace.connect(other).then(() => check()))).toMatchObject({ kind: expect.stringMatching(/sign_in|wallet/) })
}, 60_000)
