import { assumed } from '../../shared/api/assumptions.ts'
import { decimal, findField } from '../../shared/api/loose.ts'
import { formatDecimal } from '../../shared/decimal.ts'
import type { PreparedOrder } from '../../shared/ipc/orders.ts'
import { readableName } from '../../shared/signing/wording.ts'

type Source = Readonly<Record<string, unknown>> | null

const fields = assumed.preparationCosts.fields

const amount = (value: unknown): string | null => decimal(value) ?? null

/** Known fields under their labels, whatever else the service names under its own. A missing number stays missing, never 0. */
function rows(
  source: Source,
  known: readonly { readonly aliases: readonly string[]; readonly label: string }[],
  hidden: readonly string[] = [],
): { readonly label: string; readonly value: unknown }[] {
  if (source === null) return []
  const taken = new Set<string>(hidden.flatMap((alias) => findField(source, [alias])?.name ?? []))
  const named = known.flatMap(({ aliases, label }) => {
    const found = findField(source, aliases)
    if (found === null || taken.has(found.name)) return []
    taken.add(found.name)
    return [{ label, value: found.value }]
  })
  return [...named, ...Object.entries(source).flatMap(([name, value]) => (taken.has(name) || value === null ? [] : [{ label: readableName(name), value }]))]
}

/** Network cost and fee, charged in USDC from the exchange collateral for relayed actions (Resources, execution `costs`; FLOW-08). */
export function readCosts(costs: Source): PreparedOrder['costs'] {
  const known = [
    { aliases: fields.network, label: 'Network' },
    { aliases: fields.tradingFee, label: 'Trading fee' },
  ]
  return rows(costs, known, fields.chargedFrom)
    .map(({ label, value }) => ({ label, amount: amount(value), unit: 'USDC' }))
    .filter((row) => row.amount !== null || row.label === 'Network' || row.label === 'Trading fee')
}

export function readSimulation(simulation: Source): PreparedOrder['simulation'] {
  const known = [
    { aliases: fields.entryPrice, label: 'Entry' },
    { aliases: fields.liquidationPrice, label: 'Liquidation' },
    { aliases: fields.marginRequired, label: 'Margin, USDC' },
    { aliases: fields.marginUsedBefore, label: 'Margin used before, %' },
    { aliases: fields.marginUsedAfter, label: 'Margin used after, %' },
    { aliases: fields.healthBefore, label: 'Health before' },
    { aliases: fields.healthAfter, label: 'Health after' },
    { aliases: fields.tradingFee, label: 'Fee, USDC' },
  ]
  return rows(simulation, known).map(({ label, value }) => {
    const number = amount(value)
    return { label, value: number === null ? (typeof value === 'string' ? value : JSON.stringify(value)) : formatDecimal(number) }
  })
}
