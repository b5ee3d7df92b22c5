import { writeFileSync } from 'node:fs'
import { stripVTControlCharacters } from 'node:util'
import type { Reporter, TestModule } from 'vitest/node'

/** What vitest's JSON report lacks. */
export interface ErrorReport {
  /** The errors that belong to no test, such as an unhandled rejection after the end of a test. vitest fails a run because of them. */
  readonly outside: readonly string[]
  /** The differences between expected and received values, by `file > title` of the failed test. */
  readonly differences: Readonly<Record<string, string>>
}

/** Writes an `ErrorReport` as JSON to the file that SVC_DESK_ERRORS names. */
export default class ErrorReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly { readonly name?: string; readonly message: string; readonly stack?: string }[]): void {
    const file = process.env.SVC_DESK_ERRORS
    if (file === undefined) return
    const failed = modules.flatMap(({ moduleId, children }) => [...children.allTests('failed')].map((test) => ({ moduleId, test })))
    const report: ErrorReport = {
      outside: errors.map(({ name = 'Error', message, stack = '' }) => stack || `${name}: ${message}`),
      differences: Object.fromEntries(
        failed.flatMap(({ moduleId, test }) => {
          const diff = test.result().errors?.find((error) => error.diff !== undefined)?.diff
          return diff === undefined ? [] : [[`${moduleId} > ${test.name}`, stripVTControlCharacters(diff)]]
        }),
      ),
    }
    writeFileSync(file, JSON.stringify(report))
  }
}
