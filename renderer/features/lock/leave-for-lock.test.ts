import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Bridge } from '../../../shared/ipc/contract.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { fail, ok } from '../../../shared/result.ts'
import { minute } from '../../../shared/time.ts'
import { pageWork } from '../../ipc/page-work.ts'
import { createQueryClient } from '../../ipc/query-client.ts'
import { leaveForLock } from './lock-watch.tsx'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

/** A page that was used, when main has locked. `takes`: whether main lets it go. */
function lockedPage(takes = true) {
  const client = createQueryClient()
  const page = pageWork(client)
  page.setState({ phase: 'used', locked: true })
  const given: HandOver[] = []
  const call = async (_name: string, input: HandOver) => {
    given.push(input)
    return { result: takes ? ok({}) : fail({ kind: 'wrong_state', state: 'open', wanted: 'locked' }), invalidates: [] }
  }
  let stayed = 0
  // A cast at the boundary: one call of the contract's is played here.
  const bridge = { call, on: () => () => undefined } as unknown as Bridge
  const leave = () =>
    leaveForLock(bridge, client, {
      leaves: () => ({ place: '#/trade', drafts: 'typed', notices: [] }),
      stays: () => {
        stayed += 1
      },
    })
  return { page, given, leave, stayed: () => stayed }
}

test('a page with nothing under way leaves at once, with what was typed and the commands that wait', async () => {
  const { page, given, leave } = lockedPage()
  page.getState().hold({ name: 'keys.revoke', input: { keyId: 'k1', confirmLabel: 'bot' } })
  page.getState().alsoHold(() => [{ name: 'wallet.storageSet', input: { key: 'a', value: null } }])
  leave()
  await vi.advanceTimersByTimeAsync(0)
  expect(given).toEqual([
    {
      place: '#/trade',
      drafts: 'typed',
      notices: [],
      calls: [
        { name: 'wallet.storageSet', input: '{"key":"a","value":null}' },
        { name: 'keys.revoke', input: '{"keyId":"k1","confirmLabel":"bot"}' },
      ],
    },
  ])
  expect(page.getState().phase).toBe('left')
})

test('a request on the phone is waited for, and what its answer leads to goes with the page', async () => {
  const { page, given, leave } = lockedPage()
  const end = page.getState().begin()
  leave()
  await vi.advanceTimersByTimeAsync(5 * minute)
  expect(given).toEqual([])
  end()
  await Promise.resolve()
  page.getState().hold({ name: 'intents.answered', input: { ref: 'r1' } })
  await vi.advanceTimersByTimeAsync(0)
  expect(given.map(({ calls }) => calls)).toEqual([[{ name: 'intents.answered', input: '{"ref":"r1"}' }]])
})

test('one that is never answered holds the page for six minutes', async () => {
  const { page, given, leave } = lockedPage()
  page.getState().begin()
  leave()
  await vi.advanceTimersByTimeAsync(6 * minute - 1)
  expect(given).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(2)
  expect(given).toHaveLength(1)
})

test('unlocked meanwhile the page stays, and leaves no more', async () => {
  const { page, given, leave } = lockedPage()
  const end = page.getState().begin()
  leave()()
  end()
  await vi.advanceTimersByTimeAsync(10 * minute)
  expect(given).toEqual([])
  expect(page.getState().phase).toBe('used')
})

test('a page that main does not let go is itself again', async () => {
  const { page, given, leave, stayed } = lockedPage(false)
  leave()
  await vi.advanceTimersByTimeAsync(0)
  expect([given.length, page.getState().phase, stayed()]).toEqual([1, 'stays', 1])
})
