import { expect, test } from 'vitest'
import { RiskPreviewAnswer } from './risk-preview.ts'

test('the app reads a risk preview that is flat, nested under its own name, or split into simulation and costs [ORD-15]', () => {
  const wanted = { executable: true, liquidationPrice: '87240.5', tradingFee: '5', network: '0.04', unknownFields: null }
  const flat = { executable: true, liquidation_price: '87240.5', fee_usdc: '5', network_cost_usdc: 0.04 }
  const parted = { executable: true, simulation: { liq_price: '87240.50' }, costs: { trading_fee_usdc: '5.0', network_usdc: '0.04' } }
  for (const answer of [flat, { success: true, preview: flat }, { preview: parted }, { data: { risk: parted } }])
    expect(RiskPreviewAnswer.parse(answer)).toMatchObject(wanted)
})

test('the app leaves values that a risk preview lacks unknown, and never reads them as zero [ORD-15, ERR-02]', () => {
  expect(RiskPreviewAnswer.parse({ preview: { leverage_tier: 2 } })).toMatchObject({
    executable: null,
    healthAfter: null,
    marginRequired: null,
    unknownFields: '{"leverage_tier":2}',
  })
  expect(RiskPreviewAnswer.read('soon').ok).toBe(false)
})
