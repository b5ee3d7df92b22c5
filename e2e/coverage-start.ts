import { rmSync } from 'node:fs'
import { coverageFile } from './support/coverage.ts'

/** Playwright's global setup: forgets what an earlier run called. */
export default function forget(): void {
  rmSync(coverageFile, { force: true })
}
