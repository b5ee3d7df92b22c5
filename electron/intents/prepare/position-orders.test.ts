import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { preparePath, relayPath, relayRoute, startTrader, type Trader } from '../../../e2e/support/main/trader.ts'
import { agreed, failure, value } from '../../../e2e/support/main/workspace.ts'
import { divide, multiply, roundToStep, subtract } from '../../../shared/decimal.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'
import type { CloseTicket, OrderTicket, SeenPosition } from '../../../shared/ipc/intents/tickets.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import { comparisonText, openTexts } from '../../../shared/text/comparison-text.ts'
import { isOpening } from '../../../shared/ticket/actions/action-payload.ts'
import { endsRisk } from '../../../shared/ticket/actions/check-action.ts'
import type { Faults } from '../../practice/base/faults.ts'
import { raw } from '../../store/records/raw.ts'

let workspace: Trader
let position: Position
let seen: SeenPosition
beforeEach(async () => {
  workspace = await startTrader()
  const { ref, signature } = await workspace.asked()
  value(await workspace.handlers()['intents.answered']({ ref, answer: signature }))
  await workspace.chain.mine(9)
  await workspace.tick()
  position = await held()
  const { id, pairId, symbol, side, size, takeProfit, stopLoss } = position
  seen = { positionId: id ?? '', pairId, symbol, side, size, takeProfit, stopLoss }
})
afterEach(() => workspace.stop())

async function held(): Promise<Position> {
  const [found, ...more] = value(await workspace.handlers()['account.positions']({ watch: null })).positions
  if (found === undefined || more.length > 0) throw new Error('Not exactly one position')
  return found
}

const atMarket = async () => {
  const { referencePrice, maxSlippageBps } = await workspace.ticket()
  return { referencePrice, maxSlippageBps }
}
/**
 * About half of the position’s size. The last decimal must not be 0: otherwise the message’s integer could also mean a smaller size at another scale,
 * and the size line is no match.
 */
const half = (): string => {
  const exact = divide(position.size ?? '0', '2', 5, 'down')
  return /\.\d{4}[1-9]$/.test(exact) ? exact : subtract(exact, '0.00001')
}
const closing = async (size: string | null): Promise<CloseTicket> => ({ action: 'close_position_market', position: seen, size, ...(await atMarket()) })
const closingAt = async (limitPrice: string): Promise<CloseTicket> => ({
  action: 'close_position_limit',
  position: seen,
  size: null,
  limitPrice,
  timeInForce: 'gtc',
  postOnly: true,
})
const inverting = async (): Promise<OrderTicket> => ({ action: 'invert_position', position: seen, ...(await atMarket()) })
const farAbove = async () => roundToStep(multiply((await atMarket()).referencePrice, '1.2'), '1')

const prepare = async (ticket: OrderTicket): Promise<PreparedOrder> => value(await workspace.handlers()['intents.prepare'](ticket))

/** Prepares an order, signs it and relays the signature. Returns the intent’s reference. */
async function signed(ticket: OrderTicket): Promise<string> {
  const { intent, ready, comparison } = await prepare(ticket)
  expect([ready, comparison?.verdict, comparison && openTexts(comparison)]).toEqual([true, isOpening(ticket) || !endsRisk(ticket) ? 'confirm' : 'pass', []])
  const request = value(await workspace.handlers()['intents.ask']({ ref: intent.ref, ...agreed }))
  value(await workspace.handlers()['intents.answered']({ ref: intent.ref, answer: await workspace.sign(request) }))
  return intent.ref
}

/** Signs and relays an order, and checks that it becomes FINAL. */
async function carriedOut(ticket: OrderTicket): Promise<void> {
  const ref = await signed(ticket)
  await workspace.chain.mine(9)
  await workspace.tick()
  expect(await workspace.intent(ref)).toMatchObject({ state: 'FINAL', way: 'signed_intent', action: 'action' in ticket ? ticket.action : '' })
}

describe('the app prepares orders that close or invert a position, and compares them with the ticket', () => {
  test('the user closes part of a position at market, and the rest of the position stays [ORD-05, FLOW-02]', async () => {
    await carriedOut(await closing(half()))
    expect((await held()).size).toBe(subtract(position.size ?? '0', half()))
  })

  test('the user closes a whole position at the market price, after which the account no longer shows it [ORD-05, FLOW-02]', async () => {
    await carriedOut(await closing(null))
    expect(workspace.exchange.effects().positions).toEqual([])
    expect(JSON.parse(workspace.sentTo(preparePath).at(-1)?.body ?? '').payload).not.toHaveProperty('size')
  })

  test('the user closes a position at a limit by a reduce-only order that stays open [ORD-05, ACC-01]', async () => {
    const limit = await farAbove()
    await carriedOut(await closingAt(limit))
    const waiting = value(await workspace.handlers()['account.orders']({ watch: null })).orders.filter(({ reduceOnly }) => reduceOnly)
    expect(waiting).toMatchObject([{ limitPrice: limit, side: 'short', positionId: position.id, size: position.size }])
    expect((await held()).size).toBe(position.size)
  })

  test('the user inverts a position to the same size in the opposite direction [ORD-05, FLOW-02]', async () => {
    await carriedOut(await inverting())
    expect(await held()).toMatchObject({ side: 'short', size: position.size })
  })
})

describe('the comparison of a close or inversion message with the ticket shows every difference', () => {
  const cases = [
    ['amount', 'close', /size/],
    ['two_scales', 'close', /size/],
    ['router', 'close', /contract/],
    ['wallet', 'close', /wallet/],
    ['deadline', 'close', /valid until/],
    ['slippage', 'close', /slippage/],
    ['slippage', 'invert', /slippage/],
    ['chain', 'invert', /chain/],
    ['wallet', 'invert', /wallet/],
  ] satisfies [NonNullable<Faults['typedData']>, 'close' | 'invert', RegExp][]

  test.each(cases)(
    'the app blocks altered typed data (%s of the %s) before it reaches the wallet, and names the altered field [FLOW-02]',
    async (altered, kind, field) => {
      const ticket = async () => (kind === 'close' ? await closing(half()) : await inverting())
      // Accept an unaltered message first. The app can interpret the size only in a signing format that the user has accepted.
      value(await workspace.handlers()['intents.ask']({ ref: (await prepare(await ticket())).intent.ref, ...agreed }))
      workspace.faults.typedData = altered
      const { comparison, intent } = await prepare(await ticket())
      expect(comparison?.verdict).toBe('block')
      expect(comparison && comparisonText(comparison)).toMatch(field)
      expect(intent).toMatchObject({ state: 'REFUSED', reason: { code: 'blocked', by: comparison?.blocked } })
      expect(failure(await workspace.handlers()['intents.ask']({ ref: intent.ref, ...agreed })).kind).toBe('signing_refused')
      expect(workspace.sentTo(relayPath)).toHaveLength(1)
    },
  )

  test('the app blocks a close order if the service’s normalised payload differs from the request [ORD-17]', async () => {
    workspace.faults.prepared = 'payload_differs'
    const { comparison, intent } = await prepare(await closing(null))
    expect([comparison?.verdict, intent.state]).toEqual(['block', 'REFUSED'])
  })
})

describe('while a close or inversion is UNKNOWN, the app allows or blocks further actions on the position', () => {
  /** Signs a close order and loses the request to the relay, so that the service does not list the order. Returns the intent’s reference. */
  async function lost(ticket: OrderTicket): Promise<string> {
    workspace.faults.dropRequest = [{ route: relayRoute, times: 9 }]
    const { intent } = await prepare(ticket)
    const request = value(await workspace.handlers()['intents.ask']({ ref: intent.ref, ...agreed }))
    await workspace.handlers()['intents.answered']({ ref: intent.ref, answer: await workspace.sign(request) })
    workspace.faults.dropRequest = []
    expect((await workspace.intent(intent.ref)).state).toBe('UNKNOWN')
    return intent.ref
  }

  test('while one close order is UNKNOWN, the app still prepares another partial close, a full close and an inversion of the same position [FLOW-07]', async () => {
    await lost(await closing(half()))
    expect((await prepare(await closing(half()))).ready).toBe(true)
    expect((await prepare(await closing(null))).ready).toBe(true)
    expect((await prepare(await inverting())).ready).toBe(true)
  })

  test('while an inversion is UNKNOWN, the app blocks a second inversion, which would undo the first [FLOW-07]', async () => {
    const ref = await lost(await inverting())
    expect(failure(await workspace.handlers()['intents.prepare'](await inverting()))).toEqual({ kind: 'held_back', why: 'unknown_intent', intentRef: ref })
    expect((await prepare(await closing(null))).ready).toBe(true)
  })

  test('the user can cancel an order while other orders are UNKNOWN', async () => {
    await carriedOut(await closingAt(await farAbove()))
    await lost(await closing(half()))
    const [order] = value(await workspace.handlers()['account.orders']({ watch: null })).orders.filter(({ reduceOnly }) => reduceOnly)
    const cancel: OrderTicket = {
      action: 'cancel_order',
      order: { ...(order ?? { id: '' }), orderId: order?.id ?? '', pairId: 1, symbol: null, side: null, ...nothing },
    }
    expect((await prepare(cancel)).intent.action).toBe('cancel_order')
  })
})

const nothing = { orderValueUsdc: null, limitPrice: null, triggerPrice: null, takeProfit: null, stopLoss: null } as const

test('after the journal was rebuilt, the app blocks inverting a position, but not closing it or cancelling an order', async () => {
  workspace.journal()[raw].values.set('journal.rebuilt', 'journal.sqlite.damaged')
  const order = { orderId: 'ord_1', pairId: 1, symbol: null, side: null, ...nothing }
  expect(failure(await workspace.handlers()['intents.prepare'](await inverting()))).toMatchObject({ kind: 'held_back', why: 'journal_rebuilt' })
  for (const ticket of [await closing(half()), await closing(null), await closingAt(await farAbove())]) expect((await prepare(ticket)).ready).toBe(true)
  const cancelled = await workspace.handlers()['intents.prepare']({ action: 'cancel_order', order })
  expect(cancelled.ok ? 'prepared' : cancelled.failure.kind).not.toBe('held_back')
})

test('the user can close a position while the app cannot read the position’s market', async () => {
  workspace.faults.answer = [{ route: 'GET /api/dex/v1/markets', status: 503, code: 'UNAVAILABLE', times: 9 }]
  expect((await prepare(await closing(null))).ready).toBe(true)
})

test('the app lists the positions and orders that an open intent is changing, from the wallet request until the intent ends', async () => {
  const underway = async () => value(await workspace.handlers()['intents.underway']({})).underway
  const { intent } = await prepare(await closing(half()))
  expect(await underway()).toEqual([])
  const request = value(await workspace.handlers()['intents.ask']({ ref: intent.ref, ...agreed }))
  const told = { ref: intent.ref, action: 'close_position_market', positionId: position.id, orderId: null }
  expect(await underway()).toEqual([{ ...told, state: 'ASKED' }])
  value(await workspace.handlers()['intents.answered']({ ref: intent.ref, answer: await workspace.sign(request) }))
  expect(await underway()).toEqual([{ ...told, state: 'SUBMITTED' }])
  await workspace.chain.mine(9)
  await workspace.tick()
  expect(await underway()).toEqual([])
})
