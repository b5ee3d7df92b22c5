import { costsIn, simulationIn } from '../../../shared/api/schemas/preparation-costs.ts'
import type { Execution } from '../../../shared/api/schemas/prepared-action-resources.ts'
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
    { kind: 'network', amount: found.network },
    { kind: 'trading_fee', amount: found.tradingFee },
  ] as const
  return rows.map((row) => ({ ...row, unit: 'USDC' }))
}

export function readSimulation({ simulation }: Pick<Execution, 'simulation'>): PreparedOrder['simulation'] {
  const found = simulationIn(simulation)
  if (found === null) return []
  const rows = [
    ['entry', found.entryPrice],
    ['liquidation', found.liquidationPrice],
    ['margin', found.marginRequired],
    ['margin_used_before', found.marginUsedBefore],
    ['margin_used_after', found.marginUsedAfter],
    ['health_before', found.healthBefore],
    ['health_after', found.healthAfter],
    ['fee', found.tradingFee],
  ] as const
  return rows.flatMap(([kind, value]) => (value === null ? [] : [{ kind, value: formatDecimal(value) }]))
}
