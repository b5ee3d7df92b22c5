import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { partNames, resultsFile, runBench } from '../../../e2e/bench/bench.ts'
import { changeLines } from '../../../e2e/bench/record/changes.ts'
import { recordedFile } from '../../../e2e/bench/record/readme-table.ts'
import { mergeRows, readRows, writeRows } from '../../../e2e/bench/record/recorded.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { writeDocTables } from '../doc-tables.ts'

const text = { type: 'string' } as const
const { values } = parseArgs({
  options: { short: { type: 'boolean', default: false }, only: text, seed: text, compare: text, with: text, readme: { type: 'boolean', default: false } },
})

const showChanges = (before: ReturnType<typeof readRows>, file: string): void => {
  for (const line of changeLines(before, readRows(file))) console.log(line)
}

// Neither of these two measures anything.
if (values.readme) {
  writeRows(recordedFile, mergeRows(existsSync(recordedFile) ? readRows(recordedFile) : [], readRows(resultsFile), partNames))
  writeDocTables()
  process.exit()
}
if (values.compare !== undefined && values.with !== undefined) {
  showChanges(readRows(values.compare), values.with)
  process.exit()
}

const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)
// Before the run, because the run may replace this file.
const before = values.compare === undefined ? null : readRows(values.compare)
await ensureBuilt('hooks')
const code = await runBench({
  rounds: values.short ? 1 : 7,
  ...(values.only === undefined ? {} : { only: values.only }),
  ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
})
if (before !== null) showChanges(before, resultsFile)
process.exit(code)
