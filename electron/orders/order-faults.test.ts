import { randomInt } from 'node:crypto'
import { array, assert, asyncProperty, boolean } from 'fast-check'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { hour } from '../../shared/time.ts'
import { anyMove, isSettled, type Move, type ReachedByTrader, startTroubledTrader, type TroubledTrader } from '../testing/troubled-trader.ts'

const runs = 500
/** `SVC_DESK_SEED` repeats a run. */
const seed = Number(process.env.SVC_DESK_SEED ?? randomInt(2 ** 31))

const Row = z.object({ pair_id: z.number(), side: z.enum(['long', 'short']), size: z.string() })
const Trade = Row.extend({ price: z.string(), fee_usdc: z.string(), tx_hash: z.string().nullable() })
const Told = z.object({
  trades: z.array(Trade),
  positions: z.array(Row),
  history: z.array(z.object({ realised_pnl_usdc: z.string() })),
  account: z.object({ collateral_usdc: z.string() }),
})

/** What the exchange tells its own account holder, by nothing of this app. */
async function told({ desk }: TroubledTrader): Promise<z.output<typeof Told>> {
  const [secret] = [...desk.secrets.entries.values()]
  const read = async (path: string) =>
    (await fetch(`${desk.hostUrl}/api/dex/v1${path}`, { headers: { 'X-Svc-Api-Key': secret?.reveal() ?? '', 'X-Request-ID': 'model' } })).json()
  const [trades, positions, history, account] = [
    await read('/trades?limit=200'),
    await read('/positions'),
    await read('/positions/history?limit=200'),
    await read('/account'),
  ]
  return Told.parse({ trades: trades.trades.items, positions: positions.positions, history: history.history.items, account })
}

const scale = 10n ** 18n
/** Decimal text as an integer of 18 decimals, by nothing of this app. */
function units(text: string): bigint {
  const [, sign, whole = '0', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
  if (sign === undefined) throw new Error(`No decimal: ${text}`)
  const value = BigInt(whole) * scale + BigInt(fraction.padEnd(18, '0').slice(0, 18))
  return sign === '-' ? -value : value
}
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n)
const signed = ({ side, size }: z.output<typeof Row>): bigint => (side === 'long' ? units(size) : -units(size))
const near = (a: bigint, b: bigint, most: string): boolean => (a > b ? a - b : b - a) <= units(most)

const networkCost = units('0.02')

/** Everything that may become of an order. */
const transitions = [
  'PLANNED → PREPARED',
  'PLANNED → CANCELLED',
  'PREPARED → ASKED',
  'PREPARED → EXPIRED',
  'ASKED → SIGNED',
  'ASKED → PREPARED',
  'ASKED → CANCELLED',
  'ASKED → EXPIRED',
  'SIGNED → SENT',
  'SIGNED → CANCELLED',
  'SIGNED → EXPIRED',
  'SENT → SIGNED',
  'SENT → REFUSED',
  'SENT → SUBMITTED',
  'SENT → UNKNOWN',
  'UNKNOWN → SUBMITTED',
  'UNKNOWN → EXPIRED',
  'SUBMITTED → CONFIRMING',
  'SUBMITTED → FINAL',
  'SUBMITTED → REVERTED',
  'SUBMITTED → EXPIRED',
  'CONFIRMING → FINAL',
  'FINAL → SUBMITTED',
]
/** Before each of these writes it died at least once. */
const deaths = [
  'plan',
  'to PREPARED',
  'to ASKED',
  'to SIGNED',
  'to SENT',
  'to SUBMITTED',
  'to UNKNOWN',
  'to REFUSED',
  'to CANCELLED',
  'keep signature',
  'erase signature',
  'update',
]

const calm: Move = { order: 'long', pairId: 1, value: 5, trouble: 'none', phone: 'signs', chain: 'mines', dies: null }
const one = (change: Partial<Move>, drops = false): [Move[], boolean] => [[{ ...calm, ...change }], drops]
/** What chance may leave out. */
const examples: [Move[], boolean][] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((dies) => one({ dies })),
  ...[0, 1, 2, 3].flatMap((dies) => [one({ phone: 'rejects', dies: dies + 3 }), one({ trouble: 'relay: refused', dies: dies + 5 })]),
  ...[6, 7, 8, 9].map((dies) => one({ trouble: 'relay: request lost', dies })),
  one({ trouble: 'relay: asked to wait' }, true),
  [
    [
      { ...calm, trouble: 'relay: asked to wait' },
      { ...calm, phone: 'answers late' },
    ],
    false,
  ],
  one({ phone: 'is asked twice' }),
  one({ phone: 'is silent' }),
  one({ chain: 'reverts' }),
  one({ chain: 'reorganises' }),
  one({ trouble: 'relay: killed meanwhile' }),
  [[calm, { ...calm, order: 'close half' }, { ...calm, order: 'invert' }, { ...calm, order: 'close at limit' }], false],
]

/** The state of the exchange is what the final intents of the journal add up to, and nothing else. */
async function sumsUp(trader: TroubledTrader, startedAtMs: number): Promise<{ readonly charged: boolean }> {
  const { trades, positions, history, account } = await told(trader)
  const final = trader.intents().filter(({ state }) => state === 'FINAL')
  const hashes = final.map(({ txHash }) => txHash)
  expect(new Set(hashes).size, 'a transaction belongs to one intent').toBe(hashes.length)
  for (const trade of trades) expect(hashes, JSON.stringify(trade)).toContain(trade.tx_hash)
  for (const intent of final) {
    const own = trades.filter(({ tx_hash }) => tx_hash === intent.txHash)
    const ticket = z
      .object({ orderType: z.string().optional(), orderValueUsdc: z.string().optional() })
      .parse(JSON.parse(trader.desk.journal().intents.get(intent.ref)?.ticket ?? '{}'))
    if (ticket.orderType !== 'market' || ticket.orderValueUsdc === undefined) continue
    const worth = total(own.map(({ size, price }) => (units(size) * units(price)) / scale))
    // Of 4 and of 3 decimals are the sizes of the two markets: what they cannot say is left out.
    if (own.length > 0) expect(near(worth, units(ticket.orderValueUsdc), '12'), `${worth} for ${ticket.orderValueUsdc}`).toBe(true)
  }
  for (const pairId of [1, 2]) {
    const of = <Held extends { readonly pair_id: number }>(rows: readonly Held[]) => rows.filter(({ pair_id }) => pair_id === pairId)
    expect(total(of(positions).map(signed)), `the position on ${pairId}`).toBe(total(of(trades).map(signed)))
  }
  // Funding comes with the hour.
  const funded = Math.floor(startedAtMs / hour) !== Math.floor(trader.desk.clock.now() / hour)
  if (!funded) {
    const spent = total(trades.map(({ fee_usdc }) => units(fee_usdc))) + networkCost * BigInt(final.length)
    const expected = units('10000') - spent + total(history.map(({ realised_pnl_usdc }) => units(realised_pnl_usdc)))
    // Results are told to the cent.
    expect(near(units(account.collateral_usdc), expected, String((history.length + 1) / 100)), `${account.collateral_usdc} for ${expected}`).toBe(true)
  }
  return { charged: !funded }
}

test(`${runs} runs of random orders, faults, phones, chains and deaths: one effect at most for each press, every UNKNOWN resolves, the account is the sum of what is FINAL [ORD-06, FLOW-06, FLOW-07]`, async () => {
  const reached: ReachedByTrader = { transitions: new Set(), deaths: new Set() }
  let charged = 0
  let final = 0
  process.stdout.write(`order faults: SVC_DESK_SEED=${seed}\n`)
  await assert(
    asyncProperty(array(anyMove, { minLength: 1, maxLength: 4 }), boolean(), async (moves, drops) => {
      const trader = await startTroubledTrader(reached)
      // A whole hour lies ahead until funding comes, whenever this runs.
      trader.desk.clock.advance(hour - (trader.desk.clock.now() % hour))
      const startedAtMs = trader.desk.clock.now()
      try {
        for (const move of moves) await trader.meet(move)
        await trader.settle(drops)
        expect(trader.intents().filter((intent) => !isSettled(intent))).toEqual([])
        const relayed = trader.desk.exchange.effects().relayed.map(({ intent_id }) => intent_id)
        for (const refs of trader.presses) {
          const ids = trader.intents().flatMap(({ ref, intentId }) => (refs.includes(ref) && intentId !== null ? [intentId] : []))
          expect(relayed.filter((id) => ids.includes(id)).length, `effects of ${refs.join(', ')}`).toBeLessThanOrEqual(1)
        }
        expect([...trader.desk.vault.keys()].filter((name) => name.startsWith('signature/'))).toEqual([])
        if ((await sumsUp(trader, startedAtMs)).charged) charged += 1
        final += trader.intents().filter(({ state }) => state === 'FINAL').length
      } finally {
        await trader.desk.stop()
      }
    }),
    { numRuns: runs, seed, examples },
  )
  expect(transitions.filter((one) => !reached.transitions.has(one))).toEqual([])
  expect(deaths.filter((one) => !reached.deaths.has(one))).toEqual([])
  expect(final).toBeGreaterThan(runs / 5)
  // But for the few whose waiting took the hour.
  expect(charged).toBeGreaterThan(runs * 0.9)
}, 600_000)
