import { checks } from '../checks.ts'
import { line, nothing } from '../tally.ts'

const tally = nothing()
for (const check of checks) {
  const started = performance.now()
  const problem = await check.run().catch((error: unknown) => String(error))
  const seconds = ((performance.now() - started) / 1_000).toFixed(1)
  process.stdout.write(`${problem === null ? 'ok    ' : 'FAILED'} ${check.name} (${seconds} s)\n${problem === null ? '' : `${problem}\n`}`)
  if (problem === null) tally.passed += 1
  else tally.failed += 1
}
process.stdout.write(`${line(tally)}\n`)
process.exit(tally.failed === 0 ? 0 : 1)
