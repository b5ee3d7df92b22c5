import type { Mutant } from '../../scripts/mutants.ts'

/** Planted breaks of how answers of any shape are read. */
export const readerMutants: readonly Mutant[] = [
  {
    rule: 'ACC-01',
    what: 'a size that says no unit is taken for a value in USDC',
    file: 'shared/api/reader/match.ts',
    find: 'if (isToldApart === true && said.denomination === null) continue',
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
]
