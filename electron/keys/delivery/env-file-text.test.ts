import fc from 'fast-check'
import { expect, test } from 'vitest'
import { mergeEnv } from './env-file-text.ts'

const values = { SVC_API_KEY: 'SVC_new', SVC_BASE_URL: 'https://dex.example/api/dex/v1' }
const lines = 'SVC_API_KEY=SVC_new\nSVC_BASE_URL=https://dex.example/api/dex/v1\n'

test.each([
  ['an empty file', '', lines, 0, []],
  ['other lines', '# bot\nA=1\n\nB="x y"\n', `# bot\nA=1\n\nB="x y"\n${lines}`, 3, []],
  ['no line end at the end', 'A=1', `A=1\n${lines}`, 1, []],
  ['Windows line ends', 'A=1\r\n', `A=1\r\n${lines.replaceAll('\n', '\r\n')}`, 1, []],
  [
    'both names with other values',
    `SVC_BASE_URL=http://old\nA=1\nSVC_API_KEY='SVC_old'\n`,
    `SVC_BASE_URL=${values.SVC_BASE_URL}\nA=1\nSVC_API_KEY=SVC_new\n`,
    1,
    ['SVC_BASE_URL', 'SVC_API_KEY'],
  ],
  ['the same value', `${lines}A=1\n`, `${lines}A=1\n`, 1, []],
  ['export and spaces', '  export SVC_API_KEY = "SVC_old" # mine\n', `export SVC_API_KEY=SVC_new\nSVC_BASE_URL=${values.SVC_BASE_URL}\n`, 0, ['SVC_API_KEY']],
  ['a name twice', 'SVC_API_KEY=a\nSVC_API_KEY=b\n', lines, 0, ['SVC_API_KEY']],
  ['a name in a comment', '# SVC_API_KEY=a\n', `# SVC_API_KEY=a\n${lines}`, 1, []],
  ['a name that only begins so', 'SVC_API_KEY_2=a\n', `SVC_API_KEY_2=a\n${lines}`, 1, []],
  ['a name inside a value of several lines', 'PEM="-----\nSVC_API_KEY=no\n-----"\n', `PEM="-----\nSVC_API_KEY=no\n-----"\n${lines}`, 1, []],
  ['a value of several lines', 'SVC_API_KEY="a\nb"\nA=1\n', `SVC_API_KEY=SVC_new\nA=1\nSVC_BASE_URL=${values.SVC_BASE_URL}\n`, 1, ['SVC_API_KEY']],
  ['a quote that nobody closes', `A='it\nSVC_API_KEY=a\n`, `A='it\nSVC_API_KEY=SVC_new\nSVC_BASE_URL=${values.SVC_BASE_URL}\n`, 1, ['SVC_API_KEY']],
])('the app keeps every line of a .env file except the replaced ones: %s', (_what, before, text, kept, replaced) => {
  expect(mergeEnv(before, values)).toEqual({ text, kept, replaced })
})

test('the app puts values in quotes if a program that reads the .env file could misread them', () => {
  expect(mergeEnv('', { A: 'a b$c#d' }).text).toBe(`A='a b$c#d'\n`)
  expect(mergeEnv('', { A: `it's $x "y"` }).text).toBe(`A="it's \\$x \\"y\\""\n`)
})

test('saving values into a .env file keeps all other lines, and saving the same values again changes nothing', () => {
  const line = fc.oneof(fc.string({ maxLength: 20 }), fc.constantFrom('A=1', '# x', '', 'export B="two words"', 'SVC_API_KEY=old', " SVC_BASE_URL = 'old'"))
  fc.assert(
    fc.property(fc.array(line, { maxLength: 8 }), fc.constantFrom('\n', '\r\n'), (all, lineEnd) => {
      const before = all.map((text) => text.replace(/["'`]/g, '')).join(lineEnd)
      const once = mergeEnv(before, values)
      expect(mergeEnv(once.text, values)).toEqual({ ...once, replaced: [] })
      for (const text of before.split(/\r?\n/)) if (!/^\s*(export\s+)?SVC_(API_KEY|BASE_URL)\s*=/.test(text)) expect(once.text).toContain(text)
      expect(once.text).toMatch(/^SVC_API_KEY=SVC_new\r?$/m)
      expect(once.text.match(/^\s*(export\s+)?SVC_BASE_URL\s*=/gm)).toHaveLength(1)
    }),
  )
})

test.each([
  ['lines behind a quote that nothing closes', `A="${'\n'.repeat(262_144)}`],
  ['lines behind another one', `A='${'b\n'.repeat(131_072)}`],
  ['quotes that close each other', 'A="\n'],
  ['spaces before what is no comment', `A=${' '.repeat(2_000)}\n`],
  ['one long value of spaces', `A=b${' '.repeat(262_144)}c`],
  ['escapes', 'A="\\\\\\\\\n'],
])('the app merges a key into a 256 KiB .env file of %s quickly, because such a file may be hostile [V3]', (_what, unit) => {
  const text = unit.repeat(Math.max(1, Math.floor(262_144 / unit.length)))
  const before = process.threadCpuUsage()
  expect(mergeEnv(text, values).text.startsWith(text)).toBe(true)
  const { user, system } = process.threadCpuUsage(before)
  // The merge takes about 5 ms. If its time grew with the square of the file’s length, a large file would need minutes.
  expect((user + system) / 1_000).toBeLessThan(500)
})
