import { decimalsOf, signOf, subtract } from '../../../shared/decimal.ts'
import type {
  ActionTicket,
  DelegatedItem,
  DelegatedTicket,
  LimitTicket,
  MarketTicket,
  OpenTicket,
  SeenOrder,
  SeenPosition,
} from '../../../shared/ipc/intents/tickets.ts'
import type { Position } from '../../../shared/ipc/reads/account.ts'
import { marketTicket } from './trader.ts'
import type { ExecutorMove, Move, SignatureMove, TransactionsMove } from './troubled-moves.ts'
import { value, type Workspace } from './workspace.ts'

function farAway(mark: string, side: 'long' | 'short') {
  const whole = BigInt(mark.split('.')[0] ?? '1')
  const [above, below] = [String(whole * 10n), String(whole / 10n + 1n)]
  return side === 'long' ? { takeProfit: above, stopLoss: below } : { takeProfit: below, stopLoss: above }
}

/** A limit order at half the mark price, where it stays unfilled. */
function waiting({ referencePrice, maxSlippageBps: _, restIfUnfilled: __, ...rest }: MarketTicket): LimitTicket {
  const half = BigInt(referencePrice.split('.')[0] ?? '2') / 2n
  return { ...rest, side: 'long', orderType: 'limit', limitPrice: String(half > 0n ? half : 1n), timeInForce: 'gtc', postOnly: false }
}

const seen = ({ id, pairId, symbol, side, size, takeProfit, stopLoss }: Position): SeenPosition | null =>
  id === null || size === null ? null : { positionId: id, pairId, symbol, side, size, takeProfit, stopLoss }

/** The smallest size step of the two markets, by market id. */
const steps: Readonly<Record<number, string>> = { 1: '0.00001', 2: '0.0001' }

/**
 * A size slightly below the full one, whose last decimal is not zero. A trailing zero would make the number of decimals in an unknown signing format
 * ambiguous, and the app would ask the user.
 */
function part(size: string, pairId: number): string {
  const step = steps[pairId] ?? '1'
  const less = subtract(size, step)
  const other = decimalsOf(less) === decimalsOf(step) ? less : subtract(less, step)
  return signOf(other) > 0 ? other : size
}

/** Returns the state before a user action: the market, and its open position or null. The second market uses isolated margin. */
export async function situationOf(workspace: Workspace, { pairId, value: tens }: Pick<Move, 'pairId' | 'value'>) {
  // After repeated failures, the app pauses calls to a host for up to 30 s. Waits that long.
  if (!(await workspace.handlers()['markets.summary']({ pairId })).ok) workspace.clock.advance(30_001)
  const market = await marketTicket(workspace, { pairId, marginMode: pairId === 2 ? 'isolated' : 'cross', orderValueUsdc: String(100 + tens * 10) })
  const positions = value(await workspace.handlers()['account.positions']({ watch: null })).positions
  const held = positions.find((one) => one.pairId === pairId)
  return { market, held: held === undefined ? null : seen(held) }
}
type Situation = Awaited<ReturnType<typeof situationOf>>

/** The ticket for an order that the wallet signs; `null` if the action needs a position and none is open. */
export function signedTicket({ order, pairId }: SignatureMove, { market, held }: Situation): OpenTicket | ActionTicket | null {
  if (order === 'long' || order === 'short') return { ...market, side: order }
  if (order === 'limit') return waiting(market)
  if (held === null || held.size === null) return null
  const { referencePrice, maxSlippageBps } = market
  const position = { ...held, pairId }
  switch (order) {
    case 'close half':
      return { action: 'close_position_market', position, size: part(held.size, pairId), referencePrice, maxSlippageBps }
    case 'close':
      return { action: 'close_position_market', position, size: null, referencePrice, maxSlippageBps }
    case 'close at limit':
      return { action: 'close_position_limit', position, size: null, limitPrice: referencePrice, timeInForce: 'gtc', postOnly: false }
    case 'invert':
      return { action: 'invert_position', position, referencePrice, maxSlippageBps }
  }
}

async function openOrder(workspace: Workspace): Promise<SeenOrder | null> {
  const found = value(await workspace.handlers()['account.orders']({ watch: null })).orders.find(({ status }) => status === 'open')
  if (found === undefined) return null
  const { id, pairId, symbol, orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss } = found
  return { orderId: id, pairId, symbol, side: found.side === 'short' ? 'short' : 'long', orderValueUsdc, limitPrice, triggerPrice, takeProfit, stopLoss }
}

/**
 * The ticket of a transaction that the wallet sends. If the action needs a position or order that does not exist, the ticket is a deposit instead.
 */
export async function sentTicket(workspace: Workspace, { order, value: tens }: TransactionsMove, { market, held }: Situation): Promise<ActionTicket> {
  // The amount has six decimals, so that the test detects a lost decimal.
  const amount = `${10 + tens}.${String(100_001 + tens)}`
  const deposit: ActionTicket = { action: 'add_collateral', token: 'USDC', amount, permit: false }
  switch (order) {
    case 'deposit':
      return deposit
    case 'deposit own token':
      return { ...deposit, token: 'SVC' }
    case 'withdraw':
      return { action: 'withdraw_collateral', token: 'USDC', amount }
    case 'exits':
      return held === null ? deposit : { action: 'update_tpsl', position: held, ...farAway(market.referencePrice, held.side) }
    case 'add margin':
      return held === null || market.marginMode === 'cross' ? deposit : { action: 'add_isolated_margin', position: held, amountUsdc: amount }
    case 'cancel': {
      const found = await openOrder(workspace)
      return found === null ? deposit : { action: 'cancel_order', order: found }
    }
  }
}

/** The ticket of an order that the executor sends. If the action needs a position that does not exist, the ticket opens one instead. */
export function delegatedTicket({ order }: ExecutorMove, { market, held }: Situation): DelegatedTicket {
  const { referencePrice, maxSlippageBps, orderValueUsdc } = market
  const price = { referencePrice, maxSlippageBps }
  const opening: DelegatedItem = { action: 'open_market', order: market }
  const resting: DelegatedItem = { action: 'create_limit', order: waiting(market) }
  if (order === 'open') return opening
  if (order === 'limit') return resting
  if (held === null || held.size === null) return order === 'batch' ? { action: 'batch', items: [opening, resting] } : opening
  const { takeProfit, stopLoss } = farAway(referencePrice, held.side)
  const closing: DelegatedItem = { action: 'close', position: held, ...price }
  switch (order) {
    case 'increase':
      return { action: 'increase', position: held, orderValueUsdc, ...price }
    case 'reduce':
      return { action: 'reduce', position: held, size: part(held.size, held.pairId), ...price }
    case 'close':
      return closing
    case 'invert':
      return { action: 'invert', position: held, ...price }
    case 'exits':
      return { action: 'set_tp', position: held, price: takeProfit }
    case 'margin':
      return market.marginMode === 'cross'
        ? { action: 'set_sl', position: held, price: stopLoss }
        : { action: 'isolated_manage', position: held, change: { marginDeltaUsdc: '5' } }
    case 'batch':
      // The last item of the batch must fail, because the item before it closes the position.
      return { action: 'batch', items: [resting, closing, { action: 'set_tp', position: held, price: takeProfit }] }
  }
}
