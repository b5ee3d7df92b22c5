import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * SHA-256, in hex, of the thesaurus and of all code that draws or writes a dialect. Covers the source files only.
 * The proof pins this hash, so that no change of the dialects to suit the app stays unnoticed.
 */
export function dialectHash(): string {
  const folder = import.meta.dirname
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  const hash = createHash('sha256')
  for (const name of sources.toSorted()) hash.update(`${name}\n${readFileSync(join(folder, name), 'utf8').replaceAll('\r\n', '\n')}\n`)
  return hash.digest('hex')
}
