import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { agreed } from '../config/agreed-packages.ts'
import { inRoot, type Ran, runTool } from './project.ts'
import { floatProblems } from './rules/float-arithmetic.ts'
import { circleProblems, figureProblems, figuresOf, folderCircles, type Module } from './rules/folder-rules.ts'
import { pageProblems } from './rules/page-imports.ts'
import { conditionProblems } from './rules/sentence-conditions.ts'
import { sentenceProblems } from './rules/sentences.ts'
import { wordProblems } from './rules/word-rules.ts'
import { checkStructure, tracked } from './structure.ts'
import { styleProblems } from './style-sheets.ts'
import { type LockFile, lockProblems, type Manifest } from './supply/lock-problems.ts'

/** A check that needs no build. Returns null if the check passes, otherwise the problem. */
interface Check {
  readonly name: string
  readonly run: () => Promise<string | null>
  /** Whether the check writes forbidden code into the project for a moment. No other check may run then, because it would find that code. */
  readonly plants?: true
}

export interface CheckResult {
  readonly name: string
  readonly problem: string | null
  readonly ms: number
}

const wrong = (ran: Ran): string | null => (ran.code === 0 ? null : ran.output)

interface Cruise {
  readonly modules: readonly Module[]
  readonly summary: {
    readonly totalCruised: number
    readonly violations: { readonly rule: { readonly name: string }; readonly from: string; readonly to: string }[]
  }
}

const layers = ['shared', 'electron', 'renderer', 'e2e']

async function cruise(): Promise<Cruise> {
  const ran = await runTool('depcruise', ['--config', 'build/config/dependency-cruiser.cjs', '--output-type', 'json', ...layers], { quiet: true })
  const start = ran.output.indexOf('{')
  if (start < 0) throw new Error(ran.output)
  return JSON.parse(ran.output.slice(start)) as Cruise // safe cast: dependency-cruiser’s JSON report has this shape
}

const readFile = (file: string): string => readFileSync(inRoot(file), 'utf8')

async function layersHold(): Promise<string | null> {
  const { summary, modules } = await cruise()
  if (summary.totalCruised < 100) return `only ${summary.totalCruised} modules were read`
  const linesOf = (file: string) => readFile(file).split('\n').length - 1
  const problems = [
    ...summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} imports ${violation.to}`),
    ...circleProblems(modules),
    ...pageProblems(tracked(), readFile),
    ...figureProblems(figuresOf(tracked(), modules, linesOf)),
  ]
  return problems.length === 0 ? null : problems.join('\n')
}

async function wordsHold(): Promise<string | null> {
  const problems = wordProblems(tracked(), readFile)
  return problems.length === 0 ? null : problems.join('\n')
}

/** Tests the check for forbidden words: plants one in a text catalogue and one in a comment. The check must find both words. */
async function wordsAreFound(): Promise<string | null> {
  const planted: Readonly<Record<string, string>> = {
    'renderer/text/en/planted.en.tsx': `export const a = 'Begun anew, and told by itself.'\n`,
    'electron/planted.ts': '// Nobody stands here.\n',
  }
  const problems = wordProblems([...tracked(), ...Object.keys(planted)], (file) => planted[file] ?? readFile(file))
  const missed = Object.keys(planted).filter((file) => !problems.some((problem) => problem.startsWith(`${file}:1: `)))
  return missed.length === 0 ? null : `planted and not found: ${missed.join(', ')}`
}

/** Forbidden imports that the check of the folder layers must find. Each imports from a folder of the same or a higher layer of electron/. */
const upwards = [
  ['kernel', '../store/journal/journal.ts'],
  ['store', '../service/api/client.ts'],
  ['service', '../wallet/chain/chain.ts'],
  ['wallet', '../reads/markets/markets.ts'],
  ['reads', '../intents/engine/intent-repository.ts'],
  ['intents', '../keys/keys.ts'],
  ['keys', '../webhooks/webhooks.ts'],
  ['kill-switch', '../webhooks/webhooks.ts'],
  ['webhooks', '../workspace/workspace.ts'],
  ['workspace', '../host/profiles/profiles.ts'],
  ['host', '../terminal/terminal.ts'],
  ['terminal', '../start.ts'],
  ['practice', '../kernel/events.ts'],
] as const

const upwardsInTheRenderer = [
  ['kit', '../text/failure-text.ts'],
  ['text', '../ipc/use-ipc.ts'],
  ['ipc', '../parts/host-form.tsx'],
  ['parts', '../signing/wallet/sign.ts'],
  ['signing', '../features/keys/keys-page.tsx'],
  ['features', '../app/app.tsx'],
  ['app', '../main.tsx'],
] as const

/** An import cycle that the check must find: two folders import each other’s types, although no two of their files import each other. */
const circleOfFolders = [
  { file: 'electron/kernel/files/planted-circle.ts', from: '../parsing/planted-circle.ts' },
  { file: 'electron/kernel/parsing/planted-circle.ts', from: '../files/write-private.ts' },
]

/** Tests the check of the folder layers: plants forbidden imports and expects the check to find each one. */
async function layersBite(): Promise<string | null> {
  const plants = [
    { file: 'shared/planted-violation.ts', from: '../electron/store/journal/journal.ts', rule: 'shared-is-the-leaf' },
    { file: 'renderer/planted-violation.tsx', from: '../electron/store/journal/journal.ts', rule: 'renderer-imports-shared-only' },
    { file: 'electron/planted-violation.ts', from: '../renderer/ipc/bridge.tsx', rule: 'electron-imports-shared-only' },
    { file: 'electron/practice/planted-violation.ts', from: '../../shared/api/endpoint.ts', rule: 'practice-stands-alone' },
    { file: 'e2e/support/practice/planted-violation.ts', from: '../main/workspace.ts', rule: 'practice-stands-alone' },
    { file: 'shared/planted-testing.ts', from: '../e2e/support/practice/start.ts', rule: 'testing-is-for-tests' },
    { file: 'electron/practice/planted-testing.ts', from: '../../e2e/support/practice/start.ts', rule: 'testing-is-for-tests' },
    { file: 'renderer/planted-testing.tsx', from: '../build/scripts/project.ts', rule: 'testing-is-for-tests' },
    { file: 'electron/workspace/planted-raw.ts', from: '../store/records/raw.ts', rule: 'records-are-declared' },
    { file: 'electron/keys/planted-violation.ts', from: '../../shared/foreign/bare.ts', rule: 'foreign-is-opened-in-one-place' },
    { file: 'electron/intents/planted-network.ts', from: 'node:http', rule: 'the-network-is-touched-in-few-places' },
    { file: 'electron/keys/leaks/planted-violation.ts', from: './files/walk.ts', rule: 'parsers-have-a-process-of-their-own' },
    { file: 'electron/intents/planted-window.ts', from: 'electron', rule: 'electron-is-touched-in-few-places' },
    { file: 'renderer/features/keys/planted-violation.ts', from: '../trade/trade-page.tsx', rule: 'features-do-not-import-each-other' },
    ...upwards.map(([name, from]) => ({ file: `electron/${name}/planted-upwards.ts`, from, rule: `district-${name}` })),
    ...upwardsInTheRenderer.map(([name, from]) => ({ file: `renderer/${name}/planted-upwards.ts`, from, rule: `renderer-${name}` })),
  ]
  const remove = () => {
    for (const plant of [...plants, ...circleOfFolders]) rmSync(inRoot(plant.file), { force: true })
  }
  process.once('exit', remove)
  try {
    for (const plant of [...plants, ...circleOfFolders])
      writeFileSync(inRoot(plant.file), `import type * as planted from '${plant.from}'\n\nexport type Planted = typeof planted\n`)
    const { summary, modules } = await cruise()
    const missed = plants.filter((plant) => !summary.violations.some((violation) => violation.rule.name === plant.rule && violation.from === plant.file))
    const planted = circleOfFolders.map(({ file }) => dirname(file))
    const isFound = folderCircles(modules).some((circle) => planted.every((folder) => circle.includes(folder)))
    const names = [...missed.map((plant) => `${plant.file} (${plant.rule})`), ...(isFound ? [] : [`a circle of ${planted.join(' and ')}`])]
    return names.length === 0 ? null : `planted and not found: ${names.join(', ')}`
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/**
 * Tests the check that forbids floating-point arithmetic on amounts. Plants a floating-point number in each folder that calculates with amounts.
 * The check must find all of them.
 */
async function floatsAreFound(): Promise<string | null> {
  const plants = ['shared/ticket/planted-float.ts', 'shared/signing/planted-float.ts', 'electron/intents/planted-float.ts']
  const remove = () => {
    for (const file of plants) rmSync(inRoot(file), { force: true })
  }
  process.once('exit', remove)
  try {
    for (const file of plants) writeFileSync(inRoot(file), 'export const half = (price: string): number => Number(price) * 0.5\n')
    const problems = floatProblems(tracked())
    const missed = plants.filter((file) => problems.filter((problem) => problem.startsWith(`${file}:1: `)).length < 2)
    return missed.length === 0 ? null : `planted and not found: ${missed.join(', ')}`
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/** Tests the check that forbids English text in code. Plants a sentence in a folder that must not contain English text. The check must find it. */
async function sentencesAreFound(): Promise<string | null> {
  const plants = ['electron/keys/doctor/planted-sentence.ts', 'shared/ticket/planted-sentence.ts']
  const remove = () => {
    for (const file of plants) rmSync(inRoot(file), { force: true })
  }
  process.once('exit', remove)
  try {
    for (const file of plants) writeFileSync(inRoot(file), "export const text = 'The service does not list it any more.'\n")
    const problems = sentenceProblems(tracked())
    const missed = plants.filter((file) => !problems.some((problem) => problem.startsWith(`${file}:1: `)))
    return missed.length === 0 ? null : `planted and not found: ${missed.join(', ')}`
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/**
 * Tests the check that forbids decisions based on display text. Plants code that branches on a label and on a sentence in each part of the product.
 * The check must find each planted piece of code.
 */
async function conditionsAreFound(): Promise<string | null> {
  const plants = ['shared/signing/planted-condition.ts', 'electron/intents/planted-condition.ts', 'renderer/signing/planted-condition.tsx']
  const remove = () => {
    for (const file of plants) rmSync(inRoot(file), { force: true })
  }
  process.once('exit', remove)
  try {
    const planted =
      "export const isOpen = (row: { label: string }, reason: string): boolean => /margin/i.test(row.label) && reason.startsWith('Nobody asked for this')\n"
    for (const file of plants) writeFileSync(inRoot(file), planted)
    const problems = conditionProblems(tracked())
    const missed = plants.filter((file) => problems.filter((problem) => problem.startsWith(`${file}:1: `)).length < 2)
    return missed.length === 0 ? null : `planted and not found: ${missed.join(', ')}`
  } finally {
    remove()
    process.off('exit', remove)
  }
}

/** Tests the check of the style sheets: plants each style that the rules forbid. The check must find all of them. */
async function stylesAreFound(): Promise<string | null> {
  const sheet = 'renderer/features/keys/planted.module.css'
  const page = 'renderer/features/keys/planted.tsx'
  const plants: Readonly<Record<string, string>> = {
    [sheet]: '.planted { padding: 12px; color: #123456; }\n.idle { margin: 0; }\n.planted :global(.trade_trade) { gap: 0; }\n',
    [page]:
      'import styles from \'./planted.module.css\'\n\nexport const Planted = () => <p className={styles.planted}><b className={styles.absent} /><i className="panel" /></p>\n',
    'renderer/features/keys/planted.css': '.everywhere { margin: 0; }\n',
  }
  const wanted = [
    'a length by hand',
    'a colour by hand',
    '.idle is named nowhere',
    'reaches for trade_trade',
    'has no class absent',
    'the class name "panel"',
    'a sheet for all',
  ]
  const remove = () => {
    for (const file of Object.keys(plants)) rmSync(inRoot(file), { force: true })
  }
  process.once('exit', remove)
  try {
    for (const [file, text] of Object.entries(plants)) writeFileSync(inRoot(file), text)
    const problems = styleProblems(tracked())
    const missed = wanted.filter((part) => !problems.some((problem) => /planted/.test(problem) && problem.includes(part)))
    return missed.length === 0 ? null : `planted and not found: ${missed.join(', ')}`
  } finally {
    remove()
    process.off('exit', remove)
  }
}

async function stylesHold(): Promise<string | null> {
  const problems = styleProblems(tracked())
  return problems.length === 0 ? null : problems.join('\n')
}

async function packagesAreAgreed(): Promise<string | null> {
  const read = (file: string) => JSON.parse(readFileSync(inRoot(file), 'utf8')) as unknown
  const problems = lockProblems(read('package-lock.json') as LockFile, read('package.json') as Manifest, agreed) // npm's own files
  // Without `ignore-scripts=true` in .npmrc, npm would run the install scripts of packages.
  if (!/^ignore-scripts=true$/m.test(readFileSync(inRoot('.npmrc'), 'utf8'))) problems.push('.npmrc: ignore-scripts=true is missing')
  return problems.length === 0 ? null : problems.join('\n')
}

const checks: readonly Check[] = [
  { name: 'types', run: async () => wrong(await runTool('tsc', ['--noEmit', '-p', 'tsconfig.json'], { quiet: true })) },
  { name: 'lint and format', run: async () => wrong(await runTool('biome', ['check', '--error-on-warnings', '--colors=off', '.'], { quiet: true })) },
  {
    name: 'unused files, exports and packages',
    run: async () => wrong(await runTool('knip', ['--config', 'build/config/knip.json', '--no-progress'], { quiet: true })),
  },
  {
    name: 'nothing in the product is for tests alone',
    run: async () => wrong(await runTool('knip', ['--config', 'build/config/knip-product.json', '--no-progress', '--no-config-hints'], { quiet: true })),
  },
  { name: 'layers hold', run: layersHold },
  { name: 'layers are really checked (planted violations)', run: layersBite, plants: true },
  { name: 'structure of the project', run: checkStructure },
  { name: 'packages come as agreed', run: packagesAreAgreed },
  { name: 'floating point on amounts is found (planted violations)', run: floatsAreFound, plants: true },
  { name: 'conditions on texts for people are found (planted violations)', run: conditionsAreFound, plants: true },
  { name: 'sentences in main and in forms are found (planted violations)', run: sentencesAreFound, plants: true },
  { name: 'texts, comments and titles of tests are in plain words', run: wordsHold },
  { name: 'roundabout words are found (planted violations)', run: wordsAreFound },
  { name: 'styles are scoped and come from tokens', run: stylesHold },
  { name: 'styles are really checked (planted violations)', run: stylesAreFound, plants: true },
]

async function timed({ name, run }: Check): Promise<CheckResult> {
  const started = performance.now()
  const problem = await run().catch((error: unknown) => String(error))
  return { name, problem, ms: performance.now() - started }
}

/** Runs all checks, two at a time where possible, because most of them use a single core. Checks that plant code run last, one by one. */
export async function* runChecks(): AsyncGenerator<CheckResult> {
  const alone = checks.filter(({ plants }) => plants)
  const together = checks.filter(({ plants }) => !plants)
  const results = together.map(() => Promise.withResolvers<CheckResult>())
  const waiting = together.entries()
  const work = async () => {
    for (const [index, check] of waiting) results[index]?.resolve(await timed(check))
  }
  const done = Promise.all([work(), work()])
  for (const { promise } of results) yield promise
  await done
  for (const check of alone) yield timed(check)
}
