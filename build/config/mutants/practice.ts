import type { Mutant } from '../../scripts/mutants.ts'

/** Planted breaks of the practice exchange. */
export const practiceMutants: readonly Mutant[] = [
  {
    rule: 'ACC-02',
    what: 'practice: the last row of a page is the first of the next one too',
    file: 'electron/sandbox/exchange/http/paging.ts',
    find: 'row.sequence < cursor.value',
    replace: 'row.sequence <= cursor.value',
    tests: ['electron/sandbox/exchange/past/past.test.ts'],
  },
  {
    rule: 'MKT-03',
    what: 'practice: the highest part of a span stays below its high, so that an hour is more than its minutes',
    file: 'electron/sandbox/exchange/market/spans.ts',
    find: 'highs[highest] = h',
    replace: 'highs[highest] = Math.max(o, c)',
    tests: ['electron/sandbox/exchange/market/candles.test.ts'],
  },
  {
    rule: 'GEN-02',
    what: 'practice: the second host serves what is not versioned too',
    file: 'electron/sandbox/exchange/server.ts',
    find: "host === 'second' && !versioned ? []",
    replace: "host === 'second' && method === '' ? []",
    tests: ['electron/sandbox/exchange/http/ports.test.ts'],
  },
  {
    rule: 'ACC-04',
    what: 'practice: a stream is resumed although what came between is no longer kept',
    file: 'electron/sandbox/exchange/stream/feed.ts',
    find: 'Number(id) >= count - kept.length',
    replace: 'Number(id) >= 0',
    tests: ['electron/sandbox/exchange/stream/stream.test.ts'],
  },
  {
    rule: 'HOOK-06',
    what: 'practice: a delivery is signed without the prefix of its secret',
    file: 'electron/sandbox/exchange/webhooks/signature.ts',
    find: "createHmac('sha256', signingSecret)",
    replace: "createHmac('sha256', signingSecret.slice(10))",
    tests: ['electron/sandbox/exchange/webhooks/signature.test.ts', 'electron/sandbox/exchange/webhooks/deliveries.test.ts'],
  },
  {
    rule: 'HOOK-08',
    what: 'practice: the waits between attempts do not grow',
    file: 'electron/sandbox/exchange/webhooks/deliveries.ts',
    find: 'const waitsMs = [2 * second, 4 * second, 8 * second]',
    replace: 'const waitsMs = [2 * second, 2 * second, 2 * second]',
    tests: ['electron/sandbox/exchange/webhooks/deliveries.test.ts'],
  },
  {
    rule: 'HOOK-09',
    what: 'practice: a wallet’s own transaction counts as known without a report',
    file: 'electron/sandbox/exchange/webhooks/known-transactions.ts',
    find: 'if (owner === wallet && mode !== null)',
    replace: 'if (owner === wallet)',
    tests: ['electron/sandbox/exchange/webhooks/account-events.test.ts'],
  },
]
