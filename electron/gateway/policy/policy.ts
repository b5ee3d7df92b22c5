import { endpoints } from '../../../shared/api/endpoints/all-endpoints.ts'
import { absolute, add, compare, multiply } from '../../../shared/decimal.ts'
import type { Side } from '../../../shared/ipc/intents/tickets.ts'
import type { OpenOrder, Position } from '../../../shared/ipc/reads/account.ts'
import { isWaiting } from '../../../shared/positions.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { orderSeen, seenPosition } from '../../../shared/ticket/form/ticket-state.ts'
import { type Clock, minute } from '../../../shared/time.ts'
import { type AccountNow, type NewRisk, newRisksOf } from '../../intents/risk-limits/new-risk.ts'
import type { RiskLimitsService } from '../../intents/risk-limits/risk-limits.ts'
import { createQueue } from '../../kernel/deadline.ts'
import { createOpenOrders } from '../../reads/account/open-orders.ts'
import type { Credentials } from '../../service/credentials/credentials.ts'
import type { ApiClient } from '../../service/transport/api-client.ts'
import { heldBack, type Journal } from '../../store/journal/journal.ts'
import type { StoredBot } from '../../store/records/gateway-records.ts'
import { type GatewayRefusal, refusal, refusalOf } from '../http/gateway-refusal.ts'
import type { OrderItem } from './read-order.ts'

/** The wallet's positions and waiting orders; null for a part that cannot be read. */
export interface WalletNow {
  readonly positions: readonly Position[] | null
  readonly orders: readonly OpenOrder[] | null
}

/** Room under the limits that an order has taken. */
export interface Taken {
  /** Number of actions that may add risk. */
  readonly orders: number
  /** The markets in which the order opens. */
  readonly pairIds: readonly number[]
  /** Gives the room back, because the order did not take effect. */
  release(): void
}

export interface Policies {
  /**
   * Checks an order against the limits of the bot and the wallet, and takes the room that it needs. Checks orders of one wallet one after the other, so
   * that two orders cannot share the same room.
   */
  take(bot: StoredBot, items: readonly OrderItem[]): Promise<Result<Taken, GatewayRefusal>>
  /** Reads the wallet's positions and orders as they are now. */
  walletNow(wallet: string): Promise<WalletNow>
}

export interface PoliciesDeps {
  readonly api: ApiClient
  readonly credentials: Pick<Credentials, 'forScope'>
  readonly riskLimits: Pick<RiskLimitsService, 'checkRisks'>
  readonly journal: Pick<Journal, 'takesNewRisk' | 'trouble'>
  readonly clock: Clock
  /** Recent orders of each bot as the journal has them, so that a restart does not give a bot fresh room. */
  readonly recent: readonly { readonly bot: string; readonly atMs: number; readonly orders: number }[]
}

/**
 * How long the value of an accepted order still counts beside what the service lists. An executor needs a moment until an order is listed; counting it
 * twice for a while holds back more, never less.
 */
const listedAfterMs = minute

const nothing: Taken = { orders: 0, pairIds: [], release: () => undefined }
const isExit = ({ kind }: OrderItem): boolean => kind === 'exit' || kind === 'collateral'

/** Whether an order only ends or reduces risk. */
export const endsRiskOnly = (items: readonly OrderItem[]): boolean => items.every(isExit)

/** Holds each bot to its limits before anything leaves. Closes and cancels of what the bot itself opened are never refused for a limit. */
export function createPolicies({ api, credentials, riskLimits, journal, clock, recent }: PoliciesDeps): Policies {
  const openOrders = createOpenOrders({ api, monotonic: clock.monotonic, ownCancels: () => new Set() })
  const queues = new Map<string, ReturnType<typeof createQueue>>()
  const sentAt = new Map<string, number[]>()
  for (const { bot, atMs, orders } of recent)
    if (orders > 0 && clock.now() - atMs < minute) sentAt.set(bot, [...(sentAt.get(bot) ?? []), ...Array<number>(orders).fill(atMs)])
  const pending = new Set<{ readonly wallet: string; readonly valueUsdc: string; readonly untilMs: number }>()

  const walletNow = async (wallet: string): Promise<WalletNow> => {
    const credential = await credentials.forScope(wallet, 'account:read')
    if (!credential.ok) return { positions: null, orders: null }
    const asked = { params: {}, query: {}, body: undefined, credential: credential.value, urgency: 'bot' } as const
    const [positions, orders] = await Promise.all([api.call(endpoints.getPositions, asked), openOrders.read(wallet, credential.value)])
    return {
      positions: positions.ok ? positions.value.value.positions : null,
      orders: orders.ok && orders.value.value.cut === null ? orders.value.value.orders.filter(isWaiting) : null,
    }
  }

  /** The minute's room of a bot. Counts every action that may add risk, whether or not the service accepted it. */
  const minuteFull = ({ id, policy }: StoredBot, more: number): boolean => {
    const since = clock.now() - minute
    const recently = (sentAt.get(id) ?? []).filter((atMs) => atMs > since)
    sentAt.set(id, recently)
    return policy.ordersPerMinute !== null && recently.length + more > policy.ordersPerMinute
  }

  const pendingOf = (wallet: string): string => {
    const now = clock.now()
    for (const one of pending) if (one.untilMs <= now) pending.delete(one)
    return [...pending].filter((one) => one.wallet === wallet).reduce((sum, { valueUsdc }) => add(sum, valueUsdc), '0')
  }

  const check = async (bot: StoredBot, items: readonly OrderItem[]): Promise<Result<Taken, GatewayRefusal>> => {
    const { policy, wallet } = bot
    const risky = items.filter((item) => !isExit(item))
    const limited = policy.limits.markets
    if (risky.length === 0 && limited === null) return ok(nothing)
    let read: Promise<WalletNow> | null = null
    const now = () => (read ??= walletNow(wallet))
    if (limited !== null)
      for (const item of items.filter(changesOwn)) {
        const pairId = pairOf(item, await now())
        // An exit in an unknown market may leave; anything else may not.
        if (pairId === null && item.kind !== 'exit') return fail(refusal('NOT_OWN', { pair_id: null }))
        if (pairId !== null && !limited.includes(pairId) && !bot.openedIn.includes(pairId)) return fail(refusal('NOT_OWN', { pair_id: pairId }))
      }
    if (risky.length === 0) return ok(nothing)
    if (!journal.takesNewRisk()) return fail(refusalOf(heldBack(journal)))
    if (policy.hours !== null && !isWithin(policy.hours, clock.now())) return fail(refusal('LIMIT', { limit: 'hours', allowed: null, asked: null }))
    if (minuteFull(bot, risky.length))
      return fail(refusal('LIMIT', { limit: 'orders_per_minute', allowed: policy.ordersPerMinute, asked: risky.length }, { 'retry-after': '5' }))
    if (policy.sides !== null) {
      const account = risky.every(({ kind }) => kind === 'open') ? { positions: [], orders: [] } : await now()
      const side = risky.map((item) => sideOf(item, account)).find((one) => one === null || policy.sides?.includes(one) === false)
      if (side !== undefined) return fail(refusal('LIMIT', { limit: 'side', allowed: policy.sides.join(','), asked: side }))
    }
    const risks: NewRisk[] = []
    const failure = await riskLimits.checkRisks(
      async (accountNow) => {
        if (risks.length === 0) risks.push(...(await risksOf(risky, accountNow)))
        return risks
      },
      wallet,
      policy.limits,
    )
    if (failure !== null) return fail(refusalOf(failure))
    if (policy.openNotionalUsdc !== null) {
      const account = await now()
      const opens = risks.length > 0 ? risks : await risksOf(risky, accountOf(account))
      const asked = sumOf([...opens.map(({ orderValueUsdc }) => (orderValueUsdc === undefined ? '0' : orderValueUsdc))])
      const held = notionalOf(account)
      const total = asked === null || held === null ? null : add(add(held, asked), pendingOf(wallet))
      if (total === null || compare(total, policy.openNotionalUsdc) > 0)
        return fail(refusal('LIMIT', { limit: 'open_notional', allowed: policy.openNotionalUsdc, asked: total }))
    }
    return ok(takeRoom(bot, risky, risks))
  }

  const takeRoom = (bot: StoredBot, risky: readonly OrderItem[], risks: readonly NewRisk[]): Taken => {
    const atMs = clock.now()
    const added = risky.map(() => atMs)
    sentAt.set(bot.id, [...(sentAt.get(bot.id) ?? []), ...added])
    const known = sumOf(risky.map((item) => ('valueUsdc' in item ? item.valueUsdc : '0'))) ?? '0'
    const valueUsdc = sumOf(risks.map(({ orderValueUsdc }) => orderValueUsdc ?? '0')) ?? '0'
    const room = { wallet: bot.wallet, valueUsdc: compare(known, valueUsdc) > 0 ? known : valueUsdc, untilMs: atMs + listedAfterMs }
    pending.add(room)
    return {
      orders: risky.length,
      pairIds: [
        ...new Set([
          ...risky.flatMap((item) => (item.kind === 'open' ? [item.pairId] : [])),
          ...risks.flatMap(({ pairId }) => (pairId === null ? [] : [pairId])),
        ]),
      ],
      release: () => {
        pending.delete(room)
        const times = sentAt.get(bot.id) ?? []
        for (const time of added) if (times.includes(time)) times.splice(times.indexOf(time), 1)
      },
    }
  }

  return {
    walletNow,
    take: (bot, items) => {
      const queue = queues.get(bot.wallet) ?? createQueue()
      queues.set(bot.wallet, queue)
      // An exit never waits for orders that add risk.
      return endsRiskOnly(items) ? check(bot, items) : queue(() => check(bot, items))
    },
  }
}

/** Sum of amounts; null if one of them is unknown. */
const sumOf = (amounts: readonly (string | null)[]): string | null =>
  amounts.reduce<string | null>((sum, one) => (sum === null || one === null ? null : add(sum, one)), '0')

/** The value of all positions and of all waiting orders that may open, in USDC; null if a part of it is unknown. */
function notionalOf({ positions, orders }: WalletNow): string | null {
  if (positions === null || orders === null) return null
  const held = positions.map(({ notionalUsdc, size, markPrice }) =>
    notionalUsdc !== null ? absolute(notionalUsdc) : size === null || markPrice === null ? null : absolute(multiply(size, markPrice)),
  )
  return sumOf([...held, ...orders.filter(({ reduceOnly }) => reduceOnly !== true).map(({ orderValueUsdc }) => orderValueUsdc)])
}

const accountOf = ({ positions, orders }: WalletNow): AccountNow => ({
  position: async (positionId) => positions?.find(({ id }) => sameId(id, positionId)) ?? null,
  order: async (orderId) => orders?.find(({ id }) => sameId(id, orderId)) ?? null,
})

/** The risk of a change to something that cannot be found. Each limit counts it as exceeded. */
const unmeasured: NewRisk = { pairId: null, orderValueUsdc: null, leverage: null }

async function risksOf(items: readonly OrderItem[], now: AccountNow): Promise<readonly NewRisk[]> {
  const risks = await Promise.all(items.map((item) => risksOfItem(item, now)))
  return risks.flat()
}

async function risksOfItem(item: OrderItem, now: AccountNow): Promise<readonly NewRisk[]> {
  switch (item.kind) {
    case 'exit':
    case 'collateral':
      return []
    case 'open':
      return [{ pairId: item.pairId, orderValueUsdc: item.valueUsdc, leverage: item.leverage.toString() }]
    case 'replace': {
      const order = await now.order(item.orderId)
      if (order === null) return [unmeasured]
      const { orderId, valueUsdc, limitPrice, triggerPrice } = item
      const change = {
        ...(valueUsdc !== null && { orderValueUsdc: valueUsdc }),
        ...(limitPrice !== null && { limitPrice }),
        ...(triggerPrice !== null && { triggerPrice }),
      }
      return newRisksOf({ action: 'replace', order: { ...orderSeen(order), orderId }, ...change }, now)
    }
    default: {
      const position = await now.position(item.positionId)
      const seen = position === null ? null : seenPosition(position)
      if (seen === null) return [unmeasured]
      switch (item.kind) {
        case 'increase':
          return newRisksOf({ action: 'increase', position: seen, orderValueUsdc: item.valueUsdc, referencePrice: '0', maxSlippageBps: 1 }, now)
        case 'invert':
          return newRisksOf({ action: 'invert', position: seen, referencePrice: item.price, maxSlippageBps: 1 }, now)
        case 'leverage':
          return newRisksOf({ action: 'isolated_manage', position: seen, change: { leverage: item.leverage } }, now)
        case 'take_margin':
          return newRisksOf({ action: 'isolated_manage', position: seen, change: { marginDeltaUsdc: `-${item.amountUsdc}` } }, now)
      }
    }
  }
}

type OfAccount = Exclude<OrderItem, { readonly kind: 'open' | 'collateral' }>

/** True if the item changes an order or a position that the account has already. */
const changesOwn = (item: OrderItem): item is OfAccount => item.kind !== 'open' && item.kind !== 'collateral'

/** The market of the order or position that the item changes; null if the account does not list it. */
function pairOf(item: OfAccount, { positions, orders }: WalletNow): number | null {
  const [orderId, positionId] = ['orderId' in item ? item.orderId : null, 'positionId' in item ? item.positionId : null]
  if (orderId !== null) return orders?.find(({ id }) => sameId(id, orderId))?.pairId ?? null
  return positions?.find(({ id }) => sameId(id, positionId ?? ''))?.pairId ?? null
}

/** The side on which an action adds risk; null if it cannot be told. */
function sideOf(item: OrderItem, { positions, orders }: WalletNow): Side | null {
  if (item.kind === 'open') return item.side
  if (item.kind === 'replace') return asSide(orders?.find(({ id }) => sameId(id, item.orderId))?.side)
  if (item.kind === 'exit' || item.kind === 'collateral') return null
  const side = asSide(positions?.find(({ id }) => sameId(id, item.positionId))?.side)
  if (item.kind !== 'invert' || side === null) return side
  return side === 'long' ? 'short' : 'long'
}

const asSide = (side: string | null | undefined): Side | null => (side === 'long' || side === 'short' ? side : null)

function isWithin({ fromMinute, toMinute }: { readonly fromMinute: number; readonly toMinute: number }, nowMs: number): boolean {
  const at = Math.floor(nowMs / minute) % 1_440
  return fromMinute <= toMinute ? at >= fromMinute && at < toMinute : at >= fromMinute || at < toMinute
}
