import { expect, test } from 'vitest'
import type { AppEvent } from '../../shared/ipc/contract.ts'
import { fail, ok } from '../../shared/result.ts'
import { type Bulk, type BulkPlan, type BulkRun, createBulk } from './bulk-run.ts'

interface Thing {
  readonly id: string
  readonly done: boolean
}
type Run = BulkRun<Thing>
type Plan = BulkPlan<Thing, Run, string>

const all = ['a', 'b', 'c', 'd', 'e']

function bulkOf(ask: (id: string) => Promise<string | null>, given: Partial<Plan> = {}) {
  let kept: Run | null = null
  const events: AppEvent[] = []
  const bulk: Bulk<Thing, Run, string> = createBulk(
    {
      name: 'bulk action',
      kept: {
        read: () => kept,
        keep: (run) => {
          kept = run
        },
      },
      idOf: ({ id }) => id,
      isLeft: ({ done }) => !done,
      shownBy: ['revokeAll.state'],
      rounds: 3,
      asksAtOnce: 2,
      round: async () =>
        ok(
          bulk.left().map(
            ({ id }) =>
              () =>
                ask(id),
          ),
        ),
      report: () => ({ fileName: 'things', table: '' }),
      ...given,
    },
    { clock: { now: () => 5 }, emit: (event) => events.push(event), newId: () => 'r', chooseReport: async () => null },
  )
  bulk.begin((begun) => ({ ...begun, wallet: '0xa', steps: all.map((id) => ({ id, done: false })) }))
  return { bulk, events }
}

test('a bulk action sends only a few requests at a time, and saves each result immediately', async () => {
  let [under, most] = [0, 0]
  const { bulk, events } = bulkOf(async (id) => {
    under += 1
    most = Math.max(most, under)
    await Promise.resolve()
    bulk.change(id, { done: true })
    under -= 1
    return null
  })
  expect(bulk.left()).toHaveLength(5)
  bulk.go('user')
  expect(bulk.isRunning()).toBe(true)
  await bulk.settled()
  expect([most, bulk.left(), bulk.isRunning(), bulk.waitsFor()]).toEqual([2, [], false, null])
  expect(events).toHaveLength(7)
})

test('a bulk action pauses when a request reports a reason to wait, such as an ended sign-in, and continues on the user’s request', async () => {
  const asked: string[] = []
  let isOver = true
  const { bulk } = bulkOf(
    async (id) => {
      asked.push(id)
      if (isOver && id === 'b') return 'the sign-in ended'
      bulk.change(id, { done: true })
      return null
    },
    { asksAtOnce: 1 },
  )
  bulk.go('user')
  await bulk.settled()
  expect([asked, bulk.waitsFor()]).toEqual([['a', 'b'], 'the sign-in ended'])
  isOver = false
  bulk.go('user')
  expect(bulk.waitsFor()).toBeNull()
  await bulk.settled()
  expect(asked).toEqual(['a', 'b', 'b', 'c', 'd', 'e'])
})

test('a bulk action starts all rounds of requests after the first one automatically, and waits for the user only after its last round', async () => {
  const rounds: (readonly [number, string])[] = []
  const { bulk } = bulkOf(async () => null, {
    round: async (at, by) => {
      rounds.push([at, by])
      return ok([async () => null])
    },
    through: () => 'no answer',
  })
  bulk.go('user')
  await bulk.settled()
  expect(rounds).toEqual([
    [0, 'user'],
    [1, 'app'],
    [2, 'app'],
  ])
  expect(bulk.waitsFor()).toBe('no answer')
})

test('a bulk action waits for the user and shows the reason if it cannot start its next round of requests', async () => {
  const { bulk } = bulkOf(async () => null, { round: async () => fail('the account cannot be read') })
  bulk.go('user')
  await bulk.settled()
  expect(bulk.waitsFor()).toBe('the account cannot be read')
})

test('a bulk action that the user stopped sends no further request, and the app does not show it as waiting for the user', async () => {
  const asked: string[] = []
  const { bulk } = bulkOf(
    async (id) => {
      asked.push(id)
      bulk.stop()
      return null
    },
    { asksAtOnce: 1, through: () => 'no answer' },
  )
  bulk.go('user')
  await bulk.settled()
  bulk.go('user')
  expect([asked, bulk.waitsFor(), bulk.isRunning()]).toEqual([['a'], null, false])
})

test('the app shows that an unfinished bulk action needs attention only to the wallet that started the bulk action', () => {
  const { bulk } = bulkOf(async () => null)
  bulk.change('a', { done: true })
  expect(bulk.attention('0xa')).toMatchObject({ id: 'bulk action:r', left: 4, of: 5, atMs: 5 })
  expect(bulk.attention('0xb')).toBeNull()
  bulk.end()
  expect([bulk.open(), bulk.last()?.endedAtMs]).toEqual([null, 5])
})
