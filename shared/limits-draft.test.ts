import { expect, test } from 'vitest'
import { draftOf, issuesOf, limitsOf, loosened, noLimits } from './limits-draft.ts'

const blank = draftOf(noLimits)

test('the app reads an empty risk limit field as no limit, and typed text as a number', () => {
  expect(limitsOf(blank)).toEqual(noLimits)
  expect(limitsOf({ orderValue: ' 2,500.50 ', leverage: '10', dailyLoss: '.5', markets: [3, 1] })).toEqual({
    orderValueUsdc: '2500.5',
    leverage: 10,
    dailyLossUsdc: '0.5',
    markets: [1, 3],
  })
})

test.each([
  [{ orderValue: 'much' }, 'orderValue'],
  [{ orderValue: '0' }, 'orderValue'],
  [{ dailyLoss: '-5' }, 'dailyLoss'],
  [{ leverage: '0' }, 'leverage'],
  [{ leverage: '2.5' }, 'leverage'],
  [{ markets: [] }, 'markets'],
] as const)('the form for risk limits shows the issue in the matching field for the input %o, and returns no limits', (change, field) => {
  const draft = { ...blank, ...change }
  expect(limitsOf(draft)).toBeNull()
  for (const [name, issue] of Object.entries(issuesOf(draft))) expect(issue === null).toBe(name !== field)
})

test('the app treats a risk limit as looser if it becomes higher, wider or removed, and not if it becomes lower, narrower or new', () => {
  const limits = { orderValueUsdc: '100', leverage: 5, dailyLossUsdc: '20', markets: [1, 2] }
  expect(loosened(noLimits, limits)).toEqual([])
  expect(loosened(limits, { orderValueUsdc: '99.9', leverage: 4, dailyLossUsdc: '20', markets: [2] })).toEqual([])
  expect(loosened(limits, noLimits)).toEqual(['orderValueUsdc', 'leverage', 'dailyLossUsdc', 'markets'])
  expect(loosened(limits, { ...limits, orderValueUsdc: '100.01', markets: [1, 4] })).toEqual(['orderValueUsdc', 'markets'])
})
