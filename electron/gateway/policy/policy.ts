import { absolute, add, compare, multiply } from '../../../shared/decimal.ts'
import type { Side } from '../../../shared/ipc/intents/tickets.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { sameId } from '../../../shared/same-id.ts'
import { orderSeen, seenPosition } from '../../../shared/ticket/form/ticket-state.ts'
import { type Clock, minute, second } from '../../../shared/time.ts'
import { type AccountNow, type NewRisk, newRisksOf } from '../../intents/risk-limits/new-risk.ts'
import type { RiskLimitsService } from '../../intents/risk-limits/risk-limits.ts'
import { heldBack, type Journal } from '../../store/journal/journal.ts'
import type { StoredBot } from '../../store/records/gateway-records.ts'
import { type GatewayRefusal, refusal, refusalOf } from '../http/listener.ts'
import type { Elsewhere } from '../state/gateway-state.ts'
import type { OrderItem } from './read-order.ts'
import type { Room, WalletNow, WalletRoom } from './wallet-room.ts'

/** Room under the limits that an order has taken. */
export interface Taken {
  /** Number of actions that may add risk. */
  readonly orders: number
  /** The markets in which the order opens. */
  readonly pairIds: readonly number[]
  /** The value that counts until the lists of the wallet show the outcome, in USDC; null: none. */
  readonly reservedUsdc: string | null
  /** Called as soon as a stored call counts the value. */
  stored(): void
  /** Gives the room back, because the order did not take effect. */
  release(): void
}

export interface Policies {
  /**
   * Checks an order against the limits of the bot and the wallet, and takes the room that it needs. Takes it before it reads the wallet's lists, so that
   * two orders cannot share the same room. `elsewhere`: what the orders of all gateways take, claimed before this call; null: this gateway counts alone.
   */
  take(bot: StoredBot, items: readonly OrderItem[], elsewhere: Elsewhere | null): Promise<Result<Taken, GatewayRefusal>>
}

export interface PoliciesDeps {
  readonly room: WalletRoom
  readonly riskLimits: Pick<RiskLimitsService, 'checkRisks'>
  readonly journal: Pick<Journal, 'takesNewRisk' | 'trouble'>
  readonly clock: Clock
  /** Recent orders of each bot as the journal has them, so that a restart does not give a bot fresh room. */
  readonly recent: readonly { readonly bot: string; readonly atMs: number; readonly orders: number }[]
}

/** What an order takes that only ends risk. */
export const nothing: Taken = { orders: 0, pairIds: [], reservedUsdc: null, stored: () => undefined, release: () => undefined }
const isExit = ({ kind }: OrderItem): boolean => kind === 'exit' || kind === 'collateral'

/** Whether an order only ends or reduces risk. */
export const endsRiskOnly = (items: readonly OrderItem[]): boolean => items.every(isExit)

/** The number of actions that may add risk, and the value that they name themselves. */
export function roomOf(items: readonly OrderItem[]): { readonly orders: number; readonly valueUsdc: string } {
  const risky = items.filter((item) => !isExit(item))
  return { orders: risky.length, valueUsdc: namedValue(risky) }
}

/** Holds each bot to its limits before anything leaves. Closes and cancels of what the bot itself opened are never refused for a limit. */
export function createPolicies({ room: walletRoom, riskLimits, journal, clock, recent }: PoliciesDeps): Policies {
  const sentAt = new Map<string, number[]>()
  for (const { bot, atMs, orders } of recent)
    if (orders > 0 && clock.now() - atMs < minute) sentAt.set(bot, [...(sentAt.get(bot) ?? []), ...Array<number>(orders).fill(atMs)])

  /** The minute's room of a bot. Counts every action that may add risk, whether or not the service accepted it. */
  const minuteFull = ({ id, policy }: StoredBot, more: number): boolean => {
    const since = clock.now() - minute
    const recently = (sentAt.get(id) ?? []).filter((atMs) => atMs > since)
    sentAt.set(id, recently)
    return policy.ordersPerMinute !== null && recently.length + more > policy.ordersPerMinute
  }

  /** The parts that need no reading. Nothing may wait between them and the reservation. */
  const checkAtOnce = (bot: StoredBot, risky: readonly OrderItem[]): GatewayRefusal | null => {
    const { policy } = bot
    if (!journal.takesNewRisk()) return refusalOf(heldBack(journal))
    if (policy.hours !== null && !isWithin(policy.hours, clock.now())) return refusal('LIMIT', { limit: 'hours', allowed: null, asked: null })
    if (minuteFull(bot, risky.length))
      return refusal('LIMIT', { limit: 'orders_per_minute', allowed: policy.ordersPerMinute, asked: risky.length }, { 'retry-after': '5' })
    return null
  }

  /** An action in a market that the bot may not trade in. An exit in an unknown market may leave; anything else may not. */
  const foreignMarket = async ({ policy, openedIn }: StoredBot, items: readonly OrderItem[], now: () => Promise<WalletNow>): Promise<GatewayRefusal | null> => {
    const { markets } = policy.limits
    if (markets === null) return null
    for (const item of items.filter(changesOwn)) {
      const pairId = pairOf(item, await now())
      if (pairId === null && item.kind !== 'exit') return refusal('NOT_OWN', { pair_id: null })
      if (pairId !== null && !markets.includes(pairId) && !openedIn.includes(pairId)) return refusal('NOT_OWN', { pair_id: pairId })
    }
    return null
  }

  const checkRead = async (
    bot: StoredBot,
    items: readonly OrderItem[],
    risky: readonly OrderItem[],
    room: Room,
    elsewhere: Elsewhere | null,
  ): Promise<Result<readonly NewRisk[], GatewayRefusal>> => {
    const { policy, wallet } = bot
    let read: Promise<WalletNow> | null = null
    const now = () => (read ??= walletRoom.read(wallet))
    const foreign = await foreignMarket(bot, items, now)
    if (foreign !== null) return fail(foreign)
    if (policy.sides !== null) {
      const account = risky.every(({ kind }) => kind === 'open') ? nobodys : await now()
      const side = risky.map((item) => sideOf(item, account)).find((one) => one === null || policy.sides?.includes(one) === false)
      if (side !== undefined) return fail(refusal('LIMIT', { limit: 'side', allowed: policy.sides.join(','), asked: side }))
    }
    let risks: readonly NewRisk[] | null = null
    const risksNow = async () => (risks ??= await risksOf(risky, accountOf(now)))
    const failure = await riskLimits.checkRisks(risksNow, wallet, policy.limits)
    if (failure !== null) return fail(refusalOf(failure))
    if (policy.openNotionalUsdc === null) return ok(risks ?? [])
    const asked = sumOf((await risksNow()).map(({ orderValueUsdc }) => (orderValueUsdc === undefined ? '0' : orderValueUsdc)))
    const isMore = asked !== null && compare(asked, namedValue(risky)) > 0
    const mine = isMore ? asked : namedValue(risky)
    if (isMore) room.grow(asked)
    let before: string | null = elsewhere?.beforeUsdc ?? '0'
    if (isMore && elsewhere !== null) {
      // The lists were read before the larger value was reserved, so that another gateway may have counted the smaller one.
      before = await elsewhere.grow(mine)
      read = walletRoom.read(wallet)
    }
    const fits = async (account: WalletNow): Promise<GatewayRefusal | null> => {
      if (before === null) return refusal('STATE_AWAY', {}, { 'retry-after': '2' })
      if (account.limitedMs !== null)
        return refusal('WAITING', { retry_after_ms: account.limitedMs }, { 'retry-after': Math.ceil(account.limitedMs / second).toString() })
      const held = notionalOf(account)
      const total = asked === null || held === null ? null : add(held, elsewhere === null ? room.upToHere() : add(before, mine))
      return total !== null && compare(total, policy.openNotionalUsdc ?? '0') <= 0
        ? null
        : refusal('LIMIT', { limit: 'open_notional', allowed: policy.openNotionalUsdc, asked: total })
    }
    // The first reading may only have told that an order on the way has ended; the second one then shows it.
    if ((await fits(await now())) === null) return ok(risks ?? [])
    if (elsewhere !== null) before = await elsewhere.grow(mine)
    const refused = await fits(await walletRoom.read(wallet))
    return refused === null ? ok(risks ?? []) : fail(refused)
  }

  const takeRoom = async (
    bot: StoredBot,
    items: readonly OrderItem[],
    risky: readonly OrderItem[],
    elsewhere: Elsewhere | null,
  ): Promise<Result<Taken, GatewayRefusal>> => {
    const problem = checkAtOnce(bot, risky)
    if (problem !== null) return fail(problem)
    const room = walletRoom.reserve(bot.wallet, namedValue(risky))
    const atMs = clock.now()
    const added = risky.map(() => atMs)
    sentAt.set(bot.id, [...(sentAt.get(bot.id) ?? []), ...added])
    const release = () => {
      room.release()
      const times = sentAt.get(bot.id) ?? []
      for (const time of added) if (times.includes(time)) times.splice(times.indexOf(time), 1)
    }
    try {
      const checked = await checkRead(bot, items, risky, room, elsewhere)
      if (!checked.ok) {
        release()
        return checked
      }
      const risks = checked.value
      const measured = sumOf(risks.map(({ orderValueUsdc }) => orderValueUsdc ?? '0')) ?? '0'
      const reservedUsdc = compare(measured, namedValue(risky)) > 0 ? measured : namedValue(risky)
      return ok({
        orders: risky.length,
        pairIds: [
          ...new Set([
            ...risky.flatMap((item) => (item.kind === 'open' ? [item.pairId] : [])),
            ...risks.flatMap(({ pairId }) => (pairId === null ? [] : [pairId])),
          ]),
        ],
        reservedUsdc: compare(reservedUsdc, '0') > 0 ? reservedUsdc : null,
        stored: room.release,
        release,
      })
    } catch (error) {
      release()
      throw error
    }
  }

  return {
    take: async (bot, items, elsewhere) => {
      const risky = items.filter((item) => !isExit(item))
      if (risky.length > 0) return takeRoom(bot, items, risky, elsewhere)
      const foreign = await foreignMarket(bot, items, () => walletRoom.read(bot.wallet))
      return foreign === null ? ok(nothing) : fail(foreign)
    },
  }
}

/** An account in which nothing is open. Actions that only open need no other. */
const nobodys: WalletNow = { positions: [], orders: [], limitedMs: null }

/** The value that actions name themselves, in USDC. */
const namedValue = (items: readonly OrderItem[]): string => items.reduce((sum, item) => add(sum, 'valueUsdc' in item ? (item.valueUsdc ?? '0') : '0'), '0')

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

const accountOf = (now: () => Promise<WalletNow>): AccountNow => ({
  position: async (positionId) => (await now()).positions?.find(({ id }) => sameId(id, positionId)) ?? null,
  order: async (orderId) => (await now()).orders?.find(({ id }) => sameId(id, orderId)) ?? null,
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
