import fc from 'fast-check'
import { expect, test } from 'vitest'
import { prettyJson } from './request-message.tsx'

const container = fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue()))

test('the app’s JSON formatter formats any JSON object or list as JSON.stringify does', () => {
  fc.assert(
    fc.property(container, (value) => {
      expect(prettyJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2))
      expect(prettyJson(JSON.stringify(value, null, 3))).toBe(JSON.stringify(value, null, 2))
    }),
  )
})

test('the app’s JSON formatter keeps every digit of numbers that a JSON parser would round', () => {
  expect(prettyJson('{"size":12345678901234567890.10,"e":1E5}')).toBe('{\n  "size": 12345678901234567890.10,\n  "e": 1E5\n}')
})

test('the app’s JSON formatter formats truncated JSON up to where it ends, without losing or adding characters', () => {
  fc.assert(
    fc.property(container, fc.nat(), (value, end) => {
      const whole = JSON.stringify(value)
      const cut = whole.slice(0, end % (whole.length + 1))
      const bare = (text: string) => text.replace(/\s/g, '')
      expect(bare(prettyJson(cut))).toBe(bare(cut))
    }),
  )
})

test('the app’s JSON formatter leaves text that is not JSON unchanged', () => {
  for (const text of ['', '<html>\n  <body>', 'upstream timed out, try later', '"text"']) expect(prettyJson(text)).toBe(text)
})
