import { expect, test } from 'vitest'
import { PreparedAction, simulationIn, unknownOfPrepared } from '../../../shared/api/schemas/prepared-action-resources.ts'
import { readCosts } from './verification.ts'

const prepared = (execution: Readonly<Record<string, unknown>>) => PreparedAction.parse({ intent_id: 'dx_1', execution })
const amounts = (costs: unknown) => readCosts(prepared({ costs }).execution).map(({ amount }) => amount)

test('the app reads an order’s costs in USDC even if the service uses other names or nesting for their fields [FLOW-08, ERR-02]', () => {
  expect(amounts({ network_usdc: '0.12', trading_fee_usdc: 0.5 })).toEqual(['0.12', '0.5'])
  expect(amounts({ gasFee: { usdc: '0.12' }, fees: { trading: '0.5 USDC' } })).toEqual(['0.12', '0.5'])
  expect(amounts({ network_usdc_e6: 120_000, trading_fee_usdc: '12' })).toEqual(['0.12', '12'])
})

test('if an order’s cost is missing, or its scale or unit is unclear, the app shows the cost as unknown, never as zero [FLOW-08, ERR-02]', () => {
  expect(amounts({ network_cost: 120_000 })).toEqual([null, null])
  expect(amounts({ network_cost: '21000000000000', unit: 'wei' })).toEqual([null, null])
  expect(amounts({})).toEqual([null, null])
  expect(readCosts(prepared({}).execution)).toEqual([])
})

test('the app shows an order’s cost that it does not recognise under the service’s field name, and never as USDC [ERR-02]', () => {
  const answer = prepared({ costs: { network_usdc: '0.12', gas_limit: 210_000 }, simulation: { slots: 3, network_cost: 120_000 } })
  expect(amounts({ network_usdc: '0.12', gas_limit: 210_000 })).toEqual(['0.12', null])
  expect(JSON.parse(unknownOfPrepared(answer) ?? '')).toEqual({
    'execution.costs.gas_limit': 210_000,
    'execution.simulation.slots': 3,
    'execution.simulation.network_cost': 120_000,
  })
})

test('the app reads the expected prices and margin of an order under various field names, and ignores ratios and amounts of unknown unit [ERR-02]', () => {
  const simulation = (fields: unknown) => {
    const { unknownFields: _, ...read } = simulationIn(prepared({ simulation: fields }).execution.simulation) ?? {}
    return Object.fromEntries(Object.entries(read).filter(([, value]) => value !== null))
  }
  expect(simulation({ prices: { entry: '96000.5', liquidation: '90000' }, health_after: '3.2' })).toEqual({
    entryPrice: '96000.5',
    liquidationPrice: '90000',
    healthAfter: '3.2',
  })
  expect(simulation({ margin_used_after: '0.4', required_margin: '25' })).toEqual({ marginRequired: '25' })
  expect(simulation({ required_margin: 25_000_000 })).toEqual({})
})
