import { rmSync } from 'node:fs'
import { coverageFile } from './support/coverage.ts'

/** Playwright’s global setup: deletes the coverage records of an earlier run. */
export default function forget(): void {
  rmSync(coverageFile, { force: true })
}
