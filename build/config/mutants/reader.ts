import type { Mutant } from '../../scripts/mutants.ts'

/** Planted breaks of how answers of any shape are read. */
export const readerMutants: readonly Mutant[] = [
  {
    rule: 'ACC-01',
    what: 'a size that says no unit is taken for a value in USDC',
    file: 'shared/api/reader/match.ts',
    find: 'if (isToldApart === true && own.denomination === null) continue',
    replace: '',
    tests: ['shared/api/reader/told-apart.test.ts'],
  },
  {
    rule: 'ACC-01',
    what: 'the decimals of an amount are taken for those of a share beside it',
    file: 'shared/api/reader/plan.ts',
    find: 'if (sameName && keyOf(about) !== whole && visited.has(',
    replace: 'if (sameName && keyOf(about) === whole && visited.has(',
    tests: ['shared/api/reader/told-apart.test.ts'],
  },
  {
    rule: 'MKT-01',
    what: 'a list under a name that nobody knows is lost',
    file: 'shared/api/reader/envelope.ts',
    find: 'const only = next ?? onlyContent(source, held, known)',
    replace: 'const only = next',
    tests: ['shared/api/reader/told-apart.test.ts'],
  },
  {
    rule: 'ACC-01',
    what: 'a field without a known name is read where several places hold its words',
    file: 'shared/api/reader/by-value.ts',
    find: 'only === undefined || more.length > 0 || claims',
    replace: 'only === undefined || claims',
    tests: ['shared/api/reader/by-value.test.ts'],
  },
  {
    rule: 'ACC-01',
    what: 'a time is told by being left over where another is missing too',
    file: 'shared/api/reader/by-value.ts',
    find: 'more.length > 0 || times.length !== of.times.length',
    replace: 'more.length > 0',
    tests: ['shared/api/reader/foreign.test.ts'],
  },
  {
    rule: 'ACC-01',
    what: 'a size in USDC is turned at the price that an order is limited to',
    file: 'shared/api/schemas/account.ts',
    find: 'limitPrice === null || at === null || compare(at, limitPrice) === 0 ? at : null',
    replace: 'at',
    tests: ['shared/api/reader/foreign.test.ts'],
  },
]
