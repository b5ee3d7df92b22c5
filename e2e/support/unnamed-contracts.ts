import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Practice } from './practice.ts'

/**
 * Writes a descriptor file of the practice exchange without its contracts, for `DeskOptions.descriptorFile`. The app then asks about each contract,
 * as in a live profile. Returns the file’s path.
 */
export function withoutContracts({ descriptor }: Pick<Practice, 'descriptor'>, folder: string): string {
  const file = join(folder, 'without-contracts.json')
  writeFileSync(file, JSON.stringify({ ...descriptor, router: '', usdc: '', svc: '' }), { mode: 0o600 })
  return file
}
