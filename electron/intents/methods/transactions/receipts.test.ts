import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { patience, type Sender, startSender } from '../../../../e2e/support/main/sender.ts'
import type { ActionTicket } from '../../../../shared/ipc/intents/tickets.ts'
import { systemClock } from '../../../../shared/time.ts'
import { createPracticeClock } from '../../../practice/base/practice-clock.ts'
import { type RunningChain, startChain } from '../../../practice/chain/start-chain.ts'

let chain: RunningChain
let workspace: Sender
beforeAll(async () => {
  const started = await startChain({ clock: createPracticeClock(systemClock), dataDir: null, firstHolder: null, history: true })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  chain = started.value
})
afterAll(() => chain.stop())
beforeEach(async () => {
  workspace = await startSender(chain)
})
afterEach(() => workspace.stop())

const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount: '25.5', permit: false }
const receiptRoute = 'POST /api/dex/actions/receipt'
const receiptOf = (ref: string) => workspace.journal().transactions.of(ref)[0]?.receipt

/** Prepares a deposit and sends its approval. Returns the intent’s reference. */
async function sent(): Promise<string> {
  const { ref } = (await workspace.prepareAction(deposit)).intent
  await workspace.step(ref)
  return ref
}

test('for each transaction that the wallet broadcast, the app reports the hash to the service once, without a credential [FLOW-05]', async () => {
  const ref = await sent()
  await workspace.becomes(ref, 'PREPARED')
  await workspace.step(ref)
  await workspace.finalise(ref)
  const { intentId } = await workspace.intent(ref)
  const hashes = (await workspace.shown(ref)).transactions.map(({ txHash }) => txHash)
  expect(workspace.receipts()).toEqual(
    hashes.map((txHash) => ({ wallet: workspace.account.address, intent_id: intentId, tx_hash: txHash, state: 'submitted' })),
  )
  expect(workspace.sentTo('/api/dex/actions/receipt').flatMap(({ headers }) => Object.keys(headers))).not.toContain('x-svc-api-key')
  expect(workspace.journal().transactions.of(ref)).toMatchObject([{ receipt: 'reported' }, { receipt: 'reported' }])
})

test('if the service fails to accept the report of a transaction hash, the app blocks no order and repeats the report after a restart [FLOW-05]', async () => {
  workspace.faults.answer = [{ route: receiptRoute, status: 500, code: 'INTERNAL', times: 5 }]
  const ref = await sent()
  await workspace.becomes(ref, 'PREPARED')
  expect(receiptOf(ref)).toBe('due')
  await workspace.restart()
  await workspace.connect()
  await expect
    .poll(async () => {
      await workspace.tick()
      return receiptOf(ref)
    }, patience)
    .toBe('reported')
  expect(workspace.receipts().length).toBeGreaterThan(5)
})

test('if the service does not receive a reported transaction hash, the app repeats the report with growing delays, then gives up [FLOW-05]', async () => {
  workspace.faults.dropRequest = [{ route: receiptRoute, times: 999 }]
  const ref = await sent()
  const made: number[] = []
  for (let tick = 0; tick < 80 && receiptOf(ref) === 'due'; tick += 1) {
    const before = workspace.receipts().length
    await workspace.tick()
    if (workspace.receipts().length > before) made.push(tick)
  }
  expect(receiptOf(ref)).toBe('given_up')
  const waits = made.slice(1).map((tick, index) => tick - (made[index] ?? 0))
  expect(waits.length).toBeGreaterThan(1)
  for (const [index, wait] of waits.slice(1).entries()) expect(wait, waits.join(', ')).toBeGreaterThan(waits[index] ?? 0)
})

test('the app does not repeat a report of a transaction hash that the service refuses [FLOW-05]', async () => {
  workspace.faults.answer = [{ route: receiptRoute, status: 400, code: 'BAD_REQUEST', times: 99 }]
  const ref = await sent()
  await workspace.becomes(ref, 'PREPARED')
  for (let count = 0; count < 5; count += 1) await workspace.tick()
  expect(workspace.receipts()).toHaveLength(1)
  expect(receiptOf(ref)).toBe('refused')
})
