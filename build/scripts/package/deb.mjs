#!/usr/bin/env node
// Makes a Debian package with dpkg-deb, from the command line that electron-builder gives to `fpm -s dir -t deb`. Unlike fpm, it needs no Ruby, and the
// same files always give the same bytes. Reads SOURCE_DATE_EPOCH (seconds) for the time of all files.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  lstatSync,
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** @type {Map<string, string[]>} The values of each command-line option, by the option’s name. */
const options = new Map()
/** @type {string[]} The files to package, each as `from=to`. */
const mappings = []
const words = process.argv.slice(2)
for (let at = 0; at < words.length; at++) {
  const word = words[at] ?? ''
  if (word === '--force' || word === '--debug') continue
  if (!word.startsWith('-')) {
    mappings.push(word)
    continue
  }
  const [name = '', value = words[++at] ?? ''] = word.split(/=(.*)/s)
  options.set(name, [...(options.get(name) ?? []), value])
}
/**
 * All values of a command-line option.
 * @param {string} name
 */
const all = (name) => options.get(name) ?? []
/**
 * The last value of a command-line option; empty if the option is missing.
 * @param {string} name
 */
const one = (name) => all(name).at(-1) ?? ''
/**
 * The last value of a command-line option. Ends the process if the option is missing.
 * @param {string} name
 */
const required = (name) => one(name) || fail(`${name} is missing`)

/**
 * Prints the error and ends the process.
 * @param {string} why @returns {never}
 */
function fail(why) {
  process.stderr.write(`deb: ${why}\n`)
  process.exit(1)
}

if (one('-t') !== 'deb') fail(`makes Debian packages only, not ${one('-t')}`)
const seconds = Number(process.env.SOURCE_DATE_EPOCH)
if (!Number.isSafeInteger(seconds)) fail('SOURCE_DATE_EPOCH is missing')
const time = new Date(seconds * 1_000)

/**
 * Calls `visit` for each file and folder below `folder`, in a fixed order.
 * @param {string} folder @param {(file: string, about: import('node:fs').Stats) => void} visit
 */
function walk(folder, visit) {
  for (const name of readdirSync(folder).sort()) {
    const file = join(folder, name)
    const about = lstatSync(file)
    if (about.isDirectory()) walk(file, visit)
    visit(file, about)
  }
}

const root = mkdtempSync(join(tmpdir(), 'deb-'))
try {
  for (const mapping of mappings) {
    const cut = mapping.lastIndexOf('=')
    const to = join(root, mapping.slice(cut + 1))
    mkdirSync(dirname(to), { recursive: true })
    const from = mapping.slice(0, cut).replace(/\/$/, '')
    // A link points to where the package is installed, so its target need not exist here.
    if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to)
    else cpSync(from, to, { recursive: true, verbatimSymlinks: true })
  }
  /** @type {string[]} The lines of the file `md5sums`: the hash and the path of each file. */
  const sums = []
  let bytes = 0
  walk(root, (file, about) => {
    if (about.isSymbolicLink()) return
    if (about.isDirectory()) return chmodSync(file, 0o755)
    bytes += about.size
    sums.push(`${createHash('md5').update(readFileSync(file)).digest('hex')}  ${file.slice(root.length + 1)}`)
    chmodSync(file, about.mode & 0o111 ? 0o755 : 0o644)
  })
  const debian = join(root, 'DEBIAN')
  mkdirSync(debian)
  const [summary = '', ...more] = one('--description').split('\n')
  const control = [
    ['Package', required('--name')],
    ['Version', required('--version')],
    ['Architecture', required('--architecture')],
    ['Maintainer', required('--maintainer')],
    ['Installed-Size', String(Math.ceil(bytes / 1024))],
    ['Depends', all('-d').join(', ')],
    ['Recommends', all('--deb-recommends').join(', ')],
    ['Section', required('--category')],
    ['Priority', one('--deb-priority') || 'optional'],
    ['Homepage', required('--url')],
    ['Description', [summary.trim(), ...more.map((line) => ` ${line.trim() || '.'}`)].join('\n')],
  ]
  const lines = control.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}`)
  writeFileSync(join(debian, 'control'), `${lines.join('\n')}\n`)
  writeFileSync(join(debian, 'md5sums'), `${sums.join('\n')}\n`)
  for (const [script, option] of [
    ['postinst', '--after-install'],
    ['postrm', '--after-remove'],
  ]) {
    const given = one(option ?? '')
    if (given !== '') writeFileSync(join(debian, script ?? ''), readFileSync(given), { mode: 0o755 })
  }
  walk(root, (file) => lutimesSync(file, time, time))
  for (const folder of [debian, root]) chmodSync(folder, 0o755)
  lutimesSync(root, time, time)
  const file = required('--package')
  rmSync(file, { force: true })
  execFileSync('dpkg-deb', ['--root-owner-group', '-Zxz', '-z6', '--uniform-compression', '--build', root, file], { stdio: ['ignore', 'ignore', 'inherit'] })
} finally {
  rmSync(root, { recursive: true, force: true })
}
