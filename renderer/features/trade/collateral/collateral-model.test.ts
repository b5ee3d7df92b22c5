import { expect, test } from 'vitest'
import type { Collateral } from '../../../../shared/ipc/reads/account.ts'
import { byPermit, collateralFacts, collateralFigures, readCollateral, walletEthText } from './collateral-model.ts'

const usdc = { asset: 'USDC', contract: null, balance: '9500', locked: '2500', withdrawable: '7000', walletBalance: '1000.5', decimals: 6 }
const collateral = (change: Partial<Collateral> = {}): Collateral => ({
  balances: [usdc],
  tokens: ['USDC'],
  permitOffered: true,
  walletEth: '0.05',
  contractWallet: false,
  missing: { unreadable: 0, more: false },
  unknownFields: null,
  readAtMs: 1,
  ...change,
})
const figures = (...given: Parameters<typeof collateralFigures>) => collateralFigures(...given).map(({ before, after }) => [before, after])

test('the collateral form offers a deposit by signed permit only for USDC, and only if the service offers permits [FLOW-04]', () => {
  for (const wanted of [true, null]) expect(byPermit('deposit', 'USDC', collateral(), wanted)).toBe(true)
  for (const refused of [
    byPermit('deposit', 'USDC', collateral({ permitOffered: false }), true),
    byPermit('deposit', 'SVC', collateral(), true),
    byPermit('deposit', 'USDC', collateral(), false),
    byPermit('withdraw', 'USDC', collateral(), true),
    byPermit('deposit', 'USDC', undefined, null),
  ])
    expect(refused).toBe(false)
  const refused = readCollateral(
    'deposit',
    { token: 'USDC', amount: '1', permit: true },
    collateralFacts(collateral({ permitOffered: null }), 'USDC', 'deposit'),
  )
  expect(refused.errors).toMatchObject([{ field: 'permit', issue: ['permitNotOffered'] }])
})

test('the collateral form uses transactions by default for a deposit from a contract wallet, not a signed permit [FLOW-04]', () => {
  const contract = collateral({ contractWallet: true })
  expect(byPermit('deposit', 'USDC', contract, null)).toBe(false)
  expect(byPermit('deposit', 'USDC', contract, true)).toBe(true)
})

test('the collateral form limits a deposit to the wallet’s balance, and a withdrawal to the amount that can be withdrawn [ORD-04]', () => {
  const state = { token: 'USDC', amount: '1,000.6', permit: false } as const
  const read = (direction: 'deposit' | 'withdraw') => readCollateral(direction, state, collateralFacts(collateral(), 'USDC', direction))
  expect(read('deposit').errors).toMatchObject([{ field: 'amount', issue: ['walletHolds', '1,000.50', 'USDC'] }])
  expect(read('withdraw').ticket).toEqual({ action: 'withdraw_collateral', token: 'USDC', amount: '1000.6' })
})

test('the collateral form shows the balances after a transfer only if the current balances are known and the result is not negative [ERR-02]', () => {
  expect(figures(usdc, 'deposit', '500')).toEqual([
    ['1000.5', '500.5'],
    ['9500', '10000'],
    ['2500', null],
    ['7000', '7500'],
  ])
  expect(figures(usdc, 'withdraw', '8000')[3]).toEqual(['7000', null])
  expect(figures({ ...usdc, walletBalance: null }, 'deposit', '500')[0]).toEqual([null, null])
  expect(figures(undefined, 'deposit', '')).toEqual([
    [null, null],
    [null, null],
    [null, null],
    [null, null],
  ])
})

test('until the RPC answers, the collateral form assumes 6 decimals for USDC and sets no limit for a deposit', () => {
  expect(collateralFacts(undefined, 'USDC', 'deposit')).toEqual({ available: null, decimals: 6, permitOffered: false })
})

test('the collateral form shows nothing about ETH until the wallet’s ETH balance is loaded', () => {
  expect(walletEthText(undefined)).toBe('')
  expect(walletEthText(null)).toBe('Your ETH balance is unavailable.')
  expect(walletEthText('0')).toBe('Your wallet has no ETH.')
  expect(walletEthText('0.05')).toBe('Your wallet has 0.050000 ETH.')
})
