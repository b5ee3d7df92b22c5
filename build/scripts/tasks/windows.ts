import { execFileSync } from 'node:child_process'
import { inRoot, root } from '../project.ts'
import { line, nothing } from '../tally.ts'
import { createWindowsChoice } from '../windows/windows-files.ts'
import { startWindowsNode, type TestResult } from '../windows/windows-node.ts'

/** Arguments that a test file’s path must contain one of. Without arguments, all files run. */
const wanted = process.argv.slice(2)
const atOnce = 3
/** How many files one process runs. Its start takes longer than most files. */
const together = 12

const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '*.test.ts', '*.test.tsx'], { cwd: root, encoding: 'utf8' })
const files = listed.split('\n').filter((file) => file !== '' && (wanted.length === 0 || wanted.some((part) => file.includes(part))))
const total = nothing()
const reasonNot = createWindowsChoice(inRoot('.'))
const leftOut = new Map<string, number>()
const queue: string[] = []
for (const file of files) {
  const why = reasonNot(file)
  if (why === null) queue.push(file)
  else {
    leftOut.set(why, (leftOut.get(why) ?? 0) + 1)
    total.skipped += 1
  }
}

const node = await startWindowsNode()
process.stdout.write(`${node.name}: ${queue.length} of ${files.length} test files\n`)
const show = (file: string, results: readonly TestResult[]): void => {
  const failed = results.filter(({ state }) => state === 'failed')
  const count = (state: TestResult['state']) => results.filter((result) => result.state === state).length
  total.passed += count('passed')
  total.failed += failed.length
  total.skipped += count('skipped')
  process.stdout.write(`${failed.length === 0 ? 'ok    ' : 'FAILED'} ${file}: ${count('passed')} passed, ${count('skipped')} skipped\n`)
  for (const { name, error } of failed) process.stdout.write(`       ${name}\n${(error ?? '').split('\n').slice(0, 8).join('\n')}\n`)
}
try {
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (queue.length > 0) await node.run(queue.splice(0, together), show)
    }),
  )
} finally {
  await node.stop()
}
for (const [why, count] of leftOut) process.stdout.write(`skipped: ${count} ${count === 1 ? 'file' : 'files'}: ${why}\n`)
process.stdout.write(`${line(total)}\n`)
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)
