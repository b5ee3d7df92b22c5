import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { lstatSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { inRoot } from '../project.ts'

/** Files that the packager writes about its own run. They do not ship. */
const aboutTheRun = /^(work\/|made\.json$)|(^|\/)builder-(debug|effective-config)\.ya?ml$/

/** Returns each file in a folder with its hash. A link has its target instead of a hash. For a program, the hash is followed by the word `program`. */
export function hashesIn(folder: string, inside = ''): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  for (const name of readdirSync(join(folder, inside)).sort()) {
    const file = inside === '' ? name : `${inside}/${name}`
    const about = lstatSync(join(folder, file))
    if (aboutTheRun.test(about.isDirectory() ? `${file}/` : file)) continue
    if (about.isDirectory()) for (const [path, hash] of hashesIn(folder, file)) found.set(path, hash)
    else if (about.isSymbolicLink()) found.set(file, `-> ${readlinkSync(join(folder, file))}`)
    else
      found.set(
        file,
        `${createHash('sha256')
          .update(readFileSync(join(folder, file)))
          .digest('hex')}${about.mode & 0o111 ? ' program' : ''}`,
      )
  }
  return found
}

/** Returns the files that differ, or that only one of the two folders contains. */
export const differences = (one: ReadonlyMap<string, string>, other: ReadonlyMap<string, string>): readonly string[] =>
  [...new Set([...one.keys(), ...other.keys()])].filter((file) => one.get(file) !== other.get(file)).sort()

const shown = /\.(deb|AppImage|rpm)$|resources\/app\.asar$|(^|\/)svc-desk(\.exe)?$/i

/**
 * Makes all packages of the last commit twice, in two new folders of different names and in different time zones, and compares every byte. Returns
 * whether they are equal. Linux only.
 */
export function buildTwice(): boolean {
  // Both builds are of this commit, even if there is a newer one when the second begins.
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: inRoot('.'), encoding: 'utf8' }).trim()
  const [one, other] = (['one', 'another folder'] as const).map((name, index) => {
    const folder = inRoot('out/twice', name)
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(inRoot('out/twice'), { recursive: true })
    execFileSync('git', ['clone', '--quiet', '--no-hardlinks', inRoot('.'), folder])
    execFileSync('git', ['checkout', '--quiet', '--detach', commit], { cwd: folder })
    execFileSync('cp', ['-al', inRoot('node_modules'), inRoot('.toolchain'), folder])
    const made = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', join(folder, 'build/scripts/tasks/package.ts')], {
      cwd: folder,
      env: { ...process.env, TZ: index === 0 ? 'UTC' : 'Asia/Tokyo' },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    if (made.status !== 0) throw new Error(`no packages in ${folder}`)
    const hashes = hashesIn(join(folder, 'out/packages'))
    rmSync(folder, { recursive: true, force: true })
    return hashes
  })
  if (one === undefined || other === undefined || one.size < 20) throw new Error('there is too little to compare')
  for (const [file, hash] of one) if (shown.test(file)) process.stdout.write(`${hash.slice(0, 64)}  ${file}\n`)
  const different = differences(one, other)
  for (const file of different) process.stdout.write(`differs: ${file}\n`)
  process.stdout.write(`${one.size} files of two builds in two folders: ${different.length === 0 ? 'all equal' : `${different.length} differ`}\n`)
  return different.length === 0
}
