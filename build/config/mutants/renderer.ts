import type { Mutant } from '../../scripts/mutants.ts'

/** Planted breaks of the windows. */
export const rendererMutants: readonly Mutant[] = [
  {
    rule: 'KEY-02',
    what: 'a key may live longer than the service allows',
    file: 'renderer/features/keys/new-key-form.ts',
    find: 'Number(state.days) <= dayRange.max',
    replace: 'Number(state.days) <= dayRange.max + 1_000',
    tests: ['renderer/features/keys/new-key-form.test.ts'],
  },
  {
    rule: 'KEY-03',
    what: 'a wrong address does not hold the key back',
    file: 'renderer/features/keys/new-key-form.ts',
    find: 'scopes === null && wrongEntries === 0',
    replace: 'scopes === null',
    tests: ['renderer/features/keys/new-key-form.test.ts'],
  },
  {
    rule: 'KEY-01',
    what: 'the chosen scopes are left out of the request',
    file: 'renderer/features/keys/new-key-form.ts',
    find: 'scopes: inOrder(state.scopes) }',
    replace: 'scopes: inOrder([]) }',
    tests: ['renderer/features/keys/new-key-form.test.ts'],
  },
  {
    rule: 'KEY-04',
    what: 'a limit that is no number is sent',
    file: 'renderer/features/keys/quota.ts',
    find: "return 'Give a number, for example 20.'",
    replace: 'return null',
    tests: ['renderer/features/keys/new-key-form.test.ts'],
  },
  {
    rule: 'HOOK-02',
    what: 'every event is asked for by name, and "*" beside them',
    file: 'renderer/features/webhooks/new-webhook-form.ts',
    find: 'every ? [everyEvent] : [...events]',
    replace: 'every ? [everyEvent, ...events] : [...events]',
    tests: ['renderer/features/webhooks/new-webhook-form.test.ts'],
  },
  {
    rule: 'MKT-03',
    what: 'a candle at the border of two pages is there twice',
    file: 'renderer/market-data/candle-pages.ts',
    find: 'answer.candles.filter(({ timeMs }) => timeMs < beforeMs).slice(-limit)',
    replace: 'answer.candles.filter(({ timeMs }) => timeMs <= beforeMs).slice(-limit)',
    tests: ['renderer/market-data/candle-pages.test.ts'],
  },
  {
    rule: 'MKT-03',
    what: 'a sequence of pages goes on beyond 50,000 candles',
    file: 'renderer/market-data/candle-pages.ts',
    find: 'paged >= limits.candleHistory',
    replace: 'paged > limits.candleHistory',
    tests: ['renderer/market-data/candle-pages.test.ts'],
  },
  {
    rule: 'MKT-01',
    what: 'a group of asks promises a better price than it has',
    file: 'renderer/ui/book/book-rows.ts',
    find: 'price - rest + step',
    replace: 'price - rest',
    tests: ['renderer/ui/book/live-book.test.ts'],
  },
]
