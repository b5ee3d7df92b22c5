import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readCoverage } from './support/coverage.ts'
import { root } from './support/project.ts'

/** Playwright’s global teardown: writes a report about the API endpoints and app actions that the tests covered. */
export default function writeReport(): void {
  const { endpoints, actions } = readCoverage()
  mkdirSync(join(root, 'out'), { recursive: true })
  writeFileSync(join(root, 'out/coverage.txt'), `endpoints called: ${endpoints.length} of 66\nactions called: ${actions.length} of 28\n`)
  writeFileSync(join(root, 'out/coverage.json'), JSON.stringify({ endpoints, actions }, null, 2))
}
