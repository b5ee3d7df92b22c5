import { expect, test } from 'vitest'
import { rewrittenJson } from './inspect-pasted.ts'

const nested = (depth: number) => `${'['.repeat(depth)}"]"${']'.repeat(depth)}`

test('a text that nests deep is not written again: indented, 20 KB would become hundreds of megabytes', () => {
  expect(rewrittenJson(nested(64), 2)).toContain('"]"')
  expect(rewrittenJson(nested(65), 2)).toBeNull()
  expect(rewrittenJson(nested(9_000), 2)).toBeNull()
  // Brackets in texts are no nesting.
  expect(rewrittenJson(`["${'['.repeat(100)}\\"["]`, 0)).toBe(`["${'['.repeat(100)}\\"["]`)
})

test('numbers keep every digit, and what is no JSON gives nothing', () => {
  expect(rewrittenJson('{"a": 12345678901234567890, "b": 1.50}', 0)).toBe('{"a":12345678901234567890,"b":1.50}')
  expect(rewrittenJson('{"a":', 0)).toBeNull()
})
