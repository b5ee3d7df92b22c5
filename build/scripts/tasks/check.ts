import { runChecks } from '../checks.ts'
import { line, nothing } from '../tally.ts'

const tally = nothing()
for await (const { name, problem, ms } of runChecks()) {
  process.stdout.write(`${problem === null ? 'ok    ' : 'FAILED'} ${name} (${(ms / 1_000).toFixed(1)} s)\n${problem === null ? '' : `${problem}\n`}`)
  if (problem === null) tally.passed += 1
  else tally.failed += 1
}
process.stdout.write(`${line(tally)}\n`)
process.exit(tally.failed === 0 ? 0 : 1)
