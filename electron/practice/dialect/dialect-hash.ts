import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256, in hex, of the thesaurus and of all that draws and writes with it: what a proof pins, so that nobody bends the dialects to
 * what the app can read. Works from the sources only.
 */
export function dialectHash(): string {
  const folder = import.meta.dirname
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const name of sources.toSorted()) hash.update(`${name}\n${readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')}\n`)
  return hash.digest('hex')
}
