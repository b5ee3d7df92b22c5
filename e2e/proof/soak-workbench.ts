import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureBuilt } from '../../build/scripts/app-build.ts'
import type { Workbench } from '../../build/scripts/prove/proof.ts'
import { openDesk } from '../support/desk.ts'
import { startKeyring } from '../support/keyring/keyring.ts'
import { startPractice } from '../support/practice.ts'
import { soak } from './soak.ts'

export async function open(): Promise<Workbench> {
  await ensureBuilt('hooks')
  const keyring = process.platform === 'linux' ? await startKeyring() : null
  return {
    run: async (item) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-desk-soak-'))
      const practice = await startPractice()
      try {
        const desk = await openDesk({ profileDir: folder, variant: 'hooks', descriptorFile: practice.descriptorFile, env: definedOf(keyring?.env ?? {}) })
        try {
          return await soak(desk, practice, Number(item))
        } finally {
          await desk.close()
        }
      } finally {
        await practice.stop()
        rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
      }
    },
    close: async () => {
      await keyring?.stop()
    },
  }
}

const definedOf = (env: NodeJS.ProcessEnv): Record<string, string> =>
  Object.fromEntries(Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])))
