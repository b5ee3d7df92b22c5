import { join } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = join(import.meta.dirname, '../..')

// Each file has a process of its own, and many start more: what Node compiled for one is not compiled again for the next.
process.env.NODE_COMPILE_CACHE ??= join(root, 'out/compile-cache')

export default defineConfig({
  root,
  test: {
    include: ['{shared,electron,renderer,build,e2e}/**/*.test.{ts,tsx}'],
    testTimeout: 20_000,
    hookTimeout: 30_000,
    // Two cores: more workers would only make the chain's and the keyring's waits longer.
    maxWorkers: 2,
  },
})
