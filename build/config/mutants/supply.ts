import type { Mutant } from '../../scripts/mutants.ts'

/** Mutants (bugs that the tests must catch) in the checks of the packages that ship with the product. */
export const supplyMutants: readonly Mutant[] = [
  {
    rule: 'AUTH-09',
    what: 'any package may bring an install script',
    file: 'build/scripts/supply/lock-problems.ts',
    find: 'if ($entry.hasInstallScript === true && ',
    replace: 'if (false && ',
    tests: ['build/scripts/supply/lock-problems.test.ts'],
  },
  {
    rule: 'AUTH-09',
    what: 'any package may come without a checksum',
    file: 'build/scripts/supply/lock-problems.ts',
    find: 'if (!$elsewhere) $problems',
    replace: 'if (false) $problems',
    tests: ['build/scripts/supply/lock-problems.test.ts'],
  },
  {
    rule: 'AUTH-09',
    what: 'a checksum may be weak',
    file: 'build/scripts/supply/lock-problems.ts',
    find: '!/^sha512-[A-Za-z0-9+/]{86}==$/.test($entry.integrity)',
    replace: "$entry.integrity === ''",
    tests: ['build/scripts/supply/lock-problems.test.ts'],
  },
  {
    rule: 'AUTH-09',
    what: 'one of two licences that go together is enough',
    file: 'build/scripts/supply/lock-problems.ts',
    find: "' AND ').every",
    replace: "' AND ').some",
    tests: ['build/scripts/supply/lock-problems.test.ts'],
  },
  {
    rule: 'AUTH-09',
    what: 'a dependency may come from anywhere',
    file: 'build/scripts/supply/lock-problems.ts',
    find: "typeof $spec !== 'string' || !/^([\\^~]?\\d+(\\.\\d+){0,2}(-[a-z]+\\.\\d+)?|file:\\.\\/build\\/stubs\\/[a-z-]+)$/",
    replace: "typeof $spec !== 'string' && !/^([\\^~]?\\d+(\\.\\d+){0,2}(-[a-z]+\\.\\d+)?|file:\\.\\/build\\/stubs\\/[a-z-]+)$/",
    tests: ['build/scripts/supply/lock-problems.test.ts'],
  },
  {
    rule: 'AUTH-09',
    what: 'anything is shipped under any licence',
    file: 'build/scripts/supply/write-notices.ts',
    find: 'if ($strange.length > 0) throw',
    replace: 'if ($strange.length > 99) throw',
    tests: ['build/scripts/supply/notices.test.ts'],
  },
]
