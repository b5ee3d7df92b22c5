import { expect, test } from 'vitest'
import { commentProblems, textProblems, wordProblems } from './word-rules.ts'

test.each([
  ["const a = { lost: 'It is looked up by itself.' }", '“by itself”: write automatically'],
  [`const a = { ended: (key: string) => \`\${key} stands in the list.\` }`, '“stands”: write is, shows'],
  ['const a = { why: (name: ReactNode) => <>Nobody asked for {name}</> }', '“Nobody”: write the one who does not, or “no one”'],
  ["const a = { slippage: 'Most slippage' }", '“Most slippage”: write max slippage'],
  [`const a = 'one ${'two '.repeat(20)}.'`, '21 words in a sentence; at most 20'],
])('the check of wording finds words that the style rules forbid: %s', (source, problem) => {
  expect(textProblems(source)).toEqual([{ line: 1, problem }])
})

test('the check of wording accepts short sentences made of common words', () => {
  expect(textProblems(`const a = { one: 'Checking again automatically. ${'word '.repeat(20)}. ETH stands for ether.' }`)).toEqual([])
})

test('the check of wording looks for forbidden words in comments and test titles, but not in code', () => {
  const source = `/** Drawn anew. */\nconst anew = 'anew'\ntest('nobody is asked', () => {})\n] as const${')'}('asks nobody about %s', () => {})\n`
  expect(commentProblems(source).map(({ line }) => line)).toEqual([1, 3, 4])
})

test('the check of wording reports the line of each forbidden word, in text catalogues and in source files', () => {
  const files = new Map([
    ['renderer/text/en/keys.en.tsx', "export const a = 'Begun anew'"],
    ['electron/a.ts', 'const a = 1\n// It stands, whatever `stands` means.'],
    ['renderer/text/de.tsx', "export const a = 'Stand: heute'"],
  ])
  expect(wordProblems([...files.keys()], (file) => files.get(file) ?? '')).toEqual([
    'renderer/text/en/keys.en.tsx:1: “anew”: write again',
    'renderer/text/en/keys.en.tsx:1: “Begun”: write start',
    'electron/a.ts:2: “stands”: write is, shows',
    'electron/a.ts:2: “whatever”: write regardless of, or any',
  ])
})
