import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../build/scripts/app-build.ts'
import { runTool } from '../../build/scripts/project.ts'
import type { Workbench } from '../../build/scripts/prove/proof.ts'
import { type JourneyResult, journeysOf } from './journey-proofs.ts'

export async function open(): Promise<Workbench> {
  await ensureBuilt('hooks')
  // Two workers run at once, so each has a folder of its own for results.
  const output = mkdtempSync(join(tmpdir(), 'svc-desk-journeys-'))
  return {
    run: async (item): Promise<JourneyResult> => {
      const options = ['--config', 'build/config/playwright.config.ts', '--reporter=line', '--workers=1', `--output=${output}`]
      const { journeys, env } = journeysOf(item)
      const { code, output: text } = await runTool('playwright', ['test', ...options, ...journeys], { quiet: true, env })
      return { problem: code === 0 ? null : text.slice(-6_000) }
    },
    close: async () => rmSync(output, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 }),
  }
}
