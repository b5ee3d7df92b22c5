import { writeFileSync } from 'node:fs'
import type { Reporter } from 'vitest/node'

/**
 * Writes the errors that belong to no test, such as an unhandled rejection after the end of a test, to the file that SVC_DESK_UNHANDLED names, as
 * a JSON array of strings. vitest fails a run because of them, but its JSON report does not contain them.
 */
export default class UnhandledErrors implements Reporter {
  onTestRunEnd(_modules: unknown, errors: readonly { readonly name?: string; readonly message: string; readonly stack?: string }[]): void {
    const file = process.env.SVC_DESK_UNHANDLED
    if (file !== undefined) writeFileSync(file, JSON.stringify(errors.map(({ name = 'Error', message, stack = '' }) => stack || `${name}: ${message}`)))
  }
}
