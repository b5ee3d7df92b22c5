import { expect } from 'vitest'
import { z } from 'zod'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { hour } from '../../../shared/time.ts'
import type { TroubledTrader } from './troubled-trader.ts'
import { value } from './workspace.ts'

// Compares the exchange and the chain with the journal’s FINAL intents. Calculates without the app’s code, in integers with 18 decimals.

const Row = z.object({ pair_id: z.number(), side: z.enum(['long', 'short']), size: z.string() })
const Held = Row.extend({ position_id: z.string(), take_profit: z.string().nullable(), stop_loss: z.string().nullable() })
const Trade = Row.extend({ price: z.string(), fee_usdc: z.string(), tx_hash: z.string().nullable() })
const Told = z.object({
  trades: z.array(Trade),
  positions: z.array(Held),
  history: z.array(z.object({ realised_pnl_usdc: z.string() })),
  account: z.object({ collateral_usdc: z.string() }),
  tokens: z.array(z.object({ token: z.string(), balance: z.string() })),
})

async function told({ workspace }: TroubledTrader): Promise<z.output<typeof Told>> {
  const [secret] = [...workspace.secrets.entries.values()]
  const read = async (path: string) =>
    (await fetch(`${workspace.hostUrl}/api/dex/v1${path}`, { headers: { 'X-Svc-Api-Key': secret?.reveal() ?? '', 'X-Request-ID': 'model' } })).json()
  const { trades } = await read('/trades?limit=200')
  const { positions } = await read('/positions')
  const { history } = await read('/positions/history?limit=200')
  const { collateral: tokens } = await read('/collateral')
  return Told.parse({ trades: trades.items, positions, history: history.items, account: await read('/account'), tokens })
}

const scale = 10n ** 18n
const usdcUnit = 10n ** 12n
function units(text: string): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) throw new Error(`No decimal: ${text}`)
  const whole18 = BigInt(whole) * scale + BigInt(fraction.padEnd(18, '0').slice(0, 18))
  return sign === '-' ? -whole18 : whole18
}
const total = (values: readonly bigint[]): bigint => values.reduce((sum, each) => sum + each, 0n)
const signed = ({ side, size }: z.output<typeof Row>): bigint => (side === 'long' ? units(size) : -units(size))
const near = (a: bigint, b: bigint, most: string): boolean => (a > b ? a - b : b - a) <= units(most)

const networkCost = units('0.02')

/** The fields of an order or action that this model adds up, for every execution method. */
const Part = z.object({
  action: z.string().optional(),
  token: z.string().optional(),
  amount: z.string().optional(),
  orderType: z.string().optional(),
  orderValueUsdc: z.string().optional(),
  order: z.object({ orderType: z.string().optional(), orderValueUsdc: z.string().nullish() }).optional(),
  position: z.object({ positionId: z.string() }).optional(),
  price: z.string().optional(),
  takeProfit: z.string().nullish(),
  stopLoss: z.string().nullish(),
})
type Part = z.output<typeof Part>
const Ticket = Part.extend({ items: z.array(Part).optional() })

/** The orders or actions of an intent: all items of a batch, or the ticket itself. */
function partsOf({ workspace }: TroubledTrader, ref: string): readonly Part[] {
  const ticket = Ticket.parse(JSON.parse(workspace.journal().intents.get(ref)?.ticket ?? '{}'))
  return ticket.items ?? [ticket]
}

/** Checks that every transaction on the chain belongs to an intent, and that every FINAL intent’s transaction is on the chain. */
async function standOnChain(trader: TroubledTrader, final: readonly Intent[]): Promise<{ readonly executed: number }> {
  const { workspace, foreign } = trader
  const carriedOut: readonly (string | null)[] = workspace.chain.carriedOut().filter((hash) => !foreign.has(hash))
  const named = final.filter(({ way, txHash }) => way !== 'transactions' && txHash !== null).map(({ txHash }) => txHash)
  // After a reorganisation, the wallet may send the same call with the same nonce for another intent. To the chain, that is the same transaction.
  const steps = new Map<string, string | null>()
  for (const { ref } of trader.intents())
    for (const { state, txHash, from, nonce, to, data, value: wei } of workspace.journal().transactions.of(ref))
      if (state === 'final') steps.set(JSON.stringify([txHash, from, nonce ?? ref, to, data, wei]), txHash)
  const bySteps = [...steps.values()]
  const inVain: (string | null)[] = []
  for (const { ref, txHash, way, state } of trader.intents()) {
    if (way !== 'executor' || state !== 'REVERTED' || !carriedOut.includes(txHash)) continue
    const { items } = value(await workspace.handlers()['intents.execution']({ ref }))
    expect(items, 'all of it failed').not.toContainEqual(expect.objectContaining({ state: 'executed' }))
    inVain.push(txHash)
  }
  const known = [...named, ...bySteps, ...inVain]
  expect(new Set(known).size, 'a transaction belongs to one intent').toBe(known.length)
  expect(
    known.filter((hash) => !carriedOut.includes(hash)),
    'FINAL, and not on the chain',
  ).toEqual([])
  // Intents without a hash: the app found their outcome in the wallet’s order list, which contains no hashes.
  const nameless = final.filter(({ txHash }) => txHash === null)
  expect(carriedOut.filter((hash) => !known.includes(hash)).length, 'on the chain, and not FINAL').toBe(nameless.length)
  return { executed: named.length + inVain.length + nameless.length }
}

/**
 * Checks that each market order’s fills add up to the order’s USDC value. A difference of 12 USDC is allowed, because sizes are rounded to 4 or 3
 * decimals.
 */
function fillsAreWorth(trader: TroubledTrader, final: readonly Intent[], trades: readonly z.output<typeof Trade>[]): void {
  for (const { ref, txHash } of final) {
    const [part, ...more] = partsOf(trader, ref)
    const order = part?.order ?? part
    if (more.length > 0 || order?.orderType !== 'market' || order.orderValueUsdc == null) continue
    const own = trades.filter(({ tx_hash }) => tx_hash === txHash)
    const worth = total(own.map(({ size, price }) => (units(size) * units(price)) / scale))
    if (own.length > 0) expect(near(worth, units(order.orderValueUsdc), '12'), `${worth} for ${order.orderValueUsdc}`).toBe(true)
  }
}

/** Checks that each position’s TP/SL prices are those of the last transaction on the chain that set them. */
function exitsAreLast(trader: TroubledTrader, final: readonly Intent[], positions: readonly z.output<typeof Held>[]): void {
  const order: readonly (string | null)[] = trader.workspace.chain.carriedOut()
  const inOrder = final.toSorted((a, b) => order.indexOf(a.txHash) - order.indexOf(b.txHash))
  for (const { position_id, take_profit, stop_loss } of positions) {
    let [profit, loss]: (string | null)[] = [null, null]
    for (const { action, position, price, takeProfit, stopLoss } of inOrder.flatMap(({ ref }) => partsOf(trader, ref))) {
      if (position?.positionId !== position_id) continue
      if (takeProfit !== undefined) profit = takeProfit
      if (stopLoss !== undefined) loss = stopLoss
      if (action === 'set_tp') profit = price ?? null
      if (action === 'set_sl') loss = price ?? null
    }
    expect([take_profit, stop_loss], `exits of ${position_id}`).toEqual([profit, loss])
  }
}

/** Returns a token’s deposits minus its withdrawals, over all FINAL intents. */
const movedOf = (trader: TroubledTrader, final: readonly Intent[], token: string): bigint =>
  total(
    final.flatMap(({ ref }) =>
      partsOf(trader, ref).map(({ token: named, amount, action }) => {
        if (named !== token || amount === undefined) return 0n
        return action === 'withdraw_collateral' ? -units(amount) : units(amount)
      }),
    ),
  )

/** Checks that exchange, wallet and chain are in exactly the state that results from the journal’s FINAL intents. */
export async function sumsUp(trader: TroubledTrader, before: { readonly atMs: number; readonly inWallet: bigint }): Promise<{ readonly charged: boolean }> {
  const { workspace } = trader
  const { trades, positions, history, account, tokens } = await told(trader)
  const final = trader.intents().filter(({ state }) => state === 'FINAL')
  const { executed } = await standOnChain(trader, final)
  for (const trade of trades) expect(workspace.chain.carriedOut(), JSON.stringify(trade)).toContain(trade.tx_hash)
  fillsAreWorth(trader, final, trades)
  for (const pairId of [1, 2]) {
    const of = <One extends { readonly pair_id: number }>(rows: readonly One[]) => rows.filter(({ pair_id }) => pair_id === pairId)
    expect(total(of(positions).map(signed)), `the position on ${pairId}`).toBe(total(of(trades).map(signed)))
  }
  exitsAreLast(trader, final, positions)

  const moved = movedOf(trader, final, 'USDC')
  const inWallet = await workspace.chain.usdcOf(workspace.account.address)
  expect(inWallet * usdcUnit, 'USDC of the wallet').toBe(before.inWallet * usdcUnit - moved)
  const own = tokens.find(({ token }) => token === 'SVC')
  expect(units(own?.balance ?? '0'), 'own tokens').toBe(movedOf(trader, final, 'SVC'))
  // Hourly funding changes the balance, so the balance can be checked only if no new hour has started since the start of the run.
  const charged = Math.floor(before.atMs / hour) === Math.floor(workspace.clock.now() / hour)
  if (charged) {
    const spent = total(trades.map(({ fee_usdc }) => units(fee_usdc))) + networkCost * BigInt(executed)
    const expected = units('10000') + moved - spent + total(history.map(({ realised_pnl_usdc }) => units(realised_pnl_usdc)))
    expect(near(units(account.collateral_usdc), expected, '0.01'), `${account.collateral_usdc} for ${expected}`).toBe(true)
  }
  return { charged }
}
