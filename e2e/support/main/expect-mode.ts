import { statSync } from 'node:fs'
import { expect } from 'vitest'

/**
 * Expects a file or folder to have these permissions, such as 0o600. Windows has no such permissions, and Node cannot read its access lists, so there
 * it must only exist.
 */
export function expectMode(path: string, wanted: number): void {
  const { mode } = statSync(path)
  if (process.platform !== 'win32') expect(mode & 0o777).toBe(wanted)
}
