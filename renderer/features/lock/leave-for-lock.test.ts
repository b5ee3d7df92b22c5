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
  // The cast is needed because this fake implements only one call of the IPC contract.
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

test('after a lock, the page hands its typed text and waiting commands to the main process at once if nothing is in progress', async () => {
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

test('after a lock, the page waits for the phone’s answer to an open request, then hands the answer’s command to the main process', async () => {
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

test('six minutes after a lock, the page hands its typed text and commands to the main process even if the phone has not answered', async () => {
  const { page, given, leave } = lockedPage()
  page.getState().begin()
  leave()
  await vi.advanceTimersByTimeAsync(6 * minute - 1)
  expect(given).toHaveLength(0)
  await vi.advanceTimersByTimeAsync(2)
  expect(given).toHaveLength(1)
})

test('if the user unlocks the app while the phone has an open request, the page stays and hands nothing to the main process', async () => {
  const { page, given, leave } = lockedPage()
  const end = page.getState().begin()
  leave()()
  end()
  await vi.advanceTimersByTimeAsync(10 * minute)
  expect(given).toEqual([])
  expect(page.getState().phase).toBe('used')
})

test('the page stays open after a lock if the main process refuses to take the page’s typed text and commands', async () => {
  const { page, given, leave, stayed } = lockedPage(false)
  leave()
  await vi.advanceTimersByTimeAsync(0)
  expect([given.length, page.getState().phase, stayed()]).toEqual([1, 'stays', 1])
})
