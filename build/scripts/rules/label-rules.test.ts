import { expect, test } from 'vitest'
import { readDocument } from '../help/read-document.ts'
import { labelProblems, textsOf, translatedLabelProblems } from './label-rules.ts'

const english = textsOf([
  "export const settingsText = catalogue('settings', { settings: 'Settings', lock: 'Lock', 'lock.now': 'Lock now' })",
  `export const tradeText = catalogue('trade', { acceptAll: (count: number) => \`Accept all (\${count})\`, of: (a: string, b: string) => \`\${a} of \${b}\` })`,
])
const own = textsOf([
  `export const de = { settings: 'Einstellungen', lock: 'Sperre', 'lock.now': 'Jetzt sperren', acceptAll: (count: number) => \`Alle (\${count})\` }`,
])
const read = (markdown: string, file = 'build/docs/a.md') => readDocument(file, markdown).document
const problems = (markdown: string) => labelProblems('a.md', read(markdown), english)
const translated = (german: string) =>
  translatedLabelProblems('de/a.md', read(german, 'build/docs/de/a.md'), read('# A\n\nSee **Settings → Lock** or **Lock now**.\n'), { english, own })

test('the check of button names in the documentation reads the English texts by key, and drops a number at the end of a text', () => {
  expect([...english].map(([key, texts]) => [key, ...texts])).toEqual([
    ['settings', 'Settings'],
    ['lock', 'Lock'],
    ['lock.now', 'Lock now'],
    ['acceptAll', 'Accept all'],
  ])
})

test('the check of button names in the documentation accepts bold text that is a label of the app, a term in a list or a whole sentence', () => {
  expect(problems('# A\n\nOpen **Settings → Lock**, press **Accept all**.\n\n- **Own words**: a term.\n- **A whole sentence.** More.\n')).toEqual([])
})

test.each(['Press **Lock it**.', '- Press **Lock it**: then wait.', '| a |\n|---|\n| **Lock it** |', '**Settings → Lock it**'])(
  'the check of button names in the documentation reports bold text that is not a label of the app: %s',
  (text) => {
    expect(problems(`# A\n\n${text}\n`)).toEqual(['a.md: “Lock it” in “A” is no text of the interface'])
  },
)

test('the check of button names in the documentation accepts a translated chapter that names the same labels in another order', () => {
  expect(translated('# A\n\n**Jetzt sperren** oder **Einstellungen → Sperre**.\n')).toEqual([])
})

test('the check of button names in the documentation reports a translated label that is missing, worded differently or has no English label', () => {
  expect(translated('# A\n\n**Einstellungen → Schloss** oder **Jetzt sperren**.\n')).toEqual([
    'de/a.md: “A” lacks the label “Sperre” (Lock)',
    'de/a.md: “Schloss” in “A” translates no label of the English chapter',
  ])
})
