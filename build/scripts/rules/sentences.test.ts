import { expect, test } from 'vitest'
import { findSentences } from './sentences.ts'

const texts = (source: string) => findSentences(source).map(({ text }) => text)

test.each([
  "const a = { detail: 'the signature is not right' }",
  `const a = \`\${label}: it ends soon\``,
  "const a = { title: 'Signed in' }",
  "const a = fail({ kind: 'bad_input', issue: 'Give a number above zero.' })",
  `const a = \`\${count} of \${all} (it was lost)\``,
])('the check for English sentences in the main process’s code finds the sentence in the code %s', (source) => {
  expect(findSentences(source)).toHaveLength(1)
})

test.each([
  "throw new Error('the journal is not open')",
  "log('the window was closed')",
  "const a = 'SELECT ref FROM intents WHERE wallet = ?'",
  "const a = { kind: 'not_found', what: 'key' }",
  `const a = \`key/\${profile}/facts/\${id}\``,
  '// The service does not list it any more.',
])('the check for English sentences in the main process’s code finds none in the code %s', (source) => {
  expect(texts(source)).toEqual([])
})

test('the check for English sentences in the main process’s code reports the line of a sentence, also after multi-byte characters', () => {
  expect(findSentences("// ×××\nconst a = '×'\n\nconst b = 'It is not there.'\n")).toEqual([{ line: 4, text: 'It is not there.' }])
})
