import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { extractFile, getRawHeader, listPackage, statFile, uncache } from '@electron/asar'
import { FuseState, FuseV1Options, getCurrentFuseWire } from '@electron/fuses'
import { fuses } from '../../config/fuses.ts'
import { commandName, commandPlace, programName, type Target } from '../../config/release.ts'
import { inRoot } from '../project.ts'
import { addonFile, readManifest, shippedParts } from './stage.ts'
import { seaFuse } from './svc-desk-program.ts'

/** The result of one check of a finished package: the check’s name, and the problem or null. */
export interface Checked {
  readonly name: string
  readonly problem: string | null
}

/** Texts that must not ship: they occur only in code for tests and development, or reveal the computer that made the package. */
const traces = ['sourceMappingURL=', 'autoApprove', 'POST /faults', 'SVC_DESK_PRACTICE_DESCRIPTOR', 'advanceMs', 'BEGIN PRIVATE KEY', '/node_modules/.vite/']

const folderOfResources = (unpacked: string, platform: Target['platform']): string =>
  platform === 'darwin' ? join(unpacked, 'Contents/Resources') : join(unpacked, 'resources')

export interface Unpacked {
  readonly target: Target
  /** The folder of the unpacked package; on macOS, the app’s bundle. */
  readonly unpacked: string
  /** The folder with Electron’s own files from which the package was made. */
  readonly dist: string
  /** The npm packages inside the app’s bundles and inside `svc-desk`, each as `name version`. */
  readonly packages: readonly string[]
  readonly hasCommand: boolean
}

/** Checks a package’s contents: fuses, files, native addon, archive hash, `svc-desk`, licences. */
export async function checkUnpacked({ target: { platform, arch }, unpacked, dist, packages, hasCommand }: Unpacked): Promise<readonly Checked[]> {
  const resources = folderOfResources(unpacked, platform)
  const program = platform === 'darwin' ? unpacked : join(unpacked, programName(platform))
  const archive = join(resources, 'app.asar')
  if (!existsSync(archive)) return [{ name: 'the archive exists', problem: `${archive} is missing` }]
  // The archive library caches archives by path, so an earlier package could still be in its cache.
  uncache(archive)
  const files = filesOf(archive)
  const problems: Checked[] = []
  const check = (name: string, wrong: readonly string[]): void =>
    void problems.push({ name, problem: wrong.length === 0 ? null : wrong.slice(0, 5).join(', ') })

  check('each fuse is set as decided', await wrongFuses(program, platform))
  const allowed = new RegExp(`^(out/(${shippedParts.join('|')})/|package\\.json$|node_modules/keytar/)`)
  check(
    'the archive contains only what was staged',
    files.filter((file) => !allowed.test(file)),
  )
  check(
    'no maps, sources, tests or other variants',
    files.filter((file) => /\.(map|tsx?|test\.js)$|^out\/(hooks|dev|e2e|shots)\//.test(file)),
  )
  const addons = files.filter((file) => file.endsWith('.node'))
  // A package for another system may lack the keychain addon if this computer has no addon for that system. Such a package is made only to be
  // checked.
  const isOwn = platform === process.platform && arch === process.arch
  check('the keychain’s addon is the only one', addons.join() === addonFile || (!isOwn && addons.length === 0) ? [] : [addons.join(', ') || 'no addon'])
  check(
    'addons lie outside the archive',
    addons.filter((file) => !isUnpacked(archive, file) || !existsSync(join(`${archive}.unpacked`, file))),
  )
  const unpackedFiles = files.filter((file) => isUnpacked(archive, file))
  check('nothing lies beside the archive that it does not name', [...strangeFiles(`${archive}.unpacked`, unpackedFiles)])
  check(
    'the resources contain only what was decided',
    readdirSync(resources).filter((name) => !allowedResources.test(name)),
  )
  check('no traces of tests, secrets or this computer', tracesIn(archive, files))
  check('the program names the hash of the archive', wrongHash(unpacked, platform, archive))
  check('the package contains its licences and bill of materials', wrongDocuments(resources, packages))
  check('nothing lies beside the program that Electron does not bring', strangersBeside(unpacked, platform, dist))
  const command = join(unpacked, commandPlace(platform))
  // npm has no Node for macOS, so only a Mac can make `svc-desk` for its own package.
  if (hasCommand || isOwn) check('svc-desk is a program of its own, without traces of tests or this computer', wrongCommand(command))
  if (isOwn && existsSync(command)) check('svc-desk runs without a display and ignores NODE_OPTIONS', wrongRun(command))
  return problems
}

/** Returns the names of unexpected files beside the package’s program. Electron’s own files are expected. */
function strangersBeside(unpacked: string, platform: Target['platform'], dist: string): string[] {
  if (platform === 'darwin') {
    const allowed: Readonly<Record<string, RegExp>> = {
      Contents: /^(Info\.plist|PkgInfo|MacOS|Resources|Frameworks|_CodeSignature|CodeResources)$/,
      'Contents/MacOS': /^(Svc Desk|svc-desk)$/,
    }
    return Object.entries(allowed).flatMap(([folder, names]) => readdirSync(join(unpacked, folder)).filter((name) => !names.test(name)))
  }
  const [place = ''] = commandPlace(platform).split('/')
  const known = new Set([...readdirSync(dist), programName(platform), place, 'resources', 'LICENSE.electron.txt', 'd3dcompiler_47.dll'])
  const strangers = readdirSync(unpacked).filter((name) => !known.has(name))
  if (platform !== 'win32' || !existsSync(join(unpacked, place))) return strangers
  return [...strangers, ...readdirSync(join(unpacked, place)).filter((name) => name !== commandName(platform))]
}

/** Texts that `svc-desk` must not contain. Node’s own program contains none of them. */
const commandTraces = ['autoApprove', 'POST /faults', 'SVC_DESK_PRACTICE_DESCRIPTOR', 'advanceMs']

function wrongCommand(program: string): string[] {
  if (!existsSync(program)) return [`${basename(program)} is missing`]
  const bytes = readFileSync(program)
  const found = [...commandTraces, inRoot('')].filter((trace) => bytes.includes(trace)).map((trace) => `${trace} in ${basename(program)}`)
  return bytes.includes(`${seaFuse}:1`) ? found : [`${basename(program)} contains no command`, ...found]
}

function wrongRun(program: string): string[] {
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, NODE_OPTIONS: '--require ./is-not-there.cjs' }
  const { status, stdout, stderr } = spawnSync(program, ['--version'], { env, encoding: 'utf8' })
  const wanted = `svc-desk ${readManifest().version}\n`
  return status === 0 && stdout === wanted && stderr === '' ? [] : [`${status} ${stdout}${stderr}`.trim().slice(0, 500)]
}

const allowedResources =
  /^(app\.asar(\.unpacked)?|anvil|THIRD-PARTY-NOTICES\.txt|sbom\.cdx\.json|app-update\.yml|apparmor-profile|package-type|\.keep|icon\.icns|electron\.icns|(en|de|ja)(-US)?\.lproj|elevate\.exe|bin)$/

/** The paths of all files in the archive, with `/` between folders. */
function filesOf(archive: string): string[] {
  const all = listPackage(archive, { isPack: false }).map((file) => file.replaceAll('\\', '/').replace(/^\//, ''))
  return all.filter((file) => !('files' in statFile(archive, native(file), false)))
}

const native = (file: string): string => (process.platform === 'win32' ? file.replaceAll('/', '\\') : file)
const isUnpacked = (archive: string, file: string): boolean => {
  const entry = statFile(archive, native(file), false)
  return 'unpacked' in entry && entry.unpacked === true
}

async function wrongFuses(program: string, platform: Target['platform']): Promise<string[]> {
  const { version: _, strictlyRequireAllFuses: __, ...decided } = fuses(platform)
  const wire = (await getCurrentFuseWire(program)) as unknown as Readonly<Record<string, FuseState>> // safe cast: the result contains a state for each fuse number
  const numbers = Object.keys(wire).filter((key) => /^\d+$/.test(key))
  const nameOf = (number: string): string => FuseV1Options[Number(number)] ?? `fuse ${number}`
  const undecided = numbers.filter((number) => !(number in decided)).map((number) => `${nameOf(number)} is not decided`)
  const wrong = Object.entries(decided)
    .filter(([number, on]) => wire[number] !== (on ? FuseState.ENABLE : FuseState.DISABLE))
    .map(([number, on]) => `${nameOf(number)} is not ${on ? 'on' : 'off'}`)
  return [...undecided, ...wrong]
}

function* strangeFiles(folder: string, known: readonly string[], inside = ''): Generator<string> {
  if (!existsSync(join(folder, inside))) return
  for (const entry of readdirSync(join(folder, inside), { withFileTypes: true })) {
    const file = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (entry.isDirectory()) yield* strangeFiles(folder, known, file)
    else if (!known.includes(file)) yield file
  }
}

function tracesIn(archive: string, files: readonly string[]): string[] {
  const home = process.env.HOME === undefined || process.env.HOME === '/' ? [] : [`${process.env.HOME}/`]
  const texts = files.filter((file) => /\.(js|cjs|mjs|html|css|json)$/.test(file))
  return texts.flatMap((file) => {
    const text = extractFile(archive, native(file)).toString('utf8')
    return [...traces, ...home].filter((trace) => text.includes(trace)).map((trace) => `${trace} in ${file}`)
  })
}

/**
 * Compares the archive with the hash in Electron’s program (Windows) or bundle (macOS). Returns the problem; an empty list if there is none. Electron
 * does not start if the hash is wrong.
 */
function wrongHash(unpacked: string, platform: Target['platform'], archive: string): string[] {
  if (platform === 'linux') return []
  const hash = createHash('sha256').update(getRawHeader(archive).headerString).digest('hex')
  const holder = platform === 'darwin' ? join(unpacked, 'Contents/Info.plist') : join(unpacked, programName(platform))
  return readFileSync(holder).includes(hash) ? [] : [`${basename(holder)} does not contain ${hash.slice(0, 12)}…`]
}

/** Compares the licence notices and the bill of materials with the npm packages inside the bundles. Returns the problems. */
function wrongDocuments(resources: string, packages: readonly string[]): string[] {
  const notices = join(resources, 'THIRD-PARTY-NOTICES.txt')
  const bill = join(resources, 'sbom.cdx.json')
  if (!existsSync(notices) || !existsSync(bill)) return [existsSync(notices) ? 'no bill of materials' : 'no notices']
  const { components } = JSON.parse(readFileSync(bill, 'utf8')) as { components: { name: string; version: string }[] } // written by `billOfMaterials`
  const billed = components.map(({ name, version }) => `${name} ${version}`)
  const noticed = readFileSync(notices, 'utf8')
    .split(`\n\n${'-'.repeat(80)}\n\n`)
    .map((block) => block.split('\n')[0] ?? '')
  return [
    ...packages.filter((one) => !noticed.includes(one)).map((one) => `no notice of ${one}`),
    ...packages.filter((one) => !billed.includes(one)).map((one) => `${one} is not in the bill`),
    ...billed.filter((one) => !packages.includes(one)).map((one) => `${one} is in the bill, but not shipped`),
    ...noticed.filter((one) => /^(@[^ ]+\/)?[a-z][^ ]* \d[^ ]*$/.test(one) && !packages.includes(one)).map((one) => `a notice of ${one}, which is not shipped`),
  ]
}

/** Lintian errors to ignore: the package is installed in /opt, as packages of Electron apps usually are, and Node brings its own libraries. */
const lintianKnown = /dir-or-file-in-opt|embedded-library \w+ \[opt\/Svc Desk\/svc-desk\]/

/**
 * Checks a Debian package with Debian’s own checker (lintian). Also checks the package’s size without the programs of Electron and Node, and the link
 * that lets a shell find `svc-desk`.
 */
export function checkDeb(file: string): readonly Checked[] {
  const listed = execFileSync('dpkg-deb', ['--contents', file], { encoding: 'utf8' })
  const isLinked = /^lrwx.* \.\/usr\/bin\/svc-desk -> \/opt\/Svc Desk\/svc-desk$/m.test(listed) && /^-rwxr-xr-x .* \.\/opt\/Svc Desk\/svc-desk$/m.test(listed)
  return [
    { name: 'lintian finds no error', problem: lintianErrors(file) },
    { name: 'the package has at most 15 MB without the programs of Electron and Node', problem: tooLarge(bytesWithoutNode(file)) },
    { name: '/usr/bin/svc-desk leads to the program', problem: isLinked ? null : 'there is no such link or program' },
  ]
}

/** Compresses the package’s files again without the program `svc-desk`, which consists almost only of Node. Returns their compressed size in bytes. */
function bytesWithoutNode(file: string): number {
  const script = 'dpkg-deb --fsys-tarfile "$1" | tar --delete "./opt/Svc Desk/svc-desk" | xz -6 | wc -c'
  return Number(execFileSync('bash', ['-o', 'pipefail', '-c', script, '_', file], { encoding: 'utf8' }))
}

function lintianErrors(file: string): string | null {
  const ran = lintian(file)
  const errors = ran.split('\n').filter((line) => line.startsWith('E:') && !lintianKnown.test(line))
  return errors.length === 0 ? null : errors.slice(0, 5).join('\n')
}

function lintian(file: string): string {
  try {
    return execFileSync('lintian', ['--fail-on', 'none', '--allow-root', '--tag-display-limit', '0', file], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    })
  } catch (error) {
    throw new Error('lintian did not run', { cause: error })
  }
}

const mostBytes = 15_000_000
const tooLarge = (bytes: number): string | null => (bytes <= mostBytes ? null : `${(bytes / 1e6).toFixed(2)} MB`)
