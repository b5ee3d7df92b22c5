import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { inRoot } from '../project.ts'
import { folder, readDocument } from './read-document.ts'
import { hashesOf, readTranslation } from './read-translation.ts'

const file = 'build/docs/de/sample.md'
const english = '# Sample\n\nIntro.\n\n## Part\n\nPress `Ctrl K`. See [keys](keys.md#log).\n\n- one\n- two\n\n```sh\nnpm start   # opens the app\n```\n'
const german =
  '# Beispiel\n\nEinleitung.\n\n## Teil\n\nSiehe [Schlüssel](keys.md#log), oder drücken Sie `Ctrl K`.\n\n- eins\n- zwei\n\n```sh\nnpm start   # öffnet die App\n```\n'
const written = (markdown = german, hashes = hashesOf(file, english)) => `<!-- English: ${hashes.join(' ')} -->\n\n${markdown}`
const read = (markdown: string, of = english) => readTranslation(file, markdown, of)

test('the sections of a translated Help chapter get the ids of the English sections, so that one link works in every language', () => {
  const { document, problems, changed } = read(written())
  expect([problems, changed]).toEqual([[], []])
  expect(document).toMatchObject({ page: 'sample', language: 'de', title: 'Beispiel' })
  expect(document.sections.map(({ id, title }) => [id, title])).toEqual([
    ['', 'Beispiel'],
    ['part', 'Teil'],
  ])
})

test('the check of Help translations names sections whose English text changed after their translation, and sections without a translation', () => {
  const [, part] = hashesOf(file, english)
  const [, changed] = hashesOf(file, english.replace('two', 'three'))
  expect(read(written(), english.replace('two', 'three')).changed).toEqual([
    `${file}: the English of “Part” has changed. Translate the change, then write ${changed} in place of ${part}`,
  ])
  expect(read(written(), `${english}\n## New\n\nText.\n`).changed).toHaveLength(1)
  expect(read(german).changed).toHaveLength(2)
  expect(read(written(german, [...hashesOf(file, english), 'abcdef'])).changed).toEqual([`${file}: translates 3 sections; the English chapter has 2`])
})

test('a generated table does not make a Help translation outdated, because a script updates the table in every language', () => {
  const table = (cell: string) => `${english}\n<!-- t -->\n\n| ${cell} |\n|---|\n\n<!-- /t -->\n`
  expect(hashesOf(file, table('new'))).toEqual(hashesOf(file, table('old')))
})

test.each([
  ['- zwei\n', '', '“Teil” is text, list of (text), code; “Part” is text, list of (text)(text), code'],
  ['`Ctrl K`', '`Ctrl L`', '“Teil” lacks the code Ctrl K'],
  ['keys.md#log', 'keys.md', '“Teil” lacks a link to help/keys/log'],
  ['npm start', 'npm test', '“Teil” has the code npm test, which “Part” lacks'],
  ['## Teil', '### Teil', '“Teil” has another level than “Part”'],
  ['## Teil', '', 'it has 1 sections; the English chapter has 2'],
])('the check of Help translations reports a chapter whose structure differs from the English one: %j written as %j', (from, to, problem) => {
  expect(read(written(german.replace(from, to))).problems.join('\n')).toContain(`${file}: ${problem}`)
})

const names = (path: string) => readdirSync(inRoot(path)).filter((name) => name.endsWith('.md'))

test.each(['de', 'ja'])('every Help chapter in %s is up to date with the English chapter and has the same section ids', (language) => {
  const chapters = names(`${folder}/${language}`)
  expect(chapters.length).toBeGreaterThan(12)
  for (const name of chapters) {
    const original = readFileSync(inRoot(`${folder}/${name}`), 'utf8')
    const { document, problems, changed } = readTranslation(
      `${folder}/${language}/${name}`,
      readFileSync(inRoot(`${folder}/${language}/${name}`), 'utf8'),
      original,
    )
    expect([problems, changed]).toEqual([[], []])
    expect(document.sections.map(({ id }) => id)).toEqual(readDocument(`${folder}/${name}`, original).document.sections.map(({ id }) => id))
  }
})
