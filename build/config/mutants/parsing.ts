import type { Mutant } from '../../scripts/mutants.ts'

const process = ['electron/kernel/parsing/parsing.test.ts']

/** Mutants (bugs that the tests must catch) in the process that parses untrusted files and texts. */
export const parsingMutants: readonly Mutant[] = [
  {
    rule: 'V4',
    what: 'a parser may take any time',
    file: 'electron/kernel/parsing/parsing.ts',
    find: "$timer = setTimeout(() => $give('too_slow'), $quietMs)",
    replace: '',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'a parser may take any memory outside its heap',
    file: 'electron/host/processes/parsing-worker.ts',
    find: '> growthMiB * mebibyte',
    replace: '> 64 * growthMiB * mebibyte',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'what a parser gives is believed in any shape',
    file: 'electron/kernel/parsing/parsing.ts',
    find: "return $read.success ? $end(ok($read.data)) : $give('broken')",
    replace: 'return $end(ok(message.gives as Gives))',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'the process of a job that is done stays',
    file: 'electron/kernel/parsing/parsing.ts',
    find: '$last?.kill()',
    replace: 'void $last',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'any number of parsers run at once',
    file: 'electron/kernel/deadline.ts',
    find: 'if ($running >= $most)',
    replace: 'if ($running < 0)',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'a parser that breaks off without an answer is waited for',
    file: 'electron/host/processes/parsing-worker.ts',
    find: 'if (!$answered) process.exit(1)',
    replace: 'void $answered',
    tests: process,
  },
  {
    rule: 'V4',
    what: 'a scan ends at the first store that takes its process down',
    file: 'electron/keys/leaks/run-scan.ts',
    find: "if (ended !== 'done' && ended !== 'gave_up') return ended",
    replace: "if (ended !== 'done') return 'done'",
    tests: ['electron/host/processes/parsing-process.test.ts'],
  },
  {
    rule: 'V4',
    what: 'text is indented however deep it nests',
    file: 'electron/webhooks/subscriptions/inspect-pasted.ts',
    find: 'if (!isShallow($text)) return null',
    replace: '',
    tests: ['electron/webhooks/subscriptions/rewritten-json.test.ts'],
  },
]
