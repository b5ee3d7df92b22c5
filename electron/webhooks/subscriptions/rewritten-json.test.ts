import { expect, test } from 'vitest'
import { rewrittenJson } from './inspect-pasted.ts'

const nested = (depth: number) => `${'['.repeat(depth)}"]"${']'.repeat(depth)}`

test('the app refuses to reformat deeply nested JSON, because 20 KB of it would grow to hundreds of megabytes', () => {
  expect(rewrittenJson(nested(64), 2)).toContain('"]"')
  expect(rewrittenJson(nested(65), 2)).toBeNull()
  expect(rewrittenJson(nested(9_000), 2)).toBeNull()
  expect(rewrittenJson(`["${'['.repeat(100)}\\"["]`, 0)).toBe(`["${'['.repeat(100)}\\"["]`)
})

test('the app keeps every digit of the numbers when it reformats JSON, and does not reformat text that is not JSON', () => {
  expect(rewrittenJson('{"a": 12345678901234567890, "b": 1.50}', 0)).toBe('{"a":12345678901234567890,"b":1.50}')
  expect(rewrittenJson('{"a":', 0)).toBeNull()
})
