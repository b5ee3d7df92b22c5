import { expect, test } from 'vitest'
import { longBtc } from '../../../e2e/support/fixtures/ticket.ts'
import { createLockClock } from '../../../e2e/support/lock/lock-clock.ts'
import type { HandOver } from '../../../shared/ipc/host/lock.ts'
import { type DelegatedItem, DelegatedTicket } from '../../../shared/ipc/intents/tickets.ts'
import { minute, second } from '../../../shared/time.ts'
import { createLeaving } from './app-lock.ts'

const left = (over: Partial<HandOver> = {}): HandOver => ({ place: '#/trade', drafts: null, notices: [], calls: [], ...over })
const call = (name: string, input: unknown) => ({ name, input: JSON.stringify(input) })
const close: DelegatedItem = { action: 'close', position: longBtc, referencePrice: '96000', maxSlippageBps: 50 }
const open: DelegatedItem = {
  action: 'create_limit',
  order: {
    ...{ pairId: 1, side: 'long', orderType: 'limit', marginMode: 'cross', leverage: 10, orderValueUsdc: '250' },
    ...{ takeProfit: null, stopLoss: null, limitPrice: '96000', timeInForce: 'gtc', postOnly: false },
  },
}

function setUp() {
  const clock = createLockClock()
  let locked = false
  let profileId: string | null = 'practice'
  let look: (() => void) | null = null
  let loads = 0
  const leaving = createLeaving({
    clock,
    every: (_, work) => {
      look = work
      return () => {
        look = null
      }
    },
    locked: () => locked,
    profileId: () => profileId,
    reload: () => {
      loads += 1
    },
  })
  return {
    loads: () => loads,
    lock() {
      locked = true
      leaving.begin()
    },
    unlock() {
      locked = false
      leaving.end()
    },
    choose: (next: string | null) => {
      profileId = next
    },
    pass(ms: number) {
      clock.pass(ms)
      look?.()
    },
    leave: async (over: Partial<HandOver> = {}) => (await leaving.handlers['lock.leave'](left(over))).ok,
    reopen: async () => (await leaving.handlers['lock.reopen']({ place: '#/settings', drafts: '{}', notices: [] })).ok,
    async takeBack() {
      const taken = await leaving.handlers['lock.takeBack']({})
      return taken.ok ? taken.value : 'failed'
    },
  }
}

test('when the app locks, the page hands over its route and typed text before the app removes the page, and only the next page gets them', async () => {
  const main = setUp()
  main.lock()
  expect(main.loads()).toBe(0)
  expect(await main.leave({ drafts: '{"orderValue":"250"}' })).toBe(true)
  expect(main.loads()).toBe(1)
  main.unlock()
  expect(await main.takeBack()).toEqual(left({ drafts: '{"orderValue":"250"}' }))
  expect(await main.takeBack()).toBeNull()
})

test('the unlocked app reloads its page on request, and gives the old page’s route and typed text only to the next page', async () => {
  const main = setUp()
  main.lock()
  expect(await main.reopen()).toBe(false)
  expect(main.loads()).toBe(0)
  main.unlock()
  expect(await main.reopen()).toBe(true)
  expect(main.loads()).toBe(1)
  expect(await main.takeBack()).toEqual(left({ place: '#/settings', drafts: '{}' }))
  expect(await main.takeBack()).toBeNull()
})

test('the main process accepts a page’s route and typed text only while the app is locked, and only once', async () => {
  const main = setUp()
  expect(await main.leave()).toBe(false)
  main.lock()
  main.unlock()
  expect(await main.leave()).toBe(false)
  main.lock()
  expect([await main.leave({ place: '#/keys' }), await main.leave({ place: '#/forged' })]).toEqual([true, false])
  main.unlock()
  expect(await main.takeBack()).toMatchObject({ place: '#/keys' })
  expect(main.loads()).toBe(1)
})

test('if a page does not hand over its typed text within seven minutes after locking, the app reloads it, unless the user unlocks first', () => {
  const main = setUp()
  main.lock()
  main.pass(7 * minute - second)
  expect(main.loads()).toBe(0)
  main.pass(second)
  main.pass(minute)
  expect(main.loads()).toBe(1)
  main.unlock()
  main.lock()
  main.unlock()
  main.pass(8 * minute)
  expect(main.loads()).toBe(1)
})

test('when the app locks, it keeps a page’s pending calls only if they are exits or wallet answers and fit the IPC contract', async () => {
  const main = setUp()
  main.lock()
  const exits = [
    call('intents.answered', { ref: 'r1', answer: `0x${'ab'.repeat(65)}` }),
    call('keys.revoke', { keyId: 'k1', confirmLabel: 'bot' }),
    call('intents.execute', { ticket: close, keyId: null }),
  ]
  for (const item of [close, open]) expect(DelegatedTicket.safeParse(item)).toMatchObject({ success: true })
  const others = [
    call('intents.execute', { ticket: { action: 'batch', items: [close, open] }, keyId: null }),
    call('intents.execute', { ticket: open, keyId: null }),
    call('secrets.reveal', { keyId: 'k1', confirmLabel: 'bot' }),
    call('intents.prepare', {}),
    call('keys.revoke', { keyId: 7, confirmLabel: 'bot' }),
    call('toString', {}),
    call('__proto__', {}),
    { name: 'keys.revoke', input: '{' },
  ]
  await main.leave({ calls: [...others, ...exits] })
  main.unlock()
  const taken = await main.takeBack()
  expect(taken).toMatchObject({ calls: exits.map(({ name }) => ({ name })) })
})

test('the app never gives a locked page’s route and typed text to a page of another exchange’s profile', async () => {
  const main = setUp()
  main.lock()
  await main.leave({ drafts: 'of practice' })
  main.unlock()
  main.choose('live-1')
  expect(await main.takeBack()).toBeNull()
})

test('if the app locks again before the new page has fetched the earlier page’s typed text, the app keeps that text', async () => {
  const main = setUp()
  main.lock()
  await main.leave({ drafts: 'typed', calls: [call('keys.revoke', { keyId: 'k1', confirmLabel: 'bot' })] })
  main.unlock()
  main.lock()
  await main.leave({ calls: [call('keys.revoke', { keyId: 'k2', confirmLabel: 'bot' })] })
  main.unlock()
  expect(await main.takeBack()).toEqual(
    left({ drafts: 'typed', calls: [call('keys.revoke', { keyId: 'k1', confirmLabel: 'bot' }), call('keys.revoke', { keyId: 'k2', confirmLabel: 'bot' })] }),
  )
})
