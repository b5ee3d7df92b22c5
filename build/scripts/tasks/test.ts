import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dialectProof } from '../../../e2e/proof/dialect-proof.ts'
import { ensureBuilt } from '../app-build.ts'
import { runChecks } from '../checks.ts'
import { inPrivateDesktop } from '../desktop.ts'
import type { ErrorReport } from '../error-report.ts'
import { type LeftOver, leftOverOfPlaywright, leftOverOfVitest, leftOverOutside } from '../left-over.ts'
import { leftRunning, markRun } from '../left-running.ts'
import { inRoot, runTool } from '../project.ts'
import { codeTree } from '../prove/progress.ts'
import { prove } from '../prove/prove.ts'
import { add, line, nothing, type Tally } from '../tally.ts'

const inside = await inPrivateDesktop({ inMemory: true })
if (inside !== null) process.exit(inside)

const total = nothing()
const mark = markRun()
/** The failed and skipped tests of all parts, which this run prints again at its end. */
const leftOver: string[] = []
const note = ({ failed, skipped }: LeftOver): void => {
  leftOver.push(...skipped.map((one) => `skipped: ${one}`), ...failed.map((one) => `FAILED: ${one}`))
}

async function part(name: string, run: () => Promise<Tally>): Promise<void> {
  process.stdout.write(`\n== ${name}\n`)
  const started = performance.now()
  const tally = await run().catch((error: unknown) => {
    process.stdout.write(`${String(error)}\n`)
    return { passed: 0, failed: 1, skipped: 0 }
  })
  if (tally.failed > 0) leftOver.push(`FAILED: ${tally.failed} of ${name}`)
  add(total, tally)
  process.stdout.write(`-- ${name}: ${line(tally)} (${((performance.now() - started) / 1_000).toFixed(1)} s)\n`)
}

async function allChecks(): Promise<Tally> {
  const tally = nothing()
  for await (const { name, problem } of runChecks()) {
    process.stdout.write(`${problem === null ? 'ok    ' : 'FAILED'} ${name}\n${problem === null ? '' : `${problem}\n`}`)
    if (problem === null) tally.passed += 1
    else {
      tally.failed += 1
      note({ failed: [`${name}: ${problem.slice(0, 1_000)}`], skipped: [] })
    }
  }
  return tally
}

/** Reads the test counts from the test runner’s report. If the runner crashed without a report, counts one failed test. */
function counted(report: string, code: number, read: (report: unknown) => Tally): Tally {
  if (!existsSync(report)) return { passed: 0, failed: 1, skipped: 0 }
  const tally = read(JSON.parse(readFileSync(report, 'utf8')))
  if (code !== 0 && tally.failed === 0) tally.failed = 1
  return tally
}

async function unit(): Promise<Tally> {
  const report = inRoot('out/unit-report.json')
  const errors = inRoot('out/unit-errors.json')
  for (const file of [report, errors]) rmSync(file, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--reporter=${inRoot('build/scripts/error-report.ts')}`, `--outputFile.json=${report}`]
  const ran = await runTool('vitest', ['run', '--config', 'build/config/vitest.config.ts', ...reporters], {
    env: { ...process.env, SVC_DESK_ERRORS: errors },
  })
  const found = existsSync(errors) ? (JSON.parse(readFileSync(errors, 'utf8')) as ErrorReport) : { outside: [], differences: {} } // safe cast: error-report.ts writes this shape
  note({ failed: leftOverOutside(found), skipped: [] })
  return counted(report, ran.code, (value) => {
    note(leftOverOfVitest(value, found.differences))
    const counts = value as { numPassedTests: number; numFailedTests: number; numPendingTests: number; numTodoTests: number } // safe cast: vitest’s JSON report has this shape
    return { passed: counts.numPassedTests, failed: counts.numFailedTests, skipped: counts.numPendingTests + counts.numTodoTests }
  })
}

async function endToEnd(): Promise<Tally> {
  await ensureBuilt('product')
  await ensureBuilt('hooks')
  const report = inRoot('out/e2e-report.json')
  rmSync(report, { force: true })
  const ran = await runTool('playwright', ['test', '--config', 'build/config/playwright.config.ts'])
  return counted(report, ran.code, (value) => {
    const { stats } = value as { stats: { expected: number; unexpected: number; flaky: number; skipped: number } } // safe cast: Playwright’s JSON report has this shape
    note(leftOverOfPlaywright(value))
    return { passed: stats.expected, failed: stats.unexpected + stats.flaky, skipped: stats.skipped }
  })
}

/**
 * Seeds that every test run tries in the dialects proof, which runs the app against exchanges with different API dialects. `npm run prove --
 * dialects` tries a thousand.
 */
const sample = '1-40'

async function otherDialects(): Promise<Tally> {
  let [failed, lines] = [0, 0]
  const proof: typeof dialectProof = {
    ...dialectProof,
    line: (seed, result) => {
      const bad = dialectProof.line(seed, result)
      lines += 1
      if (bad !== null) {
        failed += 1
        note({ failed: [`seed ${seed}: ${bad}`], skipped: [] })
      }
      return bad
    },
  }
  const file = inRoot('out/prove/dialects-sample.json')
  rmSync(file, { force: true })
  const print = (text: string) => {
    process.stdout.write(`${text}\n`)
    if (/^\d+ failed: /.test(text)) note({ failed: [`seed ${text}`], skipped: [] })
  }
  const proven = await prove(proof, { chosen: [sample], file, tree: codeTree(), signal: new AbortController().signal, print })
  const missing = proof.items([sample]).length - lines
  // If the proof failed although every seed passed, counts one failed test.
  return { passed: lines - failed, failed: failed + missing + (!proven && failed + missing === 0 ? 1 : 0), skipped: 0 }
}

async function nothingLeft(): Promise<Tally> {
  const left = leftRunning(mark)
  note({ failed: left.map((process_) => `still running: ${process_}`), skipped: [] })
  return { passed: left.length === 0 ? 1 : 0, failed: left.length === 0 ? 0 : 1, skipped: 0 }
}

await part('types, lint, structure', allChecks)
await part('unit and integration', unit)
await part('exchanges of other dialects', otherDialects)
await part('end to end', endToEnd)
await part('nothing left running', nothingLeft)

process.stdout.write(`\n${leftOver.map((one) => `${one}\n`).join('')}`)
const coverage = inRoot('out/coverage.txt')
process.stdout.write(existsSync(coverage) ? `\n${readFileSync(coverage, 'utf8')}` : '\nendpoints called: 0 of 66\nactions called: 0 of 28\n')
process.stdout.write(`${line(total)}\n`)
process.exit(total.failed === 0 ? 0 : 1)
