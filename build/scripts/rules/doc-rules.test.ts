import { expect, test } from 'vitest'
import { firstCommandWithin, linkProblems, mostReadmeWords, proseWords, readmeProblems } from './doc-rules.ts'

const words = (count: number): string => Array.from({ length: count }, () => 'word').join(' ')
const command = '\n```sh\nnpm start\n```\n'

test('the README word count includes headings, lists and links, but not code, tables, pictures or comments', () => {
  expect(proseWords('# One two\n\n- three [four](a/long/path.md)\n')).toBe(4)
  expect(proseWords(`${command}| a | b |\n| --- | --- |\n\n![a picture](x.png)\n<!-- a\ncomment -->\n`)).toBe(0)
})

test('the documentation check refuses a README with too many words', () => {
  const most = `${command}${words(mostReadmeWords)}`
  expect(readmeProblems(most)).toEqual([])
  expect(readmeProblems(`${most} more`)).toEqual(['README.md: 1201 words of prose; at most 1200. Move the rest to build/docs'])
})

test('the documentation check refuses a README whose first command is missing or comes too late', () => {
  expect(readmeProblems(`${words(firstCommandWithin)}\n${command}`)).toEqual([])
  expect(readmeProblems(`${words(firstCommandWithin + 1)}\n${command}`)).toEqual(['README.md: 151 words before the first command; at most 150'])
  expect(readmeProblems('no command here')).toEqual(['README.md: it shows no command'])
})

const pages = new Map([
  ['README.md', '# Desk\n\n[keys](build/docs/keys.md#try-it-again) [here](#desk) [site](https://example.com/x) `[code](nowhere.md)`\n'],
  ['build/docs/keys.md', '# Keys\n\n## Try it\n\n## `Try` it, again!\n\n[back](../../README.md) [picture](../pictures/a.png)\n'],
])
const exists = (path: string) => pages.has(path) || path === 'build/pictures/a.png'

test('the documentation check accepts relative links to existing files and to existing headings', () => {
  expect(linkProblems(pages, exists)).toEqual([])
})

test('the documentation check gives the second of two identical headings a numbered anchor, as GitHub does', () => {
  const twice = new Map([['a.md', '## Same\n\n## Same\n\n[second](#same-1) [third](#same-2)\n']])
  expect(linkProblems(twice, (path) => twice.has(path))).toEqual(['a.md: #same-2 leads to no heading'])
})

test('the documentation check reports links to a missing file or to a missing heading', () => {
  const broken = new Map([...pages, ['build/docs/lock.md', '[a](missing.md) [b](keys.md#none) [c](#none)\n']])
  expect(linkProblems(broken, (path) => broken.has(path) || exists(path))).toEqual([
    'build/docs/lock.md: missing.md leads to no file',
    'build/docs/lock.md: keys.md#none leads to no heading',
    'build/docs/lock.md: #none leads to no heading',
  ])
})
