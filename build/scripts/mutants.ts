import { execFileSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { replaceCode } from './find-code.ts'
import { inRoot, root, run, tool } from './project.ts'

/**
 * One mutant: a bug to plant in the product. `find` must occur exactly once in `file`. With `replace` in its place, one of `tests` must fail. Journeys
 * (`.spec.ts`) run in an app that is built with the mutant. Formatting and position in the file do not matter. `$name` matches any name that a
 * function declares (see find-code.ts).
 */
export interface Mutant {
  readonly rule: string
  /** What the mutant makes the app do wrong, for the report: "sends the key as a bearer too". */
  readonly what: string
  readonly file: string
  /** The path of the enclosing declaration, such as `createGuard.check`. Needed when the same code occurs elsewhere in the file too. */
  readonly within?: string
  readonly find: string
  readonly replace: string
  readonly tests: readonly string[]
}

/** The result of a mutant. caught: a test failed. missed: no test failed. stale: the code to replace is missing or occurs more than once. */
export type Outcome = 'caught' | 'missed' | 'stale'

/**
 * Returns the source with the mutant planted. Returns null if the code to replace does not occur exactly once. Also returns null if the result is
 * invalid code: every test would then fail, which proves nothing.
 */
export function planted(source: string, mutant: Pick<Mutant, 'file' | 'within' | 'find' | 'replace'>): string | null {
  if (/\.[jt]sx?$/.test(mutant.file)) return replaceCode(source, mutant, mutant.file.endsWith('x'))
  const parts = source.split(mutant.find)
  return parts.length === 2 ? parts.join(mutant.replace) : null
}

/** A copy of the project in which mutants are planted, so that the working tree never changes. */
export interface Copy {
  /** Plants a mutant in the copy, runs the mutant’s tests, and restores the file. */
  tryOut(mutant: Mutant): Promise<Outcome>
  /** Returns whether all of `tests` pass in the copy without a mutant. */
  areGreen(tests: readonly string[]): Promise<boolean>
  remove(): void
}

/** Copies the project. The copy uses the working tree’s `node_modules`. */
export function copyProject(): Copy {
  const copy = mkdtempSync(join(tmpdir(), 'svc-desk-mutants-'))
  const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).split('\n').filter(Boolean)
  for (const file of files) {
    if (!existsSync(inRoot(file))) continue
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    copyFileSync(inRoot(file), join(copy, file))
  }
  symlinkSync(inRoot('node_modules'), join(copy, 'node_modules'))

  // The copy also uses the working tree’s `.toolchain`, because a journey needs the downloaded files in it to start the app.
  if (existsSync(inRoot('.toolchain'))) symlinkSync(inRoot('.toolchain'), join(copy, '.toolchain'))

  const unitsAreGreen = async (tests: readonly string[], naming: readonly string[]) => {
    const config = join(copy, 'build/config/vitest.config.ts')
    return (await run(process.execPath, [tool('vitest'), 'run', '--config', config, '--bail=1', ...naming, ...tests], { quiet: true })).code === 0
  }
  const journeysAreGreen = async (tests: readonly string[]) => {
    const task = join(copy, 'build/scripts/tasks/e2e.ts')
    return (await run(process.execPath, ['--disable-warning=ExperimentalWarning', task, '--max-failures=1', ...tests], { quiet: true })).code === 0
  }
  const isJourney = (file: string) => file.endsWith('.spec.ts')
  const areGreen = async (tests: readonly string[], naming: readonly string[] = []) => {
    const [journeys, units] = [tests.filter(isJourney), tests.filter((file) => !isJourney(file))]
    return (units.length === 0 || (await unitsAreGreen(units, naming))) && (journeys.length === 0 || (await journeysAreGreen(journeys)))
  }
  return {
    areGreen,
    tryOut: async (mutant) => {
      const file = join(copy, mutant.file)
      const source = readFileSync(file, 'utf8')
      const broken = planted(source, mutant)
      if (broken === null) return 'stale'
      writeFileSync(file, broken)
      try {
        // First run only the tests whose title names the mutant’s rule, because they are few and should fail. If they pass, run all of the mutant’s
        // tests.
        const units = mutant.tests.filter((file) => !isJourney(file))
        const isCaught = (units.length > 0 && !(await areGreen(units, ['-t', mutant.rule]))) || !(await areGreen(mutant.tests))
        return isCaught ? 'caught' : 'missed'
      } finally {
        writeFileSync(file, source)
      }
    },
    remove: () => rmSync(copy, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 }),
  }
}
