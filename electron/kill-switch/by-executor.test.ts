import { afterEach, beforeEach, expect, test } from 'vitest'
import { type Executing, executePath, executeRoute, startExecuting } from '../../e2e/support/main/executing.ts'
import { value } from '../../e2e/support/main/workspace.ts'
import type { DelegatedItem } from '../../shared/ipc/intents/tickets.ts'
import { bulkActionPhrases } from '../../shared/phrases.ts'

let workspace: Executing
beforeEach(async () => {
  workspace = await startExecuting()
})
afterEach(() => workspace.stop())

const resting = (limitPrice: string): DelegatedItem => ({
  action: 'create_limit',
  order: {
    ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 5, orderValueUsdc: '20', limitPrice },
    ...{ timeInForce: 'gtc', postOnly: false, takeProfit: null, stopLoss: null },
  },
})
const market = async (pairId: number): Promise<DelegatedItem> => ({
  action: 'open_market',
  order: { ...(await workspace.ticket({ pairId })), marginMode: 'isolated', maxSlippageBps: 100 },
})
const known = async () => {
  const now = value(await workspace.handlers()['bulkActions.state']({}))
  if (now.state === 'idle') throw new Error('There is no bulk action')
  return now
}
const states = async () => [...new Set((await known()).steps.map(({ kind, state }) => `${kind} ${state}`))]
const start = () => workspace.handlers()['bulkActions.start']({ kind: 'kill', by: { way: 'executor', keyId: null }, keyIds: [], typed: bulkActionPhrases.kill })
const asked = (from: number) =>
  workspace
    .sentTo(executePath)
    .slice(from)
    .map(({ body }) => JSON.parse(body ?? '') as { action: string; payload: { actions?: { action: string }[] } })
const ends = (wanted: string[]) =>
  expect
    .poll(
      async () => {
        await workspace.chain.mine(4)
        await workspace.tick()
        return states()
      },
      { timeout: 20_000 },
    )
    .toEqual(wanted)

test('the kill switch cancels orders through an executor in batches of at most 32, then closes positions, and confirms that all are gone [ORD-13]', async () => {
  await workspace.carryOut({ action: 'batch', items: Array.from({ length: 20 }, (_, at) => resting(String(50_000 + at))) })
  await workspace.carryOut({ action: 'batch', items: Array.from({ length: 15 }, (_, at) => resting(String(51_000 + at))) })
  await workspace.carryOut({ action: 'batch', items: [await market(1), await market(2)] })
  const before = workspace.sentTo(executePath).length
  value(await start())
  expect((await known()).steps).toHaveLength(37)
  await ends(['cancel done', 'close done'])
  expect(asked(before).map(({ payload }) => payload.actions?.map(({ action }) => action) ?? [])).toEqual([
    Array.from({ length: 32 }, () => 'cancel'),
    Array.from({ length: 3 }, () => 'cancel'),
    ['close', 'close'],
  ])
  expect(await known()).toMatchObject({ state: 'done' })
})

test('if the executor refuses, the kill switch stops and shows the reason; after a crash, the kill switch continues only on the user’s request [ORD-14]', async () => {
  await workspace.carryOut(await market(1))
  workspace.faults.answer = [{ route: executeRoute, status: 403, code: 'delegated_executor_binding_required', times: 1 }]
  value(await start())
  await expect.poll(async () => (await known()).stopped).toMatchObject({ kind: 'executor_required' })
  expect(await states()).toEqual(['close waiting'])
  await workspace.restart()
  await workspace.connect()
  for (let ticks = 0; ticks < 3; ticks += 1) await workspace.tick()
  expect(await known()).toMatchObject({ state: 'open', running: false, stopped: null })
  expect(await states()).toEqual(['close waiting'])
  value(await workspace.handlers()['bulkActions.goOn']({}))
  await ends(['close done'])
})
