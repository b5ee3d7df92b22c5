import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { Arch, build, Platform } from 'electron-builder'
import { configuration } from '../../config/electron-builder.ts'
import { commandName, release, type Target } from '../../config/release.ts'
import { electronDist } from '../electron-binary.ts'
import { inRoot } from '../project.ts'
import { commitTime } from '../supply/commit.ts'
import { shippedPackages, writeDocuments } from '../supply/write-notices.ts'
import { resourcesFolder } from './icons.ts'
import { addonFor, readManifest, stage } from './stage.ts'
import { makeStandInDist } from './stand-in-dist.ts'
import { makeSvcDesk, nodeProgram, nodeShipped } from './svc-desk-program.ts'

export interface Made {
  readonly target: Target
  /** The finished package files for users. For a system other than this computer’s, `files` contains only the unpacked folder. */
  readonly files: readonly string[]
  /** The folder of the unpacked package; on macOS, its bundle. */
  readonly unpacked: string
  /** The program that runs the app: Electron, or the project’s replacement for Electron if it is not installed. */
  readonly host: 'electron' | 'stand-in'
  /** The folder with Electron’s own files from which the package was made. */
  readonly dist: string
  /** Each shipped npm package as `name version`: the packages in the bundles, and Node inside `svc-desk`. */
  readonly packages: readonly string[]
  readonly hasCommand: boolean
}

const platforms = { linux: Platform.LINUX, darwin: Platform.MAC, win32: Platform.WINDOWS } as const
const arches = { x64: Arch.x64, arm64: Arch.arm64 } as const
const archSuffix = (arch: Target['arch']): string => (arch === 'x64' ? '' : `-${arch}`)
const unpackedName = ({ platform, arch }: Target): string =>
  platform === 'darwin' ? `mac${archSuffix(arch)}/Svc Desk.app` : `${platform === 'win32' ? 'win' : 'linux'}${archSuffix(arch)}-unpacked`

/** The package formats to make. For a system other than this computer’s, only an unpacked folder can be made. */
const formats = (target: Target, host: Made['host']): readonly string[] => {
  if (target.platform !== process.platform) return ['dir']
  if (target.platform === 'linux') return host === 'electron' ? ['deb', 'AppImage', 'rpm'] : ['deb', 'AppImage']
  return target.platform === 'darwin' ? ['dmg', 'zip'] : ['nsis']
}

/**
 * Makes the packages of a target in `folder/<platform>-<arch>`. The result is reproducible: the same commit always produces the same bytes, because
 * every file gets the commit’s time.
 */
export async function makePackages(target: Target, folder: string): Promise<Made> {
  const output = join(folder, `${target.platform}-${target.arch}`)
  const work = join(folder, 'work', `${target.platform}-${target.arch}`)
  rmSync(output, { recursive: true, force: true })
  rmSync(work, { recursive: true, force: true })
  mkdirSync(work, { recursive: true })
  const madeAt = new Date(commitTime(inRoot()) * 1_000)
  process.env.SOURCE_DATE_EPOCH = String(madeAt.getTime() / 1_000)
  const app = join(work, 'app')
  stage(app, { addon: strippedAddon(target, work), madeAt })
  const electronVersion = (JSON.parse(readFileSync(inRoot('node_modules/electron/package.json'), 'utf8')) as { version: string }).version // npm's own file
  const real = target.platform === process.platform && target.arch === process.arch ? electronDist() : null
  const host = real !== null || process.env.SVC_DESK_HOST === 'electron' ? 'electron' : 'stand-in'
  const dist = join(work, 'electron')
  if (host === 'stand-in')
    makeStandInDist(dist, { platform: target.platform, version: electronVersion, program: target.platform === 'win32' ? nodeProgram(target) : null })
  const command = await makeSvcDesk(target, work, madeAt)
  const packages = [...shippedPackages(inRoot(), inRoot('out')), ...(command === null ? [] : [nodeShipped()])]
  const { notices, bill } = writeDocuments(inRoot(), join(work, 'licences'), packages)
  const config = configuration({
    ...{ app, output, resources: resourcesFolder, electronVersion },
    electronDist: host === 'stand-in' ? dist : real,
    beside: { 'THIRD-PARTY-NOTICES.txt': notices, 'sbom.cdx.json': bill, ...chainOf(target, work) },
    command,
  })
  const fpm = documents(work, command !== null)
  const all = formats(target, host)
  const made: string[] = []
  // Only rpm packages need the tool fpm, which must be downloaded. The other formats use a script of this project, so they are made first and
  // separately.
  for (const some of [all.filter((format) => format !== 'rpm'), all.filter((format) => format === 'rpm')]) {
    if (some.length === 0) continue
    if (target.platform === 'linux') prepareLinuxTools(some, host, work)

    made.push(
      ...(await build({
        targets: new Map([[platforms[target.platform], new Map([[arches[target.arch], [...some]]])]]),
        config: { ...config, releaseInfo: { releaseDate: madeAt.toISOString() }, deb: { ...config.deb, fpm: fpm.deb }, rpm: { fpm: fpm.link } },
        projectDir: app,
        publish: 'never',
      })),
    )
  }
  const unpacked = join(output, unpackedName(target))
  if (!existsSync(unpacked)) throw new Error(`no package in ${unpacked}`)
  return {
    ...{ target, unpacked, host, dist: real ?? dist, hasCommand: command !== null },
    files: made.filter((file) => !file.endsWith('.blockmap')),
    packages: packages.map(({ name, version }) => `${name} ${version}`),
  }
}

/** A copy of the keychain addon without debug symbols, which Debian packages must not contain. */
function strippedAddon(target: Target, work: string): string | null {
  const addon = addonFor(target)
  return addon === null || target.platform !== 'linux' ? addon : stripped(addon, join(work, 'keytar.node'))
}

function stripped(file: string, copy: string): string {
  cpSync(file, copy)
  chmodSync(copy, 0o755)
  execFileSync('strip', ['--strip-unneeded', copy], { stdio: ['ignore', 'ignore', 'inherit'] })
  return copy
}

const chainPackages: Readonly<Record<string, string>> = {
  'linux-x64': 'anvil-linux-amd64',
  'linux-arm64': 'anvil-linux-arm64',
  'darwin-x64': 'anvil-darwin-amd64',
  'darwin-arm64': 'anvil-darwin-arm64',
  'win32-x64': 'anvil-win32-amd64',
}

/**
 * The program of practice mode’s local blockchain, if its npm package for this target is installed. Without the program, the app reports that
 * practice mode is not available.
 */
function chainOf({ platform, arch }: Target, work: string): Readonly<Record<string, string>> {
  const program = platform === 'win32' ? 'anvil.exe' : 'anvil'
  const file = inRoot('node_modules/@foundry-rs', chainPackages[`${platform}-${arch}`] ?? 'none', 'bin', program)
  if (!existsSync(file)) return {}
  return { [`anvil/${program}`]: platform === 'linux' ? stripped(file, join(work, program)) : file }
}

/**
 * Configures electron-builder to make Debian packages and AppImages with tools of this system. Without real Electron, the AppImage unpacks itself
 * when it starts.
 */
function prepareLinuxTools(some: readonly string[], host: Made['host'], work: string): void {
  if (some.includes('deb')) process.env.CUSTOM_FPM_PATH = inRoot('build/scripts/package/deb.mjs')
  else delete process.env.CUSTOM_FPM_PATH
  if (host === 'electron' || !some.includes('AppImage')) return
  const tools = join(work, 'appimage')
  const arch = process.arch === 'x64' ? 'x86_64' : 'aarch64'
  mkdirSync(join(tools, 'runtimes'), { recursive: true })
  for (const folder of ['x64', 'arm64']) mkdirSync(join(tools, 'lib', folder), { recursive: true })
  for (const program of ['mksquashfs', 'desktop-file-validate']) symlinkSync(`/usr/bin/${program}`, join(tools, program))
  for (const name of [`runtime-${arch}`, `runtime-${process.arch}`]) writeFileSync(join(tools, 'runtimes', name), appImageRuntime, { mode: 0o755 })
  process.env.APPIMAGE_TOOLS_PATH = tools
}

/**
 * The start program of an AppImage that is made without real Electron. The usual start program mounts the file system that the AppImage contains.
 * This script unpacks that file system instead.
 */
const appImageRuntime = `#!/bin/sh
# A stand-in for the runtime of AppImages, for tests.
folder=$(mktemp -d) && trap 'rm -rf "$folder"' EXIT
unsquashfs -q -n -o 512 -d "$folder/app" "$0" >/dev/null && APPIMAGE=$(readlink -f -- "$0") "$folder/app/AppRun" "$@"
exit $?
`.padEnd(512, '\n')

/** The path at which a Linux shell finds `svc-desk`: a link to the program, which lies beside the app. */
const commandLink = '/usr/bin/svc-desk'

/**
 * Writes the copyright file and the changelog that Debian requires, and the link to `svc-desk`. Returns the arguments that make fpm, the tool that
 * builds Linux packages, add them.
 */
function documents(work: string, hasCommand: boolean): { readonly deb: string[]; readonly link: string[] } {
  const { name, version, license } = readManifest()
  const copyright = join(work, 'copyright')
  const licence = readFileSync(inRoot('LICENSE'), 'utf8').trim()
  writeFileSync(
    copyright,
    `Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nSource: ${release.homepage}\n\nFiles: *\nCopyright: ${/Copyright.*/.exec(licence)?.[0] ?? release.maintainer.name}\nLicense: ${license}\n${licence
      .split('\n')
      .map((line) => ` ${line.trim() || '.'}`)
      .join('\n')}\nComment:\n The works of others, with their licences, are listed in\n /opt/Svc Desk/resources/THIRD-PARTY-NOTICES.txt.\n`,
  )
  const { name: author, email } = release.maintainer
  const date = new Date(Number(process.env.SOURCE_DATE_EPOCH) * 1_000).toUTCString().replace('GMT', '+0000')
  const changes = join(work, 'changelog.gz')
  writeFileSync(
    changes,
    gzipSync(`${name} (${version}) stable; urgency=medium\n\n  * Release ${version}.\n\n -- ${author} <${email}>  ${date}\n`, { level: 9 }),
  )
  const file = join(work, 'svc-desk-link')
  if (hasCommand && process.platform !== 'win32') symlinkSync(`/opt/Svc Desk/${commandName('linux')}`, file)
  const link = hasCommand ? [`${file}=${commandLink}`] : []
  return { deb: [`${copyright}=/usr/share/doc/${name}/copyright`, `${changes}=/usr/share/doc/${name}/changelog.gz`, ...link], link }
}
