import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build } from 'vite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bundledPackages, packageFolder } from './bundled-packages.ts'
import { commitOf, reportsTo } from './commit.ts'
import { billOfMaterials, distinct, noticesText, readShipped } from './notices.ts'
import { billFile, bundledFolder, noticesFile, pageLicencesFile, writeNotices } from './write-notices.ts'

let root: string
const put = (file: string, text: string) => {
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
}
const manifest = (folder: string, name: string, version: string, license = 'MIT') => {
  put(`${folder}/package.json`, JSON.stringify({ name, version, license, type: 'module', exports: './index.js', sideEffects: false }))
  put(`${folder}/LICENSE`, `Terms of ${name}.`)
}

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-desk-notices-'))
  put('LICENSE', 'Terms of the app.\n')
  put('package.json', JSON.stringify({ name: 'app', version: '3.2.1', license: 'MIT' }))
  put('renderer/kit/fonts/LICENSE.txt', 'Terms of the fonts.')
  for (const name of ['keytar', 'electron']) manifest(`node_modules/${name}`, name, '1.0.0')
  manifest('node_modules/used', 'used', '1.0.0')
  put('node_modules/used/index.js', `import { inner } from 'inner'\nexport const used = () => inner('used')`)
  manifest('node_modules/used/node_modules/inner', 'inner', '1.0.0')
  put('node_modules/used/node_modules/inner/index.js', 'export const inner = (name) => console.log(name, 1)')
  manifest('node_modules/inner', 'inner', '2.0.0')
  put('node_modules/inner/index.js', 'export const inner = (name) => console.log(name, 2)')
  manifest('node_modules/@scope/part', '@scope/part', '1.0.0', '(MIT OR GPL-3.0)')
  put('node_modules/@scope/part/index.js', 'export const part = () => console.log("part")')
  manifest('node_modules/shaken-out', 'shaken-out', '1.0.0')
  put('node_modules/shaken-out/index.js', 'export const never = () => console.log("never")')
  manifest('node_modules/not-asked-for', 'not-asked-for', '1.0.0')
  put(
    'main.js',
    `import { part } from '@scope/part'\nimport { inner } from 'inner'\nimport { never } from 'shaken-out'\nimport { used } from 'used'\nused()\ninner('main')\npart()\n`,
  )
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

async function built(): Promise<string> {
  const out = join(root, 'out')
  await build({
    root,
    logLevel: 'silent',
    plugins: [bundledPackages({ root, file: join(bundledFolder(out), 'main.json') })],
    build: { outDir: join(out, 'main'), rollupOptions: { input: join(root, 'main.js') } },
  })
  return out
}

test('the build’s list of bundled packages includes nested copies, but no packages that are unused or removed by tree-shaking', async () => {
  const out = await built()
  expect(JSON.parse(readFileSync(join(bundledFolder(out), 'main.json'), 'utf8'))).toEqual([
    'node_modules/@scope/part',
    'node_modules/inner',
    'node_modules/used',
    'node_modules/used/node_modules/inner',
  ])
})

test('the build’s licence notices and bill of materials list all shipped packages, and a second run writes the same bill of materials', async () => {
  const out = await built()
  writeNotices(root, out)
  const names = ['@scope/part@1.0.0', 'electron@1.0.0', 'inner@1.0.0', 'inner@2.0.0', 'keytar@1.0.0', 'used@1.0.0']
  const first = readFileSync(billFile(out), 'utf8')
  const bill = JSON.parse(first)
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', metadata: { component: { name: 'svc-desk', version: '3.2.1' } } })
  expect(bill.components.map(({ name, version }: { name: string; version: string }) => `${name}@${version}`)).toEqual(names)
  expect(bill.components[0]).toMatchObject({ purl: 'pkg:npm/%40scope/part@1.0.0', licenses: [{ expression: '(MIT OR GPL-3.0)' }] })
  const notices = readFileSync(noticesFile(out), 'utf8')
  for (const name of names) expect(notices).toContain(`${name.replace(/@([^@]+)$/, ' $1')}\n`)
  for (const text of ['Terms of used.', 'Terms of @scope/part.', 'Terms of the fonts.']) expect(notices).toContain(text)
  writeNotices(root, out)
  expect(readFileSync(billFile(out), 'utf8')).toBe(first)
})

test('the licence page lists the app first, then the shipped packages, then parts that are not packages, such as fonts', async () => {
  const out = await built()
  writeNotices(root, out)
  const { licences } = await import(pathToFileURL(pageLicencesFile(out)).href)
  const names = ['@scope/part', 'electron', 'inner', 'inner', 'keytar', 'used']
  expect(licences.map(({ name }: { name: string }) => name)).toEqual(['app', ...names, 'Inter and JetBrains Mono'])
  expect(licences[0]).toEqual({ name: 'app', version: '3.2.1', licence: 'MIT', text: 'Terms of the app.' })
  expect(licences.at(-1)).toEqual({ name: 'Inter and JetBrains Mono', version: null, licence: 'OFL-1.1', text: 'Terms of the fonts.' })
})

test.each([
  [{}, null],
  [{ bugs: 'https://desk.example/bugs' }, 'https://desk.example/bugs'],
  [{ bugs: { email: 'help@desk.example' } }, 'help@desk.example'],
  [{ bugs: { url: 'https://desk.example/bugs', email: 'help@desk.example' }, repository: 'x' }, 'https://desk.example/bugs'],
  [{ repository: { url: 'git+https://desk.example/code.git' } }, 'https://desk.example/code'],
])('the build reads from the package manifest %j where users can report problems: %s', (manifest, address) => {
  expect(reportsTo(manifest)).toBe(address)
})

test('the build information names the git commit and whether files differ from it; outside a git repository, it names no commit', () => {
  const folder = join(root, 'repository')
  mkdirSync(join(folder, 'inner'), { recursive: true })
  const git = (...words: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...words], { cwd: folder, stdio: 'ignore' })
  git('init', '-q')
  expect(commitOf(folder)).toBeNull()
  put('repository/file', 'one')
  git('add', 'file')
  git('commit', '-q', '-m', 'one')
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}$/)
  put('repository/file', 'two')
  expect(commitOf(folder)).toMatch(/^[0-9a-f]{12}-dirty$/)
  expect(commitOf(join(folder, 'inner'))).toBeNull()
})

test('the build fails if it would ship a package whose licence is not allowed', async () => {
  const out = await built()
  manifest('node_modules/used', 'used', '1.0.0', 'AGPL-3.0-only')
  expect(() => writeNotices(root, out)).toThrow('not among the agreed licences: used (AGPL-3.0-only)')
  put('node_modules/used/package.json', JSON.stringify({ name: 'used', version: '1.0.0' }))
  expect(() => writeNotices(root, out)).toThrow('node_modules/used states no name, version or licence')
  manifest('node_modules/used', 'used', '1.0.0')
})

test('for a package without a licence text, the build’s licence notices name the licence from the package’s manifest', () => {
  const bare = { name: 'bare', version: '1.0.0', licence: 'MIT', text: null }
  expect(noticesText(distinct([bare, bare]), [])).toMatch(/bare 1\.0\.0\nMIT\n\nIt brings no text/)
  expect(JSON.parse(billOfMaterials('1.0.0', [bare])).components).toHaveLength(1)
  expect(readShipped(root, 'node_modules/inner')).toEqual({ name: 'inner', version: '2.0.0', licence: 'MIT', text: 'Terms of inner.' })
})

test.each([
  ['/app/node_modules/viem/_esm/index.js', 'node_modules/viem'],
  ['\0/app/node_modules/@a/b/x.js?commonjs-proxy', 'node_modules/@a/b'],
  ['/app/node_modules/a/node_modules/b/c.css', 'node_modules/a/node_modules/b'],
  ['/app/electron/main.ts', null],
  ['\0vite/preload-helper.js', null],
])('the build recognises that the module %s belongs to the package %s', (id, folder) => {
  expect(packageFolder('/app', id)).toBe(folder)
})
