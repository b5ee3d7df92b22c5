import { expect, test } from 'vitest'
import type { BotPolicy } from '../../../../shared/ipc/keys/gateway.ts'
import { noPolicy, policyParts } from '../../../../shared/limits-draft.ts'
import { pausedWords } from '../../../parts/pause-bots.ts'
import { firstScopes, isForBots, partWords, refusedWords, tokenDays } from './bot-words.ts'

test('a bot’s row says how many calls were refused, and names the most frequent reason first', () => {
  expect(refusedWords([])).toEqual({ count: 0, most: null, all: '' })
  expect(
    refusedWords([
      { code: 'SCOPE', count: 1 },
      { code: 'BUSY', count: 2 },
      { code: 'WAITING', count: 2 },
      { code: 'LIMIT', count: 3 },
      { code: 'QUERY', count: 1 },
    ]),
  ).toEqual({ count: 9, most: 'too many calls', all: 'too many calls: 4\nover a limit: 3\nscope missing: 1\nnot a valid request: 1' })
})

test('after a pause, the app says how many bots it paused, and warns of orders that had already left', () => {
  expect(pausedWords({ bots: 0, underWay: [] })).toMatchObject({ tone: 'ok', title: 'No bot was running' })
  expect(pausedWords({ bots: 2, underWay: [{ botId: 'a', key: 'k', sinceMs: 1 }] })).toMatchObject({
    tone: 'warn',
    title: '2 bots paused',
    text: expect.stringContaining('One order had already left'),
  })
})

test('each part of a bot’s policy has words; what is not set says that there is no limit', () => {
  const policy: BotPolicy = {
    mode: 'live',
    limits: { orderValueUsdc: '1500', leverage: 5, dailyLossUsdc: '20.5', markets: [1, 9] },
    sides: ['short'],
    openNotionalUsdc: '4000',
    ordersPerMinute: 10,
    hours: { fromMinute: 480, toMinute: 1_050 },
    silence: { afterSeconds: 60, does: 'cancel' },
  }
  const symbols = (id: number) => (id === 1 ? 'ETH-PERP' : null)
  const words = (of: BotPolicy) => policyParts.map((part) => partWords(part, of, symbols))
  expect(words(policy)).toEqual([
    ...['Live', 'ETH-PERP, Market 9', 'Short only', '1,500 USDC', '5×', '4,000 USDC', '10 a minute', '20.5 USDC', '08:00–17:30'],
    'After 60 s: Cancel its orders',
  ])
  expect(words({ mode: 'observe', ...noPolicy })).toEqual(['Observe', 'All', 'Long and short', ...Array<string>(7).fill('No limit')])
})

test('a bot gets a key that works here, at first without the scope that moves money, and a token that ends when the user says', () => {
  expect([
    isForBots({ secret: 'keychain', status: 'active' }),
    isForBots({ secret: 'elsewhere', status: 'active' }),
    isForBots({ secret: 'memory', status: 'revoked' }),
  ]).toEqual([true, false, false])
  expect(firstScopes(['market:read', 'collateral:manage'])).toEqual(['market:read'])
  expect([tokenDays(''), tokenDays('30'), tokenDays('0'), tokenDays('2001'), tokenDays('a')]).toEqual([null, 30, undefined, undefined, undefined])
})
