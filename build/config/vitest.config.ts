import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

export default defineConfig({
  root: join(import.meta.dirname, '../..'),
  test: {
    include: ['{shared,electron,renderer,build,e2e}/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores: more workers would only make the chain's and the keyring's waits longer.
    maxWorkers: 2,
  },
})
