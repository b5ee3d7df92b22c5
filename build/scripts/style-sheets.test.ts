import { expect, test } from 'vitest'
import { generateScopedName, readSheet, readUses, styleProblems } from './style-sheets.ts'

const sheet = 'renderer/features/keys/keys.module.css'
const page = 'renderer/features/keys/keys-page.tsx'
const problemsOf = (css: string, file = sheet) => readSheet(file, css).problems

test.each([
  'padding: 4px',
  'margin: 0 -8px',
  'gap: 1rem',
  'font: 600 12px/16px var(--sans)',
  'line-height: 20px',
  'border-radius: 6px',
  'border-top-left-radius: 4px',
  'row-gap: 12.5px',
])('the check of style sheets reports a hard-coded length: %s', (declaration) => {
  expect(problemsOf(`.a { ${declaration}; }`)).toEqual([expect.stringContaining('a length by hand')])
  expect(problemsOf(`:root { ${declaration}; }`, 'renderer/kit/tokens.css')).toEqual([])
})

test.each([
  'padding: var(--s-1)',
  'margin: 0 1px 2px',
  'border: 1px solid var(--line)',
  'width: 120px',
  'gap: calc(var(--s-2h) / -2)',
  'border-radius: 50%',
  'font: inherit',
])('the check of style sheets accepts this length as not hard-coded: %s', (declaration) => expect(problemsOf(`.a { ${declaration}; }`)).toEqual([]))

test.each(['color: #fff', 'background: rgb(0 0 0 / 0.2)', 'box-shadow: 0 0 0 1px #12171d', 'fill: hsl(1 2% 3%)', 'color: white'])(
  'the check of style sheets reports a hard-coded colour: %s',
  (declaration) => {
    expect(problemsOf(`.a { ${declaration}; }`)).toEqual([expect.stringContaining('a colour by hand')])
  },
)

test.each([
  'color: var(--text)',
  'white-space: nowrap',
  'background: url(#shape)',
  'fill: currentColor',
  'background: linear-gradient(var(--warn-soft), transparent)',
])('the check of style sheets accepts this colour as not hard-coded: %s', (declaration) => expect(problemsOf(`.a { ${declaration}; }`)).toEqual([]))

test('the check of style sheets reports hard-coded lengths in media queries, but ignores lengths in comments', () => {
  expect(problemsOf('/* padding: 8px; */\n@media (max-width: 880px) {\n  .a { padding: 8px; }\n}\n')).toEqual([
    expect.stringContaining(`${sheet}:3: padding: 8px`),
  ])
})

test('the check of style sheets lets base.css style HTML elements, but reports each CSS class that it defines', () => {
  expect(problemsOf('h1 { margin: 0; }', 'renderer/kit/base.css')).toEqual([])
  expect(problemsOf('.title { margin: 0; }', 'renderer/kit/base.css')).toEqual([expect.stringContaining('a class for all')])
})

test.each([
  ['<p className="panel" />', ['panel']],
  ["<p className={on ? 'on' : undefined} />", ['on']],
  ["<p className={on && 'on'} />", ['on']],
  ['<p className={`dot $' + '{tone}`} />', ['dot']],
  ["<p className={cx(styles.row, 'row')} />", ['row']],
  ['<p className={tone === \'warn\' ? styles.row : styles.line} title="row" />', []],
])('the check of style sheets reports class names written as plain text: in %s, %j', (element, names) => {
  const { problems } = readUses(page, `import styles from './keys.module.css'\nexport const x = ${element}\n`)
  expect(problems).toEqual(names.map((name) => expect.stringContaining(`"${name}"`)))
})

test('the check of style sheets reports code that looks up elements by their CSS class', () => {
  const of = (call: string) => readUses(page, `export const x = ${call}\n`).problems
  expect(of("row.querySelector<HTMLElement>('.name')?.focus()")).toEqual([expect.stringContaining("querySelector('.name')")])
  expect(of("event.target.closest('tr.open')")).toEqual([expect.stringContaining('looks for a class')])
  expect(of("roveOnKey(event, '.mark', false)")).toEqual([expect.stringContaining('looks for a class')])
  expect(of("row.querySelector('[data-part=name]')")).toEqual([])
})

test('CSS classes of the same name in two style sheets get different names in the built app', () => {
  expect(generateScopedName('head', '/app/renderer/features/account/account.module.css?used')).toBe('account_head')
  expect(generateScopedName('head', '/app/renderer/features/activity/activity.module.css')).toBe('activity_head')
})

const whole = (files: Readonly<Record<string, string>>) => styleProblems(Object.keys(files), (file) => files[file] ?? '')

test('the check of style sheets finds CSS classes that are used but not defined, and classes that are never used', () => {
  const tsx = "import styles from './keys.module.css'\nexport const x = <p className={styles.row}><b className={styles['line']} /></p>\n"
  expect(whole({ [sheet]: '.row { margin: 0; }\n.idle { margin: 0; }\n', [page]: tsx })).toEqual([
    `${page}: keys.module.css has no class line`,
    `${sheet}: .idle is named nowhere`,
  ])
})

test('the check of style sheets counts a CSS class chosen at run time as used only if it modifies another class, as in .row.warn', () => {
  const tsx = "import styles from './keys.module.css'\nexport const x = <p className={cx(styles.row, styles[tone])} />\n"
  expect(whole({ [sheet]: '.row.warn { margin: 0; }\n', [page]: tsx })).toEqual([])
  expect(whole({ [sheet]: '.row { margin: 0; }\n.warn { margin: 0; }\n', [page]: tsx })).toEqual([`${sheet}: .warn is named nowhere`])
})

test('the check of style sheets reports a sheet that refers to CSS classes of a sheet in a higher layer', () => {
  const files = {
    'renderer/kit/button.module.css': '.button { margin: 0; }\n',
    'renderer/features/trade/trade.module.css': '.trade { margin: 0; }\n',
    'renderer/app/frame.tsx':
      "import button from '../kit/button.module.css'\nimport trade from '../features/trade/trade.module.css'\nexport const x = <p className={cx(button.button, trade.trade)} />\n",
  }
  const reaching = (scoped: string) =>
    whole({
      ...files,
      [sheet]: `.row :global(.${scoped}) { margin: 0; }\n`,
      [page]: "import styles from './keys.module.css'\nexport const x = <p className={styles.row} />\n",
    })
  expect(reaching('button_button')).toEqual([])
  expect(reaching('trade_trade')).toEqual([expect.stringContaining('which is not below it')])
  expect(reaching('button_btn')).toEqual([`${sheet}: no sheet has the class button_btn`])
  expect(
    whole({ ...files, [sheet]: '.xy { margin: 0; }\n', [page]: "import styles from './keys.module.css'\nexport const x = <p className={styles.xy} />\n" }),
  ).toEqual([`${sheet}: .xy: a class name says what it is`])
})
