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

test('removes a locked page after the page has handed over its state, and gives this state to the next page only', async () => {
  const main = setUp()
  main.lock()
  expect(main.loads()).toBe(0)
  expect(await main.leave({ drafts: '{"orderValue":"250"}' })).toBe(true)
  expect(main.loads()).toBe(1)
  main.unlock()
  expect(await main.takeBack()).toEqual(left({ drafts: '{"orderValue":"250"}' }))
  expect(await main.takeBack()).toBeNull()
})

test('reloads the page of an unlocked app on request, and gives the page’s state to the next page only', async () => {
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

test('accepts a page’s state only while the app is locked, and only once', async () => {
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

test('reloads a locked page that does not hand over its state within seven minutes, unless the user unlocks the app first', () => {
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

test('keeps only those pending calls that reduce risk or carry wallet answers, and only if they fit the contract', async () => {
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

test('never passes a page’s state to a page of another exchange’s profile', async () => {
  const main = setUp()
  main.lock()
  await main.leave({ drafts: 'of practice' })
  main.unlock()
  main.choose('live-1')
  expect(await main.takeBack()).toBeNull()
})

test('keeps the first page’s state if the app locks again before the next page has fetched that state', async () => {
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
