import { afterEach, expect, test } from 'vitest'
import type { Rewrite } from '../../../e2e/support/main/front.ts'
import { relayRoute, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { failure, value } from '../../../e2e/support/main/workspace.ts'
import type { CloseTicket } from '../../../shared/ipc/intents/tickets.ts'
import { day, minute } from '../../../shared/time.ts'

let workspace: Trader
afterEach(() => workspace.stop())

/** Creates a function that rewrites the service’s responses to these routes: it applies `change` to every record. */
const records =
  (routes: readonly string[], change: (record: Readonly<Record<string, unknown>>) => unknown): Rewrite =>
  (route, answer) => {
    if (!routes.some((one) => route.endsWith(one))) return answer
    const rewritten = (value: unknown): unknown => {
      if (Array.isArray(value)) return value.map(rewritten)
      if (typeof value !== 'object' || value === null) return value
      const inner = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, rewritten(one)]))
      return 'tx_hash' in inner || 'intent_id' in inner ? change(inner) : inner
    }
    return rewritten(answer)
  }
const listings = ['/transactions', '/orders/by-client-id']

/** Starts a trader whose exchange sends responses that `rewrite` has changed. */
async function speaking(rewrite: Rewrite): Promise<void> {
  workspace = await startTrader()
  await workspace.rewriteAnswers(rewrite)
}
/** Signs an order that the relay accepts, and loses the relay’s response. Returns the intent’s reference. */
async function taken(): Promise<string> {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropAnswer = [{ route: relayRoute, times: 1 }]
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  return ref
}
/** Signs an order and loses the request to the relay. Returns the intent’s reference. */
async function lost(): Promise<string> {
  const { ref, signature } = await workspace.asked()
  workspace.faults.dropRequest = [{ route: relayRoute, times: 1 }]
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  expect((await workspace.intent(ref)).state).toBe('UNKNOWN')
  return ref
}
const known = async (ref: string) => value(await workspace.handlers()['intents.unknown']({ ref }))
const resolve = (ref: string, outcome: 'carried_out' | 'not_carried_out' | 'pass') => workspace.handlers()['intents.resolve']({ ref, outcome })

test('if the service lists an executed order without its transaction hash, the app finds the order by its trade’s transaction hash [FLOW-07]', async () => {
  await speaking(records(listings, ({ tx_hash: _, ...record }) => ({ ...record, state: 'Executed' })))
  const ref = await taken()
  await workspace.chain.mine(9)
  await workspace.tick()
  await workspace.tick()
  expect(['SUBMITTED', 'CONFIRMING', 'FINAL']).toContain((await workspace.intent(ref)).state)
  expect((await workspace.intent(ref)).txHash).toBe(workspace.exchange.effects().relayed[0]?.tx_hash)
})

test('an UNKNOWN order that has no transaction hash becomes FINAL once its trade has been in the account’s list for a minute [FLOW-07]', async () => {
  await speaking(records([...listings, '/trades'], ({ tx_hash: _, ...record }) => ({ ...record, ...('intent_id' in record ? { state: 'CONFIRMED' } : {}) })))
  const ref = await taken()
  await workspace.chain.mine(9)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'in_trades' } })
  expect(await known(ref)).toMatchObject({ shownAs: 'trade', listed: { read: true, state: 'confirmed' }, positions: [{ side: 'long' }] })
  workspace.clock.advance(minute)
  await workspace.tick()
  expect((await workspace.intent(ref)).state).toBe('FINAL')
})

/**
 * Creates a function that adds an unreadable record to a list of the service. In the list of transactions, this record replaces the records of
 * intents that were never relayed.
 */
const withUnreadable =
  (route: string, name: string): Rewrite =>
  (asked, answer) => {
    if (asked.endsWith('/by-client-id') && name === 'transactions') return { intent: { intent_id: 'dx_another' } }
    if (!asked.endsWith(route)) return answer
    const page = (answer as Record<string, { items: { state?: string }[] }>)[name] // the cast is safe: the practice exchange sends this shape
    const others = page?.items.filter(({ state }) => name !== 'transactions' || (state !== 'prepared' && state !== 'expired')) ?? []
    return { ...(answer as object), [name]: { ...page, items: [...others, 'in another form'] } }
  }

test.each([
  ['intents', '/transactions', 'transactions', { listed: { read: false, state: null } }],
  ['orders', '/v1/orders', 'orders', { shownAs: 'unread' }],
  ['trades', '/trades', 'trades', { shownAs: 'unread' }],
])(
  'the app keeps an unsent order’s outcome unknown after its last deadline if some of the %s cannot be read [FLOW-07, ERR-02]',
  async (_, route, name, shown) => {
    await speaking(withUnreadable(route, name))
    // If a list contained only unreadable records, the whole list would count as unreadable. So the test adds a second, readable order.
    const other = await workspace.asked({ side: 'short' })
    value(await workspace.handlers()['intents.answered']({ ref: other.ref, answer: other.signature }))
    await workspace.chain.mine(9)
    await workspace.tick()
    const ref = await lost()
    workspace.clock.advance(16 * minute)
    await workspace.tick()
    expect(await workspace.intent(ref)).toMatchObject({ state: 'UNKNOWN', reason: { code: 'lists_incomplete' } })
    expect(await known(ref)).toMatchObject(shown)
    await workspace.rewriteAnswers((_route, answer) => answer)
    await workspace.tick()
    expect((await workspace.intent(ref)).state).toBe('EXPIRED')
  },
)

test('from ten minutes after an UNKNOWN order’s last deadline, the user may decide whether the order was executed [FLOW-07]', async () => {
  await speaking(records(listings, (record) => ({ ...record, state: 'in limbo', tx_hash: null })))
  const ref = await lost()
  expect(failure(await resolve(ref, 'not_carried_out'))).toMatchObject({ kind: 'too_early' })
  workspace.clock.advance(16 * minute)
  await workspace.tick()
  expect(await known(ref)).toMatchObject({ listed: { read: true, state: 'in limbo' }, shownAs: 'nothing', positions: [] })
  expect(value(await resolve(ref, 'not_carried_out'))).toMatchObject({ state: 'EXPIRED' })
  expect(workspace.exchange.effects().relayed).toEqual([])
  expect((await workspace.prepare()).ready).toBe(true)
})

test('the user cannot mark an UNKNOWN order as not executed if the account shows its trade [FLOW-07]', async () => {
  await speaking(records([...listings, '/trades'], (record) => ({ ...record, tx_hash: null, ...('intent_id' in record ? { state: 'in limbo' } : {}) })))
  const ref = await taken()
  await workspace.chain.mine(9)
  workspace.clock.advance(16 * minute)
  expect(failure(await resolve(ref, 'not_carried_out'))).toEqual({ kind: 'contradicted', by: 'trade' })
  expect(value(await resolve(ref, 'carried_out')).state).toBe('FINAL')
})

test('if an old UNKNOWN order of the same kind exists, the app prepares a new order only after the user has allowed it once [FLOW-07]', async () => {
  await speaking(records(listings, (record) => ({ ...record, state: 'in limbo', tx_hash: null })))
  const ref = await lost()
  const again = async () => workspace.handlers()['intents.prepare'](await workspace.ticket())
  expect(failure(await again())).toMatchObject({ kind: 'held_back', why: 'unknown_intent' })
  workspace.clock.advance(16 * minute)
  expect(failure(await again())).toEqual({ kind: 'held_back', why: 'unknown_intent_old', intentRef: ref })
  expect(value(await resolve(ref, 'pass')).state).toBe('UNKNOWN')
  expect(value(await again()).ready).toBe(true)
  expect(value(await again()).ready).toBe(true)
})

test('if the service is unreachable, the app says so, and the user can still decide whether an UNKNOWN order was executed [FLOW-07]', async () => {
  workspace = await startTrader()
  const ref = await lost()
  workspace.clock.advance(day)
  workspace.faults.answer = ['transactions', 'orders/by-client-id', 'trades', 'orders', 'positions'].map((path) => ({
    ...{ route: `GET /api/dex/v1/${path}`, status: 500, code: 'INTERNAL', times: 999 },
  }))
  expect(await known(ref)).toMatchObject({ listed: { read: false }, shownAs: 'unread', positions: null })
  expect(value(await resolve(ref, 'carried_out')).state).toBe('FINAL')
})

test('while another order is UNKNOWN, the user can still close part of a position, set TP/SL and cancel an order [FLOW-07]', async () => {
  workspace = await startTrader()
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  const [position] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
  const { id, pairId, symbol, side, size, takeProfit, stopLoss, markPrice } = position ?? expect.fail('no position')
  const half: CloseTicket = {
    action: 'close_position_market',
    position: { positionId: id ?? '', pairId, symbol, side, size, takeProfit, stopLoss },
    ...{ size: '0.001', referencePrice: markPrice ?? '0', maxSlippageBps: 50 },
  }
  await lost()
  expect(value(await workspace.handlers()['intents.prepare'](half)).ready).toBe(true)
})
