import { costsIn, simulationIn } from '../../../shared/api/schemas/preparation-costs.ts'
import type { Execution } from '../../../shared/api/schemas/prepared-action.ts'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { PreparedOrder } from '../../../shared/ipc/intents/orders.ts'

/**
 * Network cost and fee, charged in USDC from the exchange collateral for relayed actions (Resources, execution `costs`; FLOW-08). One that
 * cannot be read is null, never 0.
 */
export function readCosts({ costs }: Pick<Execution, 'costs'>): PreparedOrder['costs'] {
  const found = costsIn(costs)
  if (found === null) return []
  const rows = [
    { label: 'Network', amount: found.network },
    { label: 'Trading fee', amount: found.tradingFee },
  ]
  return rows.map((row) => ({ ...row, unit: 'USDC' }))
}

export function readSimulation({ simulation }: Pick<Execution, 'simulation'>): PreparedOrder['simulation'] {
  const found = simulationIn(simulation)
  if (found === null) return []
  const rows = [
    ['Entry', found.entryPrice],
    ['Liquidation', found.liquidationPrice],
    ['Margin, USDC', found.marginRequired],
    ['Margin used before, %', found.marginUsedBefore],
    ['Margin used after, %', found.marginUsedAfter],
    ['Health before', found.healthBefore],
    ['Health after', found.healthAfter],
    ['Fee, USDC', found.tradingFee],
  ] as const
  return rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value: formatDecimal(value) }]))
}
