import type { LimitTicket, MarketTicket, OrderTicket } from '../../shared/ipc/intents/tickets.ts'
import type { Position } from '../../shared/ipc/reads/account.ts'
import { bulkActionPhrases } from '../../shared/phrases.ts'
import { exitPrice, isWaiting } from '../../shared/positions.ts'
import { comparisonText } from '../../shared/text/comparison-text.ts'
import { seenOrder, seenPosition } from '../../shared/ticket/form/ticket-state.ts'
import { value } from '../support/main/workspace.ts'
import type { Actor } from './actor.ts'
import type { Altered } from './alter.ts'
import { createElsewhere } from './elsewhere.ts'
import type { Facts } from './views/view.ts'

/** The steps of one user in one dialect, and what can be read and altered afterwards. */
export interface Scene {
  /** Signs in and creates data to read: a bot-ready key, a key with every scope, a webhook, positions and open orders. */
  readonly steps: readonly Step[]
  /** Confirmations that the app required although the user had already accepted the order’s signing format. */
  askedAgain(): readonly string[]
  /** The ids and other facts that the app’s queries need as input. */
  facts(): Promise<Facts>
  /**
   * The actions whose messages the service will alter: an order that opens a position, an order that closes one, a deposit by permit, and
   * transactions. Contains only actions that are possible now.
   */
  alterable(): Promise<readonly Altered[]>
  readonly firstExits: readonly Step[]
  /** Cancels all orders, closes all positions, revokes all keys and disables all webhooks. */
  readonly lastExits: readonly Step[]
}

export interface Step {
  readonly name: string
  /** True if the user accepts a signing format in this step. The step must then run in every dialect, because each dialect has its own format. */
  readonly agrees?: true
  run(): Promise<void>
}

const allScopes = ['market:read', 'account:read', 'trade:prepare', 'trade:execute', 'orders:manage', 'collateral:manage'] as const
/** Maximum number of blocks to wait until the account shows the action. */
const mostLooks = 4
const hook = 'https://bots.example.net/svc'

function seen<T>(subject: T | null): T {
  if (subject === null) throw new Error('It is shown without an id')
  return subject
}

export function createScene(actor: Actor): Scene {
  const { workspace } = actor
  const elsewhere = createElsewhere(workspace, actor.nextBlock)
  const askedAgain: string[] = []
  let opened = ''
  let executed: string | null = null
  let orders = 0
  const newId = (what: string): string => {
    orders += 1
    return `proof-${what}-${orders}`
  }
  const handlers = () => workspace.handlers()
  const positions = async () => value(await handlers()['account.positions']({ watch: null })).positions
  const openOrders = async () => value(await handlers()['account.orders']({ watch: null })).orders.filter(isWaiting)

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
  const priceOf = async (position: Position): Promise<string> => {
    const newest = await handlers()['markets.summary']({ pairId: position.pairId })
    const price = exitPrice(position, newest.ok ? newest.value.summary : null)
    if (price === null) throw new Error('Nothing tells a price for the position')
    return price
  }
  const keyNamed = async (label: string) => {
    const key = value(await handlers()['keys.list']({})).keys.find((one) => one.label === label)
    if (key === undefined) throw new Error(`No key ${label}`)
    return key
  }
  const isLeft = (keyId: string) => workspace.exchange.effects().keys.some(({ key_id, status }) => key_id === keyId && status === 'active')

  const firstExits: Scene['firstExits'] = [
    {
      name: 'cancel',
      run: async () => {
        await elsewhere.placeOrder('15000')
        const [order] = await openOrders()
        if (order === undefined) throw new Error('No order is shown')
        const before = workspace.exchange.effects().openOrders.length
        await actor.carryOut({ action: 'cancel_order', order: seen(seenOrder(order)) })
        if (workspace.exchange.effects().openOrders.length !== before - 1) throw new Error('The order is still open')
        if ((await openOrders()).some(({ id }) => id === order.id)) throw new Error('The order is still shown')
      },
    },
    {
      name: 'close',
      run: async () => {
        await elsewhere.openPosition(3)
        const [position] = await positions()
        if (position === undefined) throw new Error('No position is shown')
        const before = workspace.exchange.effects().positions.length
        const close = { action: 'close_position_market', position: seen(seenPosition(position)), size: null, maxSlippageBps: 100 } as const
        await actor.carryOut({ ...close, referencePrice: await priceOf(position) })
        if (workspace.exchange.effects().positions.length !== before - 1) throw new Error('The position is still open')
        if ((await positions()).some(({ id }) => id === position.id)) throw new Error('The position is still shown')
      },
    },
  ]

  const lastExits: Scene['lastExits'] = [
    {
      name: 'kill switch',
      run: async () => {
        await elsewhere.placeOrder('15500')
        await elsewhere.openPosition(3)
        const { id } = await keyNamed('bot')
        const typed = actor.phrases().length
        value(await handlers()['bulkActions.start']({ kind: 'kill', by: { way: 'wallet' }, keyIds: [id], typed: bulkActionPhrases.kill }))
        for (let { order } = value(await handlers()['bulkActions.next']({})); order !== null; { order } = value(await handlers()['bulkActions.next']({})))
          await actor.finish(order.prepared)
        const asked = actor.phrases().slice(typed)
        let state = value(await handlers()['bulkActions.state']({}))
        for (let look = 0; look < mostLooks && state.state === 'open'; look += 1) {
          await actor.nextBlock()
          state = value(await handlers()['bulkActions.state']({}))
        }
        if (state.state === 'idle') throw new Error('No kill switch was started')
        const left = state.steps.filter(({ state }) => state !== 'done').map(({ title, state, detail }) => `${title}: ${state}, ${detail}`)
        if (state.state !== 'done') throw new Error(`The kill switch is not done: ${left.join('; ')}`)
        const { positions, openOrders } = workspace.exchange.effects()
        if (positions.length > 0) throw new Error('Positions are left')
        if (openOrders.length > 0) throw new Error('Orders are left')
        if (isLeft(id)) throw new Error('The key still works')
        // The kill switch requires one phrase at its start. It must not require further phrases, because the user already accepted the signing
        // formats in earlier exits.
        if (asked.length > 0) throw new Error(`The kill switch asked for more: ${asked.join(', ')}`)
      },
    },
    {
      name: 'disable webhook',
      run: async () => {
        const [webhook] = value(await handlers()['webhooks.list']({})).webhooks
        if (webhook === undefined) throw new Error('No webhook is shown')
        value(await handlers()['webhooks.disable']({ webhookId: webhook.id }))
        if (workspace.exchange.effects().webhooks.some(({ status }) => status === 'active')) throw new Error('The webhook is still active')
      },
    },
    {
      name: 'revoke key',
      run: async () => {
        const key = await keyNamed('all')
        value(await handlers()['keys.revoke']({ keyId: key.id, confirmLabel: key.label }))
        if (isLeft(key.id)) throw new Error('The key is still active')
      },
    },
  ]

  /** Carries out another order in a signing format that the user has already accepted. */
  const another = async (ticket: OrderTicket) => {
    const prepared = await actor.prepare(ticket)
    const { comparison } = prepared
    if (comparison?.verdict !== 'pass') askedAgain.push((comparison && comparisonText(comparison)) ?? prepared.status)
    await actor.finish(prepared)
  }

  const steps: readonly Step[] = [
    {
      name: 'sign in',
      run: async () => {
        await workspace.connect()
        await workspace.signIn()
      },
    },
    { name: 'bot-ready key', run: async () => void (await workspace.createKey('bot')) },
    {
      name: 'key with chosen scopes',
      run: async () => {
        value(await handlers()['keys.createCustom']({ label: 'all', scopes: [...allScopes], expiresInDays: 90, ipAllowlist: [], quotas: [] }))
      },
    },
    { name: 'webhook', run: async () => void value(await handlers()['webhooks.create']({ url: hook, events: ['*'] })) },
    {
      name: 'first order',
      agrees: true,
      run: async () => {
        const ticket = await market(1)
        await actor.carryOut(ticket)
        opened = ticket.clientOrderId ?? ''
      },
    },
    { name: 'second order', agrees: true, run: async () => another(await market(2)) },
    // A limit order has its own fields, so the user must first accept its signing format.
    { name: 'waiting order', agrees: true, run: async () => void (await actor.carryOut(limit('20000'))) },
    { name: 'another waiting order', agrees: true, run: () => another(limit('21000')) },
    {
      name: 'order by the executor',
      run: async () => {
        const key = await keyNamed('all')
        const bound = await actor.taught(() =>
          handlers()['agents.bindExecutor']({ keyId: key.id, executor: 'exec-fra-1', before: key.executor, confirmLabel: key.label }),
        )
        value(bound)
        // Lists the keys first, as the window does, because the app only knows the facts of keys that it has listed.
        await keyNamed('all')
        const ticket = { action: 'create_limit', order: limit('19000') } as const
        executed = value(await actor.taught(() => handlers()['intents.execute']({ ticket, keyId: key.id }))).ref
        await actor.nextBlock()
      },
    },
  ]

  const alterable: Scene['alterable'] = async () => {
    const orders = await openOrders().catch(() => [])
    const held = await positions().catch(() => [])
    const [order] = orders.flatMap((each) => seenOrder(each) ?? [])
    const [position] = held.filter(({ id }) => id !== null)
    const opening = await market(1).catch(() => null)
    const referencePrice = position === undefined ? null : await priceOf(position).catch(() => null)
    const deposit = { action: 'add_collateral', token: 'USDC', amount: '25.5' } as const
    return [
      ...(opening === null ? [] : [{ action: 'open', ticket: opening }]),
      { action: 'wait', ticket: limit('20500') },
      ...(position === undefined || referencePrice === null
        ? []
        : [
            {
              action: 'close',
              ticket: { action: 'close_position_market', position: seen(seenPosition(position)), size: null, referencePrice, maxSlippageBps: 100 } as const,
            },
          ]),
      { action: 'deposit by permit', ticket: { ...deposit, permit: true } },
      { action: 'deposit', ticket: { ...deposit, permit: false } },
      { action: 'withdraw', ticket: { action: 'withdraw_collateral', token: 'USDC', amount: '12.25' } },
      ...(order === undefined ? [] : [{ action: 'cancel', ticket: { action: 'cancel_order', order } as const }]),
      ...(position === undefined
        ? []
        : [{ action: 'exits', ticket: { action: 'update_tpsl', position: seen(seenPosition(position)), stopLoss: '100' } as const }]),
    ]
  }

  return {
    alterable,
    steps,
    firstExits,
    lastExits,
    askedAgain: () => askedAgain,
    facts: async () => {
      const intents = value(await handlers()['intents.list']({ beforeMs: null, limit: 200 })).intents
      const txHash = intents.find((intent) => intent.txHash !== null)?.txHash ?? null
      return { pairId: 1, clientOrderId: opened, txHash, execution: executed, riskTicket: await market(1) }
    },
  }
}
