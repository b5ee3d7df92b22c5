import { value } from '../../electron/testing/desk.ts'
import { bindExecutor } from '../../electron/testing/executing.ts'
import { withTrading } from '../../electron/testing/trader.ts'
import type { OpenOrder, Position } from '../../shared/ipc/account.ts'
import type { LimitTicket, MarketTicket, OrderTicket, SeenOrder, SeenPosition } from '../../shared/ipc/tickets.ts'
import { sweepPhrases } from '../../shared/sweep-phrase.ts'
import type { Actor } from './actor.ts'
import type { Altered } from './alter.ts'
import type { Facts } from './views/view.ts'

/** What is done in every dialect, step by step; each step throws where it does not come to its end. */
export interface Scene {
  /** The sign-in, a bot-ready key, one with every scope, a webhook, two positions and two waiting orders. */
  readonly steps: readonly Step[]
  /** How many orders of an agreed signing format had to be agreed to again. */
  askedAgain(): number
  /** What the queries are asked with. */
  facts(): Promise<Facts>
  /** What the service may alter: an opening, a close, a deposit by permit, and transactions; those of them that can be asked for as things stand. */
  alterable(): Promise<readonly Altered[]>
  readonly exits: readonly Step[]
}

export interface Step {
  readonly name: string
  run(): Promise<void>
}

const allScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const
const hook = 'https://bots.example.net/svc'

const seenPosition = ({ id, pairId, symbol, side, size, takeProfit, stopLoss }: Position): SeenPosition => {
  if (id === null) throw new Error('The position has no id')
  return { positionId: id, pairId, symbol, side, size, takeProfit, stopLoss }
}
const seenOrder = ({ id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }: OpenOrder): SeenOrder => {
  if (side !== null && side !== 'long' && side !== 'short') throw new Error(`The side of the order is ${side}`)
  return { orderId: id, pairId, symbol, side, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }
}

export function createScene(actor: Actor): Scene {
  const { desk } = actor
  let askedAgain = 0
  let opened = ''
  let executed: string | null = null
  let orders = 0
  const newId = (what: string): string => {
    orders += 1
    return `proof-${what}-${orders}`
  }
  const handlers = () => desk.handlers()
  const positions = async () => value(await handlers()['account.positions']({ watch: null })).positions
  const openOrders = async () => value(await handlers()['account.orders']({ watch: null })).orders.filter(({ status }) => status === 'open')

  /** By the documented fields of `open_position`; the price is the one on the screen. */
  const market = async (pairId: number): Promise<MarketTicket> => ({
    pairId,
    side: 'long',
    orderType: 'market',
    marginMode: 'isolated',
    leverage: 5,
    orderValueUsdc: '250',
    referencePrice: await mark(pairId),
    maxSlippageBps: 100,
    restIfUnfilled: false,
    takeProfit: null,
    stopLoss: null,
    clientOrderId: newId('market'),
  })
  const limit = (limitPrice: string): LimitTicket => ({
    pairId: 1,
    side: 'long',
    orderType: 'limit',
    marginMode: 'isolated',
    leverage: 5,
    orderValueUsdc: '300',
    limitPrice,
    timeInForce: 'gtc',
    postOnly: false,
    takeProfit: null,
    stopLoss: null,
    clientOrderId: newId('limit'),
  })
  const mark = async (pairId: number): Promise<string> => {
    const { summary } = value(await handlers()['markets.summary']({ pairId }))
    if (summary.mark === null) throw new Error(`The mark of market ${pairId} is unknown`)
    return summary.mark
  }
  const keyNamed = async (label: string) => {
    const key = value(await handlers()['keys.list']({})).keys.find((one) => one.label === label)
    if (key === undefined) throw new Error(`No key ${label}`)
    return key
  }

  const exits: Scene['exits'] = [
    {
      name: 'cancel',
      run: async () => {
        const [order] = await openOrders()
        if (order === undefined) throw new Error('No order is open')
        await actor.carryOut({ action: 'cancel_order', order: seenOrder(order) })
        if ((await openOrders()).some(({ id }) => id === order.id)) throw new Error('The order is still open')
      },
    },
    {
      name: 'close',
      run: async () => {
        const [position] = await positions()
        if (position === undefined) throw new Error('No position is open')
        const referencePrice = position.markPrice ?? (await mark(position.pairId))
        await actor.carryOut({ action: 'close_position_market', position: seenPosition(position), size: null, referencePrice, maxSlippageBps: 100 })
        if ((await positions()).some(({ id }) => id === position.id)) throw new Error('The position is still open')
      },
    },
    {
      name: 'kill switch',
      run: async () => {
        const { id } = await keyNamed('bot')
        value(await handlers()['sweeps.start']({ kind: 'kill', by: { way: 'wallet' }, keyIds: [id], typed: sweepPhrases.kill }))
        for (let { order } = value(await handlers()['sweeps.next']({})); order !== null; { order } = value(await handlers()['sweeps.next']({})))
          await actor.finish(order.prepared)
        await actor.nextBlock()
        const state = value(await handlers()['sweeps.state']({}))
        if (state.state !== 'done') throw new Error(`The kill switch is not done: ${JSON.stringify(state)}`)
        const left = desk.exchange.effects()
        if (left.positions.length > 0) throw new Error('Positions are left')
        if (left.keys.some(({ key_id, status }) => key_id !== undefined && status === 'active' && key_id === id)) throw new Error('The key still works')
      },
    },
    {
      name: 'disable webhook',
      run: async () => {
        const [webhook] = value(await handlers()['webhooks.list']({})).webhooks
        if (webhook === undefined) throw new Error('No webhook is shown')
        value(await handlers()['webhooks.disable']({ webhookId: webhook.id }))
        if (desk.exchange.effects().webhooks.some(({ status }) => status === 'active')) throw new Error('The webhook is still active')
      },
    },
    {
      name: 'revoke key',
      run: async () => {
        const key = await keyNamed('all')
        value(await handlers()['keys.revoke']({ keyId: key.id, confirmLabel: key.label }))
        if (desk.exchange.effects().keys.some(({ status }) => status === 'active')) throw new Error('A key is still active')
      },
    },
  ]

  /** An order whose signing format was agreed to. */
  const another = async (ticket: OrderTicket) => {
    const prepared = await actor.prepare(ticket)
    if (prepared.comparison?.verdict !== 'pass') askedAgain += 1
    await actor.finish(prepared)
  }

  const steps: readonly Step[] = [
    {
      name: 'sign in',
      run: async () => {
        await desk.connect()
        await desk.signIn()
      },
    },
    { name: 'bot-ready key', run: async () => void (await desk.createKey('bot')) },
    {
      name: 'key with chosen scopes',
      run: async () => {
        value(await handlers()['keys.createCustom']({ label: 'all', scopes: [...allScopes], expiresInDays: 90, ipAllowlist: [], quotas: [] }))
      },
    },
    { name: 'webhook', run: async () => void value(await handlers()['webhooks.create']({ url: hook, events: ['*'] })) },
    {
      name: 'first order',
      run: async () => {
        const ticket = await market(1)
        await actor.carryOut(ticket)
        opened = ticket.clientOrderId ?? ''
      },
    },
    { name: 'second order', run: async () => another(await market(2)) },
    { name: 'waiting order', run: () => another(limit('20000')) },
    { name: 'another waiting order', run: () => another(limit('21000')) },
    {
      name: 'order by the executor',
      run: async () => {
        await bindExecutor(withTrading(desk), 'all')
        const order = limit('19000')
        executed = value(await handlers()['execution.execute']({ ticket: { action: 'create_limit', order }, keyId: null })).ref
        await actor.nextBlock()
      },
    },
  ]

  const alterable: Scene['alterable'] = async () => {
    const orders = await openOrders().catch(() => [])
    const held = await positions().catch(() => [])
    const [order] = orders.flatMap((each) => (each.side === 'short' || each.side === 'long' ? [seenOrder(each)] : []))
    const [position] = held.flatMap((each) => (each.id === null ? [] : [{ seen: seenPosition(each), mark: each.markPrice }]))
    const opening = await market(1).catch(() => null)
    const referencePrice = position?.mark ?? opening?.referencePrice ?? null
    const deposit = { action: 'add_collateral', token: 'USDC', amount: '25.5' } as const
    return [
      ...(opening === null ? [] : [{ action: 'open', ticket: opening }]),
      { action: 'wait', ticket: limit('20500') },
      ...(position === undefined || referencePrice === null
        ? []
        : [
            { action: 'close', ticket: { action: 'close_position_market', position: position.seen, size: null, referencePrice, maxSlippageBps: 100 } as const },
          ]),
      { action: 'deposit by permit', ticket: { ...deposit, permit: true } },
      { action: 'deposit', ticket: { ...deposit, permit: false } },
      { action: 'withdraw', ticket: { action: 'withdraw_collateral', token: 'USDC', amount: '12.25' } },
      ...(order === undefined ? [] : [{ action: 'cancel', ticket: { action: 'cancel_order', order } as const }]),
      ...(position === undefined ? [] : [{ action: 'exits', ticket: { action: 'update_tpsl', position: position.seen, stopLoss: '100' } as const }]),
    ]
  }

  return {
    alterable,
    steps,
    exits,
    askedAgain: () => askedAgain,
    facts: async () => {
      const intents = value(await handlers()['orders.list']({ beforeMs: null, limit: 200 })).intents
      const txHash = intents.find((intent) => intent.txHash !== null)?.txHash ?? null
      return { pairId: 1, clientOrderId: opened, txHash, execution: executed, riskTicket: await market(1) }
    },
  }
}
