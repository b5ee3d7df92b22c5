import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { transformSync } from '@swc/core'
import { expect, test } from 'vitest'

/**
 * Hash of the code that generates dialects, synonyms included. The proof depends on the fact that this code was written without looking at what
 * the app can read. A new hash means that something else is proven, so its commit must explain why.
 */
const pinned = '42f7414657426a7fffcfe15da50dee79f0b7cb6f3363a683fa1d37db1b117796'

const folder = join(import.meta.dirname, '../../electron/practice/dialect')

/** The code of a file without comments, types and line breaks: rewording a comment changes no dialect. */
const codeOf = (source: string): string =>
  transformSync(source, { jsc: { parser: { syntax: 'typescript' }, target: 'esnext', minify: { compress: false, mangle: false } }, minify: true }).code

/** SHA-256, in hex, of all code that draws or writes a dialect. */
function dialectHash(change: (source: string) => string): string {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder).toSorted())
    if (name.endsWith('.ts') && !name.endsWith('.test.ts')) hash.update(`${name}\n${codeOf(change(readFileSync(join(folder, name), 'utf8')))}\n`)
  return hash.digest('hex')
}

test('the dialect generator is unchanged since the proof was made', () => {
  expect(dialectHash((source) => source)).toBe(pinned)
})

test('the hash of the dialect generator changes with its code, but not with its comments', () => {
  expect(dialectHash((source) => `// A comment\n${source}`)).toBe(pinned)
  expect(dialectHash((source) => source.replace("'side'", "'aspect'"))).not.toBe(pinned)
})
