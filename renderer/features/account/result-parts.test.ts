import { expect, test } from 'vitest'
import { resultScale } from './reports-tab.tsx'

const sums = (realised: string | null, funding: string | null, fees: string | null) => ({ realised, funding, fees, net: null, trades: 1, closed: 1, untold: 0 })

test('the bars of the account report show paid amounts left of zero and received amounts right of it, with one scale for all rows', () => {
  const loss = sums('-300', '50', '100')
  const gain = sums('500', '-20', '80')
  const { zero, partsOf } = resultScale([loss, gain])
  expect(zero).toBeCloseTo(444.444, 2)
  expect(partsOf(loss)).toEqual([
    { of: 'realised', isLoss: true, from: expect.closeTo(111.111, 2), width: expect.closeTo(333.333, 2) },
    { of: 'funding', isLoss: false, from: zero, width: expect.closeTo(55.556, 2) },
    { of: 'fees', isLoss: true, from: expect.closeTo(0, 2), width: expect.closeTo(111.111, 2) },
  ])
  expect(partsOf(gain)).toMatchObject([
    { of: 'realised', isLoss: false, from: zero, width: expect.closeTo(555.556, 2) },
    { of: 'funding', isLoss: true, from: expect.closeTo(422.222, 2) },
    { of: 'fees', isLoss: true, from: expect.closeTo(333.333, 2) },
  ])
})

test('the bars of the account report show refunded fees as a gain, and show nothing for a zero or missing amount', () => {
  const rebate = sums(null, '0', '-4')
  expect(resultScale([rebate])).toMatchObject({ zero: 0 })
  expect(resultScale([rebate]).partsOf(rebate)).toEqual([{ of: 'fees', isLoss: false, from: 0, width: 1_000 }])
  const nothing = sums(null, null, null)
  expect(resultScale([nothing]).partsOf(nothing)).toEqual([])
})
