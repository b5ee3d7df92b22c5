import { may } from '../reader/field.ts'
import { fee, text } from '../reader/kinds.ts'
import { readRecords } from '../reader/read-records.ts'
import { type Read, resource } from '../reader/resource.ts'
import { simulatedFields } from './markets/risk-preview.ts'
import { names } from './name-lists.ts'

const source = 'Resources, execution: fields inside `simulation` and `costs` not shown'

/** What a preparation costs, in USDC. */
export const preparationCosts = resource({
  name: 'preparation_costs',
  words: ['cost'],
  sentence: 'The costs and the simulation of a preparation are objects of named decimals; those that this app does not know are shown as they came.',
  source,
  fields: {
    network: may(names.network, fee),
    tradingFee: may(names.tradingFee, fee),
    chargedFrom: may(['charged_from', 'paid_from', 'source'], text),
  },
})

export const preparationSimulation = resource({
  name: 'preparation_simulation',
  words: ['simulation'],
  sentence: null,
  source,
  fields: { ...simulatedFields, tradingFee: may(names.tradingFee, fee) },
})

type Source = Readonly<Record<string, unknown>> | null

/** null: the service named none. */
export const costsIn = (costs: Source): Read<typeof preparationCosts.fields> | null =>
  costs === null ? null : (readRecords(preparationCosts, [costs], {}, () => {}).items[0] ?? null)

/** As `costsIn`. */
export const simulationIn = (simulation: Source): Read<typeof preparationSimulation.fields> | null =>
  simulation === null ? null : (readRecords(preparationSimulation, [simulation], {}, () => {}).items[0] ?? null)
