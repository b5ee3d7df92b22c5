import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from '@swc/core'
import { expect, test } from 'vitest'

/**
 * Hash of the code that generates API dialects, including synonyms. The dialect proof is meaningful only because this code was written without
 * looking at what the app can read. If the hash changes, the commit must explain why.
 */
const pinned = '42f7414657426a7fffcfe15da50dee79f0b7cb6f3363a683fa1d37db1b117796'

const folder = join(import.meta.dirname, '../../electron/practice/dialect')

/** Removes comments, types and line breaks from source code, so that only real changes change the hash. */
const codeOf = (source: string): string =>
  transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'esnext', minify: { compress: false, mangle: false } }, minify: true }).code

/** SHA-256, in hex, of all code that generates dialects. `change`: modifies the source first, for tests. */
function dialectHash(change: (source: string) => string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(`${name}\n${codeOf(change(readFileSync(join(folder, name), 'utf8')))}\n`)
  return hash.digest('hex')
}

test('the code of the API dialect generator is unchanged since the recorded proof with this generator', () => {
  expect(dialectHash((source) => source)).toBe(pinned)
})

test('the recorded hash of the API dialect generator changes with the generator’s code, but not with its comments', () => {
  expect(dialectHash((source) => `// A comment\n${source}`)).toBe(pinned)
  expect(dialectHash((source) => source.replace("'side'", "'aspect'"))).not.toBe(pinned)
})
