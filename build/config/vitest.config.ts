import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { helpPages } from '../scripts/help/help-pages.ts'

/** The slowest test file. It runs first. If it ran last, one worker would still be busy with it after all other workers have finished. */
const longest = 'electron/intents/engine/order-faults.test.ts'

/**
 * Test files that run in a process of their own: those that replace a module, and those that use WalletConnect’s provider, which rejects a promise
 * without a handler when an unanswered request expires, minutes after the test. The other test files reuse the modules that their process has
 * already loaded.
 */
const isolated = [
  'electron/store/journal/tables/power-loss.test.ts',
  'electron/kernel/parsing/parsing.test.ts',
  'electron/keys/delivery/env-file-save.test.ts',
  'electron/service/transport/retry.test.ts',
  'electron/practice/hooks/serve-hooks.test.ts',
  'electron/practice/practice.test.ts',
  'electron/practice/wallet/phone-server.test.ts',
  'electron/practice/wallet/phone.test.ts',
]

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    return sorted.toSorted((one, other) => Number(other.moduleId.endsWith(longest)) - Number(one.moduleId.endsWith(longest)))
  }
}

const root = join(import.meta.dirname, '../..')

// Many tests start `svc-desk`, gateways and proofs from source, each in its own Node process. They share this cache of compiled code.
process.env.NODE_COMPILE_CACHE ??= join(root, 'out/compile-cache')

export default defineConfig({
  root,
  plugins: [helpPages],
  test: {
    projects: [
      { extends: true, test: { name: 'tests', include: ['{shared,electron,renderer,build,e2e}/**/*.test.{ts,tsx}'], exclude: isolated, isolate: false } },
      { extends: true, test: { name: 'isolated', include: isolated } },
    ],
    // Some tests take 17 s on two quiet cores, and a busy computer takes several times as long. Tests that prove a time measure it themselves.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    sequence: { sequencer: LongestFirst },
    // Three for each of the two cores of the smallest machine, because tests spend much time waiting for blocks, sockets and the keyring.
    maxWorkers: 6,
  },
})
