import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inRoot, root, run, tool } from './project.ts'

/** One planted break in the product: `find` stands exactly once in `file`; with `replace` in its place one of `tests` must turn red. */
export interface Mutant {
  readonly rule: string
  /** What is broken, for the report: "sends the key as a bearer too". */
  readonly what: string
  readonly file: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}

export interface Verdict {
  readonly mutant: Mutant
  /** missed: the tests stayed green. stale: the text to replace is not there, or not once. */
  readonly outcome: 'caught' | 'missed' | 'stale'
  readonly seconds: number
}

/** The source with the break planted, or null where its text does not stand there exactly once. */
export function planted(source: string, { find, replace }: Pick<Mutant, 'find' | 'replace'>): string | null {
  const parts = source.split(find)
  return parts.length === 2 ? parts.join(replace) : null
}

/** A copy of the project, so that a break can never be left in the working tree. Packages are shared with it. */
function copyOfProject(): string {
  const copy = mkdtempSync(join(tmpdir(), 'svc-desk-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  for (const file of files) {
    if (!existsSync(inRoot(file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(inRoot(file), join(copy, file))
  }
  symlinkSync(inRoot('node_modules'), join(copy, 'node_modules'))
  return copy
}

const runTests = async (copy: string, tests: readonly string[], naming: readonly string[] = []) =>
  (
    await run(process.execPath, [tool('vitest'), 'run', '--config', join(copy, 'build/config/vitest.config.ts'), '--bail=1', ...naming, ...tests], {
      quiet: true,
    })
  ).code

/** The tests that name the rule come first: they are few, and are the ones that should notice. */
async function tryOut(copy: string, mutant: Mutant): Promise<Verdict['outcome']> {
  const file = join(copy, mutant.file)
  const source = readFileSync(file, 'utf8')
  const broken = planted(source, mutant)
  if (broken === null) return 'stale'
  writeFileSync(file, broken)
  try {
    const named = await runTests(copy, mutant.tests, ['-t', mutant.rule])
    return named === 0 && (await runTests(copy, mutant.tests)) === 0 ? 'missed' : 'caught'
  } finally {
    writeFileSync(file, source)
  }
}

/** Plants each break in a copy of the project, runs its tests, takes it back; two at once. Throws where the tests are red without any break. */
export async function hunt(mutants: readonly Mutant[], report: (verdict: Verdict) => void): Promise<void> {
  const copies = [copyOfProject(), copyOfProject()]
  const waiting = [...mutants]
  const work = async (copy: string) => {
    for (let mutant = waiting.shift(); mutant !== undefined; mutant = waiting.shift()) {
      const started = performance.now()
      const outcome = await tryOut(copy, mutant)
      report({ mutant, outcome, seconds: (performance.now() - started) / 1_000 })
    }
  }
  try {
    const all = [...new Set(mutants.flatMap(({ tests }) => tests))]
    if ((await runTests(copies[0] ?? root, all)) !== 0) throw new Error('the tests are red without any break; nothing can be said')
    await Promise.all(copies.map(work))
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  }
}
