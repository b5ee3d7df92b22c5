import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { HistoryRow, ReportLine } from '../../../shared/ipc/reads/account-history.ts'
import { closedRow, tradeRow } from './history-rows.ts'
import { sumUp } from './reports.ts'

const trade = (symbol: string | null, atMs: number | null, feeUsdc: string | null): HistoryRow => ({
  ...tradeRow({
    ...{ id: 't', orderId: null, positionId: null, clientOrderId: null, pairId: 1, side: 'long', did: null, price: null, size: null },
    ...{ valueUsdc: null, realisedPnlUsdc: '999', role: null, txHash: null, keyId: null, unknownFields: null },
    symbol,
    atMs,
    feeUsdc,
  }),
})
const closed = (symbol: string | null, closedAtMs: number | null, realisedPnlUsdc: string | null, fundingUsdc: string | null): HistoryRow =>
  closedRow({
    ...{ id: 'p', pairId: 1, side: 'long', size: null, entryPrice: null, exitPrice: null, closedBy: null, openedAtMs: null, txHash: null },
    ...{ closeId: null, keyId: null, unknownFields: null },
    symbol,
    closedAtMs,
    realisedPnlUsdc,
    fundingUsdc,
  })

const scale = 18
const written = (units: bigint): string => {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  return `${units < 0n ? '-' : ''}${digits.slice(0, -scale)}.${digits.slice(-scale)}`
}
const unitsOf = (text: string | null): bigint => {
  if (text === null) throw new Error('not known')
  const [whole = '', fraction = ''] = text.replace('-', '').split('.')
  const units = BigInt(whole + fraction.padEnd(scale, '0'))
  return text.startsWith('-') ? -units : units
}
const amount = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
const symbol = fc.constantFrom('BTC-PERP', 'ETH-PERP', 'SOL-PERP')
const moment = fc.integer({ min: 1_700_000_000_000, max: 1_700_900_000_000 })
const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n)

test('a report sums fees, results and funding exactly: per day, per market and in total [ACC-01]', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(symbol, moment, amount), { maxLength: 60 }),
      fc.array(fc.tuple(symbol, moment, amount, amount), { maxLength: 60 }),
      fc.constantFrom('day' as const, 'market' as const),
      (trades, ends, by) => {
        const { lines, total } = sumUp(
          trades.map(([market, at, fee]) => trade(market, at, written(fee))),
          ends.map(([market, at, realised, funding]) => closed(market, at, written(realised), written(funding))),
          by,
        )
        const nameOf = (market: string, at: number) => (by === 'market' ? market : new Date(at).toISOString().slice(0, 10))
        const check = (line: Omit<ReportLine, 'name'>, wanted: (market: string, at: number) => boolean) => {
          const fees = sum(trades.filter(([market, at]) => wanted(market, at)).map(([, , fee]) => fee))
          const mine = ends.filter(([market, at]) => wanted(market, at))
          const realised = sum(mine.map(([, , value]) => value))
          const funding = sum(mine.map(([, , , value]) => value))
          expect([line.fees, line.realised, line.funding, line.net].map(unitsOf)).toEqual([fees, realised, funding, realised + funding - fees])
        }
        for (const line of lines) check(line, (market, at) => nameOf(market, at) === line.name)
        check(total, () => true)
        expect(new Set(lines.map(({ name }) => name)).size).toBe(lines.length)
        expect(lines.reduce((all, line) => all + line.trades + line.closed, 0)).toBe(trades.length + ends.length)
      },
    ),
  )
})

test('a report shows a sum as unknown if a value is missing, and counts the missing values [ERR-02]', () => {
  const at = Date.UTC(2026, 10, 22, 23, 59)
  const { lines } = sumUp([trade('BTC-PERP', at, null)], [closed('BTC-PERP', at, '-5.25', null), closed('BTC-PERP', at, '1', '0.5')], 'market')
  expect(lines).toEqual([{ name: 'BTC-PERP', fees: null, realised: '-4.25', funding: null, net: null, trades: 1, closed: 2, untold: 2 }])
  const days = sumUp([trade(null, null, '1'), trade('A', at + 60_000, '2'), trade('A', at, '3')], [], 'day').lines
  expect(days.map(({ name, fees, net }) => [name, fees, net])).toEqual([
    ['2026-11-23', '2', '-2'],
    ['2026-11-22', '3', '-3'],
    [null, '1', '-1'],
  ])
  expect(sumUp([trade('A', at, '1')], [], 'key').lines[0]).toMatchObject({ name: null, fees: '1' })
})
