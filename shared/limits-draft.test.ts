import { expect, test } from 'vitest'
import type { BotPolicy } from './ipc/keys/gateway.ts'
import {
  draftOf,
  issuesOf,
  limitCount,
  limitsOf,
  loosened,
  minuteOfTime,
  noLimits,
  noPolicy,
  policyDraftOf,
  policyIssuesOf,
  policyOf,
  widened,
} from './limits-draft.ts'

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

const tight: BotPolicy = {
  mode: 'dry_run',
  limits: { orderValueUsdc: '500', leverage: 5, dailyLossUsdc: '100', markets: [1, 2] },
  sides: ['long'],
  openNotionalUsdc: '2000',
  ordersPerMinute: 10,
  hours: { fromMinute: 8 * 60, toMinute: 17 * 60 + 30 },
  silence: { afterSeconds: 60, does: 'cancel_and_close' },
}

test('a bot’s policy comes back from the form as it went in, with and without limits', () => {
  expect(policyOf(policyDraftOf(tight))).toEqual(tight)
  const free: BotPolicy = { mode: 'live', ...noPolicy }
  expect(policyOf(policyDraftOf(free))).toEqual(free)
  expect([limitCount(free), limitCount(tight)]).toEqual([0, 9])
  expect(policyDraftOf({ ...free, sides: ['long', 'short'] }).sides).toBe('both')
  expect(policyDraftOf(tight)).toMatchObject({ sides: 'long', from: '08:00', to: '17:30', silenceSeconds: '60', orderValue: '500' })
})

test('the form of a bot’s policy names each field that it cannot read, and then has no policy', () => {
  const draft = policyDraftOf(tight)
  for (const wrong of [
    { ordersPerMinute: '0' },
    { ordersPerMinute: '6001' },
    { from: '8' },
    { to: '' },
    { from: '17:30' },
    { silenceSeconds: '9' },
    { openNotional: 'much' },
  ] as const) {
    const typed = { ...draft, ...wrong }
    const [field = ''] = Object.keys(wrong)
    const issues = policyIssuesOf(typed)
    const named = Object.entries(issues).flatMap(([name, issue]) => (issue === null ? [] : [name]))
    expect(named).toEqual([field === 'from' || field === 'to' ? 'hours' : field === 'silenceSeconds' ? 'silence' : field])
    expect(policyOf(typed)).toBeNull()
  }
  expect([minuteOfTime('24:00'), minuteOfTime('23:59'), minuteOfTime('08:60'), minuteOfTime('8:05')]).toEqual([null, 1_439, null, 485])
})

test('a change of a bot’s policy widens it only if the bot may do more afterwards', () => {
  const wider = (change: Partial<BotPolicy>) => widened(tight, { ...tight, ...change })
  expect(wider({})).toEqual([])
  expect(wider({ mode: 'live' })).toEqual(['mode'])
  expect(wider({ mode: 'observe' })).toEqual([])
  expect(wider({ sides: ['short'] })).toEqual(['sides'])
  expect(wider({ sides: null })).toEqual(['sides'])
  expect(wider({ openNotionalUsdc: '2000.01' })).toEqual(['openNotionalUsdc'])
  expect(wider({ openNotionalUsdc: '900' })).toEqual([])
  expect(wider({ ordersPerMinute: null })).toEqual(['ordersPerMinute'])
  expect(wider({ hours: { fromMinute: 9 * 60, toMinute: 17 * 60 } })).toEqual([])
  expect(wider({ hours: { fromMinute: 17 * 60, toMinute: 8 * 60 } })).toEqual(['hours'])
  expect(wider({ silence: { afterSeconds: 61, does: 'cancel_and_close' } })).toEqual(['silence'])
  expect(wider({ silence: { afterSeconds: 30, does: 'cancel' } })).toEqual(['silence'])
  expect(wider({ silence: { afterSeconds: 30, does: 'cancel_and_close' } })).toEqual([])
  expect(wider({ limits: { ...tight.limits, markets: [1], leverage: 6 } })).toEqual(['leverage'])
  expect(widened(tight, { mode: 'live', ...noPolicy })).toHaveLength(10)
  expect(widened({ mode: 'live', ...noPolicy }, tight)).toEqual([])
})
