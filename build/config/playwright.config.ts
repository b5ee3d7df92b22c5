import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

const root = join(import.meta.dirname, '../..')

// Each end-to-end test starts several Node processes. They share this cache, so that Node compiles the same code only once.
process.env.NODE_COMPILE_CACHE ??= join(root, 'out/compile-cache')

export default defineConfig({
  testDir: join(root, 'e2e/journeys'),
  outputDir: join(root, 'out/e2e'),
  // On Linux each worker gets a private keychain. Elsewhere only the user’s keychain exists, and only one worker at a time may use it. Three
  // workers take about a tenth less time than two, because tests also wait.
  workers: process.platform === 'linux' ? 3 : 1,
  fullyParallel: false,
  timeout: 90_000,
  expect: { timeout: 15_000 },
  forbidOnly: true,
  retries: 0,
  globalSetup: join(root, 'e2e/coverage-start.ts'),
  globalTeardown: join(root, 'e2e/coverage-report.ts'),
  reporter: [['line'], ['json', { outputFile: join(root, 'out/e2e-report.json') }]],
})
