import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { chapterGroups, documentOf, documentPages } from '../../../renderer/parts/help/help-chapters.ts'
import { marksIn, plainTexts, searchHelp } from '../../../renderer/parts/help/help-document.ts'
import { helpTopics } from '../../../renderer/parts/help/help-link.tsx'
import { inRoot } from '../project.ts'
import { readDocument } from './read-document.ts'

const file = 'build/docs/sample.md'
const read = (markdown: string) => readDocument(file, markdown)

test('the Help parser turns the headings, paragraphs, lists, code and tables of a documentation page into data', () => {
  const { document, problems } = read(
    '# Sample `x`\n\nIntro, **bold** and\n*soft* `a < b`.\n\n## Part\n\n- one\n  - inner\n- two\n\n1. first\n\n### Deep\n\n```sh\nnpm start\n```\n\n| a | b |\n|---|---|\n| `1` | 2 & 3 |\n',
  )
  expect(problems).toEqual([])
  expect(document).toEqual({
    page: 'sample',
    language: 'en',
    title: 'Sample x',
    sections: [
      {
        id: '',
        title: 'Sample x',
        level: 2,
        blocks: [
          {
            kind: 'text',
            text: ['Intro, ', { kind: 'bold', text: ['bold'] }, ' and ', { kind: 'italic', text: ['soft'] }, ' ', { kind: 'code', code: 'a < b' }, '.'],
          },
        ],
      },
      {
        id: 'part',
        title: 'Part',
        level: 2,
        blocks: [
          {
            kind: 'list',
            ordered: false,
            items: [
              [
                { kind: 'text', text: ['one'] },
                { kind: 'list', ordered: false, items: [[{ kind: 'text', text: ['inner'] }]] },
              ],
              [{ kind: 'text', text: ['two'] }],
            ],
          },
          { kind: 'list', ordered: true, items: [[{ kind: 'text', text: ['first'] }]] },
        ],
      },
      {
        id: 'deep',
        title: 'Deep',
        level: 3,
        blocks: [
          { kind: 'code', code: 'npm start' },
          { kind: 'table', head: [['a'], ['b']], rows: [[[{ kind: 'code', code: '1' }], ['2 & 3']]] },
        ],
      },
    ],
  })
})

test('the Help parser resolves links to other chapters and to the web pages that the app may open', () => {
  const { document } = read('# A\n\n[one](keys.md#log) [two](#here) [three](https://dashboard.reown.com)\n\n## Here\n')
  expect(document.sections[0]?.blocks).toEqual([
    {
      kind: 'text',
      text: [
        { kind: 'link', to: 'help/keys/log', text: ['one'] },
        ' ',
        { kind: 'link', to: 'help/sample/here', text: ['two'] },
        ' ',
        { kind: 'external', page: 'walletconnect_projects', text: ['three'] },
      ],
    },
  ])
})

test('the Help parser omits the pictures and comments of a documentation page', () => {
  expect(read('# A\n\n![a picture](../pictures/a.png)\n\n<!-- a comment -->\n').document.sections).toEqual([])
})

test.each([
  ['# A\n\n<b>x</b>\n', 'is html'],
  ['# A\n\n[x](https://example.com)\n', 'https://example.com is no page that the app opens'],
  ['# A\n\n[x](../../README.md)\n', '../../README.md leads out of build/docs'],
  ['# A\n\n#### Deep\n', 'is a heading of level 4'],
  ['# A\n\n# B\n', 'is a second title'],
  ['no title\n', 'it has no title'],
  ['# A\n\n> quote\n', 'is blockquote'],
])('the Help parser reports Markdown that the Help window cannot show: %j', (markdown, problem) => {
  expect(read(markdown).problems.join('\n')).toContain(problem)
})

test('the app’s Help lists every chapter of the documentation exactly once', () => {
  const files = readdirSync(inRoot('build/docs')).flatMap((name) => (name.endsWith('.md') ? [name.replace(/\.md$/, '')] : []))
  expect(chapterGroups.flatMap(({ pages }) => pages).sort()).toEqual(files.sort())
  expect([...documentPages].sort()).toEqual(files)
})

test.each(Object.entries(helpTopics))('the Help section for the app’s page or dialog %s exists', (_topic, target) => {
  const [page = '', section = ''] = target.split('#')
  expect(documentOf(page)?.sections.map(({ id }) => id)).toContain(section === '' ? (documentOf(page)?.sections[0]?.id ?? null) : section)
})

test('the parsed data of a Help chapter contains every word of the chapter’s Markdown file', () => {
  const markdown = readFileSync(inRoot('build/docs/lock.md'), 'utf8')
  const texts = readDocument('build/docs/lock.md', markdown).document.sections.flatMap(({ id, title, blocks }) => [
    ...(id === '' ? [] : [title]),
    ...plainTexts(blocks),
  ])
  const wordsOf = (text: string) => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').match(/[\p{L}\p{N}]+/gu) ?? []
  expect(wordsOf(texts.join(' '))).toEqual(wordsOf(markdown.replace(/^# .*$/m, '')))
})

const documents = [
  read(
    '# Cars\n\nAbout cars.\n\n## Wheels\n\nFour of them, round as a rule.\n\n## Brakes\n\nThey stop the wheels. A long text follows, so that the excerpt has to be cut somewhere. It is long enough by now, or nearly so. The very last words of all of it are these: emergency brake lever.\n',
  ).document,
]

test('the Help search finds sections by any of their words, ranks matches in headings first, and marks the words', () => {
  expect(searchHelp(documents, 'wheels').map(({ section }) => section.id)).toEqual(['wheels', 'brakes'])
  expect(searchHelp(documents, 'rule four').map(({ section }) => section.id)).toEqual(['wheels'])
  expect(searchHelp(documents, 'four brakes')).toEqual([])
  expect(searchHelp(documents, '  ')).toEqual([])
  const [found] = searchHelp(documents, 'Emergency Brake')
  expect(found?.excerpt).toMatch(/^… .*emergency brake lever\.$/)
  expect(marksIn('The emergency brake', 'Emergency Brake')).toEqual([[4, 19]])
  expect(marksIn('brake in an emergency', 'emergency brake')).toEqual([
    [0, 5],
    [12, 21],
  ])
  expect(marksIn('aaa', 'aa a')).toEqual([[0, 3]])
})

test('the Help search cuts a long Japanese text, which has no spaces, around the match', () => {
  const long = `${'注文を追跡します。'.repeat(30)}レバレッジを変更します。${'板を表示します。'.repeat(30)}`
  const [found] = searchHelp([read(`# 注文\n\n${long}\n`).document], 'レバレッジ')
  expect(found?.excerpt).toMatch(/^… .{10,70}レバレッジを変更します。.+ …$/)
  expect(found?.excerpt.length).toBeLessThan(200)
})
