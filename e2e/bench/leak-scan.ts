import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { anchorPattern } from '../../electron/keys/leaks/candidates.ts'
import { noPlaces, scanPlaces } from '../../electron/keys/leaks/place-scan.ts'
import { createFingerprints } from '../../electron/keys/leaks/scan-job.ts'
import { root } from '../support/project.ts'
import { compare, type Measured } from './metric.ts'
import { interleave, type Rounds } from './rounds.ts'

/** Packages with many text files of usual sizes, about 50 MB. */
const packages = ['typescript', 'viem', 'zod', 'react-dom']

/** Whether ripgrep is installed here. The product does not need it. */
export const hasRipgrep = (): boolean => spawnSync('rg', ['--version']).status === 0

/**
 * Measures the search of `svc-desk scan` in a folder of text files, in ms. Compares it with ripgrep, which looks for the same beginnings of secrets,
 * also in ignored files. Target: at least 0.3 times ripgrep's rate.
 */
export async function measureLeakScan(rounds: Rounds, work: string): Promise<Measured[]> {
  const folder = join(work, 'texts')
  mkdirSync(folder, { recursive: true })
  for (const name of packages) cpSync(join(root, 'node_modules', name), join(folder, name), { recursive: true, dereference: true })
  const words = ['--no-ignore', '--hidden', '--no-messages', '--count', anchorPattern.source, folder]
  try {
    const cost = await interleave(
      {
        async ours() {
          const sum = noPlaces()
          const started = performance.now()
          await scanPlaces([folder], true, process.platform, { sum, fingerprints: createFingerprints() })
          if (sum.files < 1_000 || sum.unread.length > 0) throw new Error(`${sum.files} files searched, ${sum.unread.length} not`)
          return performance.now() - started
        },
        ripgrep() {
          const started = performance.now()
          const { status } = spawnSync('rg', words)
          if (status !== 0 && status !== 1) throw new Error(`ripgrep ended with ${status}`)
          return performance.now() - started
        },
      },
      rounds,
    )
    return [compare('Leak scan of text files, ms, against ripgrep', { ours: cost.ours, against: cost.ripgrep, target: 1 / 0.3 })]
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
