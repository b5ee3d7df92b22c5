import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type TextOutcome, type WalkParts, walk } from './walk.ts'

let root: string
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'svc-desk-walk-'))
})
afterEach(() => rmSync(root, { recursive: true, force: true }))

const write = (name: string, text: string | Buffer = 'x\n') => {
  mkdirSync(dirname(join(root, name)), { recursive: true })
  writeFileSync(join(root, name), text)
}

const git = (args: readonly string[], input = '', fold = false): string =>
  execFileSync('git', ['-C', root, '-c', `core.ignorecase=${fold}`, ...args], {
    input,
    encoding: 'latin1',
    env: { PATH: process.env.PATH, HOME: root, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: join(root, 'none') },
    maxBuffer: 64 * 1_048_576,
  })

function gitIgnored(names: readonly string[], fold: boolean): string[] {
  try {
    return git(['check-ignore', '--no-index', '--stdin', '-z'], Buffer.from(names.join('\0')).toString('latin1'), fold)
      .split('\0')
      .filter(Boolean)
      .map((name) => Buffer.from(name, 'latin1').toString())
  } catch (error) {
    if ((error as { status?: number }).status === 1) return []
    throw error
  }
}

async function walked(parts: Partial<WalkParts> = {}) {
  const skipped: string[] = []
  const unread: { path: string; why: TextOutcome | 'tracked_unknown' }[] = []
  const files: { name: string; ignored: boolean }[] = []
  const base = parts.root ?? root
  const all: WalkParts = {
    root,
    ignoredToo: false,
    fold: false,
    onFolder: () => {},
    onSkipped: (what) => skipped.push(what),
    onUnread: (path, why) => unread.push({ path, why }),
    ...parts,
  }
  for await (const { path, ignored } of walk(all)) files.push({ name: path.slice(base.length + 1), ignored })
  return { files, skipped, unread, names: files.map(({ name }) => name) }
}

const names = ['a', 'b', 'ab', 'a.log', 'b.txt', 'build', 'é.log', '[x]', 'A.LOG', 'a b ', '#a', '!b'] as const
const tree = [
  ...names.map((name) => `${name}.f`),
  ...names,
  ...['d', 'e', 'Build.d'].flatMap((folder) => [
    ...names.map((name) => `${folder}/${name}`),
    ...names.map((name) => `${folder}/e/${name}`),
    `${folder}/e/x/y/a`,
  ]),
]
const pieces = [
  'a',
  'b',
  'A',
  '*',
  '**',
  '?',
  '/',
  '/**/',
  '**/',
  '/**',
  '[a-c]',
  '[!a]',
  '[^/]',
  '[[:alpha:]]',
  '[]x]',
  '[',
  '\\',
  '\\*',
  '.log',
  'é',
  '.',
  'build',
  'd',
  'e',
  ' ',
]
const pattern = fc.tuple(
  fc.constantFrom('', '', '!', '/', '!/', '#', '\\#'),
  fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 4 }),
  fc.constantFrom('', '', '/', '/**', ' ', '\\ ', '\r'),
)
const rules = fc.array(
  pattern.map(([sign, parts, end]) => `${sign}${parts.join('')}${end}`),
  { minLength: 1, maxLength: 5 },
)

test.each([false, true])(
  'the leak scan ignores the same files as git, for any ignore rules at any depth (letter case ignored: %s)',
  async (fold) => {
    git(['init', '--quiet'])
    const cases = fc.sample(fc.tuple(rules, rules, rules), { numRuns: 40, seed: fold ? 2 : 1 })
    // Each case is a folder with its own ignore rules and with rules in two levels of subfolders. One git call checks all cases.
    for (const [index, [top, middle, deep]] of cases.entries()) {
      for (const name of tree) write(`c${index}/${name}`)
      for (const [folder, lines] of [
        ['', top],
        ['d/', middle],
        ['d/e/', deep],
      ] as const)
        write(`c${index}/${folder}.gitignore`, lines.join('\n'))
    }
    const { files } = await walked({ ignoredToo: true, fold })
    expect(files.length).toBeGreaterThan(40 * tree.length)
    const byGit = new Set(
      gitIgnored(
        files.map(({ name }) => name),
        fold,
      ),
    )
    expect(byGit.size).toBeGreaterThan(files.length / 10)
    const wrong = files
      .filter(({ name, ignored }) => ignored !== byGit.has(name))
      .map(({ name, ignored }) => ({ name, ignored, rules: cases[Number(name.slice(1).split('/')[0])] }))
    expect(wrong.slice(0, 3)).toEqual([])
  },
  60_000,
)

test.each(['?', '??', '[!a]', '[!a][!a]', '[é]', 'é', '[^[:alpha:]]*'])(
  'the leak scan matches a non-ASCII letter as two bytes in the ignore rule %s, as git does',
  async (rule) => {
    git(['init', '--quiet'])
    write('.gitignore', `${rule}\n`)
    for (const name of ['a', 'b', 'é', 'éé', 'é/a']) if (name !== 'é') write(name)
    write('d/é')
    const { files } = await walked({ ignoredToo: true })
    const ignored = files.filter((file) => file.ignored).map(({ name }) => name)
    expect(ignored.sort()).toEqual(
      gitIgnored(
        files.map(({ name }) => name),
        false,
      ).sort(),
    )
    // `é` is two bytes in UTF-8. If the app compared UTF-16 characters, it would ignore other files than git does.
    expect(ignored.includes('éé')).toBe(rule === '[^[:alpha:]]*')
  },
)

test('the leak scan finds the same files that no ignore rule matches, whether or not it also reads ignored files', async () => {
  write('.gitignore', 'out/\n*.log\n!keep.log\n')
  for (const name of ['a.ts', 'a.log', 'keep.log', 'out/keep.log', 'src/a.log', 'src/out']) write(name)
  expect((await walked()).names).toEqual(['.gitignore', 'a.ts', 'keep.log', 'src/out'])
  const all = await walked({ ignoredToo: true })
  expect(all.files.filter(({ ignored }) => !ignored).map(({ name }) => name)).toEqual(['.gitignore', 'a.ts', 'keep.log', 'src/out'])
  expect(all.files.filter(({ ignored }) => ignored).map(({ name }) => name)).toEqual(['a.log', 'out/keep.log', 'src/a.log'])
})

test('the leak scan applies the git ignore rules of the chosen folder, of the work tree’s parent folders, and of info/exclude', async () => {
  git(['init', '--quiet', 'work'])
  write('.gitignore', '*\n')
  write('work/.gitignore', 'secret*\n/src/deep/x\n')
  write('work/.git/info/exclude', 'local\n')
  for (const name of ['secrets.env', 'local', 'deep/x', 'x']) write(`work/src/${name}`)
  expect((await walked({ root: join(root, 'work/src') })).names).toEqual(['x'])
})

test('the leak scan reads the chosen folder even if a git ignore rule matches it, and follows the rules of a nested work tree there', async () => {
  git(['init', '--quiet'])
  git(['init', '--quiet', 'vendor/own'])
  write('.gitignore', 'vendor/\n*.env\n')
  write('vendor/own/bot.env')
  write('vendor/b.env')
  const { names: read, skipped } = await walked({ root: join(root, 'vendor') })
  expect(read).toEqual(['b.env', 'own/bot.env'])
  expect(skipped).toEqual(['git'])
  write('.gitignore', '*.env\n')
  write('vendor/own/.git/info/exclude', 'local\n')
  write('vendor/own/local')
  expect((await walked()).names).toEqual(['.gitignore', 'vendor/own/bot.env'])
})

test('the leak scan follows no link in a folder, skips git’s own folder, and reports the paths that it skipped', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'svc-desk-elsewhere-'))
  try {
    writeFileSync(join(elsewhere, 'a.env'), 'x')
    git(['init', '--quiet'])
    symlinkSync(elsewhere, join(root, 'folder'))
    symlinkSync(join(elsewhere, 'a.env'), join(root, 'file'))
    symlinkSync(root, join(root, 'loop'))
    execFileSync('mkfifo', [join(root, 'pipe')])
    write('b.env')
    const { names: read, skipped } = await walked({ ignoredToo: true })
    expect(read).toEqual(['b.env'])
    expect(skipped.sort()).toEqual(['git', 'link', 'link', 'link', 'special'])
  } finally {
    rmSync(elsewhere, { recursive: true, force: true })
  }
})

test('the leak scan reports that it could not read a missing folder', async () => {
  const { unread, files } = await walked({ root: join(root, 'gone') })
  expect(unread).toEqual([{ path: join(root, 'gone'), why: 'changed' }])
  expect(files).toEqual([])
})

test('the leak scan takes little time to compare git ignore rules with many stars with a long file name', async () => {
  write('.gitignore', `${'*a'.repeat(40)}*b\n${'**/a/'.repeat(40)}b\n`)
  write('a'.repeat(250))
  write(`${'a/'.repeat(60)}c`)
  expect((await walked()).names).toHaveLength(3)
}, 5_000)
