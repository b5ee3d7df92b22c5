import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPackageWithOptions, getRawHeader } from '@electron/asar'
import { FuseV1Options, flipFuses } from '@electron/fuses'
import { afterEach, expect, test } from 'vitest'
import { fuses } from '../../config/fuses.ts'
import { commandPlace, programName, type Target } from '../../config/release.ts'
import { checkUnpacked, type Unpacked } from './check.ts'
import { addonFile, readManifest } from './stage.ts'
import { makeStandInDist } from './stand-in-dist.ts'
import { seaFuse } from './svc-desk-program.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})
const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'package-'))
  folders.push(folder)
  return folder
}
const put = (folder: string, file: string, text: string): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true })
  writeFileSync(join(folder, file), text)
}

const linux: Target = { platform: 'linux', arch: process.arch === 'arm64' ? 'arm64' : 'x64' }
const mac: Target = { platform: 'darwin', arch: 'arm64' }
const windows: Target = { platform: 'win32', arch: 'x64' }

interface Planted {
  readonly app?: (folder: string) => void
  readonly done?: (unpacked: string, resources: string) => void | Promise<void>
  readonly unpack?: string
}

/** A shell script that passes for `svc-desk`: it contains the mark of a Node program with an app inside, and prints a version. */
const command = (says = `svc-desk ${readManifest().version}`) => `#!/bin/sh\necho '${says}'\nexit 0\n${seaFuse}:1\n`

async function packaged(target: Target, { app, done, unpack = '**/*.node' }: Planted = {}): Promise<Unpacked> {
  const [source, unpackedFolder] = [newFolder(), newFolder()]
  for (const [file, text] of Object.entries({ 'package.json': '{}', 'out/main/index.js': 'start()', 'out/renderer/index.html': '<p>' })) put(source, file, text)
  put(source, addonFile, 'addon')
  put(source, 'node_modules/keytar/package.json', '{}')
  app?.(source)
  const dist = newFolder()
  for (const folder of [dist, unpackedFolder]) makeStandInDist(folder, { platform: target.platform, version: '45.0.0', program: windowsProgram(target) })
  rmSync(join(unpackedFolder, 'resources'), { recursive: true, force: true })
  const isMac = target.platform === 'darwin'
  const unpacked = isMac ? join(unpackedFolder, 'Svc Desk.app') : unpackedFolder
  if (isMac) renameSync(join(unpackedFolder, 'Electron.app'), unpacked)
  else renameSync(join(unpackedFolder, target.platform === 'win32' ? 'electron.exe' : 'electron'), join(unpackedFolder, programName(target.platform)))
  await flipFuses(isMac ? unpacked : join(unpacked, programName(target.platform)), fuses(target.platform))
  mkdirSync(dirname(join(unpacked, commandPlace(target.platform))), { recursive: true })
  writeFileSync(join(unpacked, commandPlace(target.platform)), command(), { mode: 0o755 })
  const resources = isMac ? join(unpacked, 'Contents/Resources') : join(unpacked, 'resources')
  mkdirSync(resources, { recursive: true })
  await createPackageWithOptions(source, join(resources, 'app.asar'), { unpack })
  put(resources, 'THIRD-PARTY-NOTICES.txt', notices('keytar 7.9.0'))
  put(resources, 'sbom.cdx.json', JSON.stringify({ components: [{ name: 'keytar', version: '7.9.0' }] }))
  const hash = createHash('sha256')
    .update(getRawHeader(join(resources, 'app.asar')).headerString)
    .digest('hex')
  if (isMac) {
    renameSync(join(unpacked, 'Contents/MacOS/Electron'), join(unpacked, 'Contents/MacOS/Svc Desk'))
    appendFileSync(join(unpacked, 'Contents/Info.plist'), `<!-- ${hash} -->`)
  } else if (target.platform === 'win32') appendFileSync(join(unpacked, programName('win32')), hash)
  await done?.(unpacked, resources)
  return { target, unpacked, dist, packages: ['keytar 7.9.0'], hasCommand: true }
}

/** The text of a licence notices file. `packages`: the npm packages that the file lists, each as `name version`. */
const notices = (...packages: string[]): string =>
  ['Svc Desk contains the following works of others.', ...packages.map((one) => `${one}\nMIT\n\nText`)].join(`\n\n${'-'.repeat(80)}\n\n`)

/** The smallest 64-bit Windows program with room for Electron’s fuses: headers, and one section of read-only data. null for other systems. */
function windowsProgram({ platform }: Target): string | null {
  if (platform !== 'win32') return null
  const program = Buffer.alloc(0x600)
  program.writeUInt32LE(0x80, 0x3c)
  program.writeUInt16LE(1, 0x80 + 6)
  program.writeUInt16LE(240, 0x80 + 20)
  const section = 0x80 + 24 + 240
  program.write('.rdata', section, 'latin1')
  program.writeUInt32LE(0x10, section + 8)
  program.writeUInt32LE(0x200, section + 16)
  program.writeUInt32LE(0x400, section + 20)
  const file = join(newFolder(), 'program.exe')
  writeFileSync(file, program)
  return file
}

const failed = async (target: Target, planted?: Planted): Promise<readonly string[]> =>
  (await checkUnpacked(await packaged(target, planted))).filter(({ problem }) => problem !== null).map(({ name, problem }) => `${name}: ${problem}`)

test.each([linux, mac, windows])('the package check reports no problem in a correct package for $platform', async (target) => {
  expect(await failed(target)).toEqual([])
})

test.each<[string, Planted, string]>([
  [
    'a package of the folders above',
    { app: (folder) => put(folder, 'node_modules/react/index.js', '') },
    'the archive contains only what was staged: node_modules/react/index.js',
  ],
  ['a source map', { app: (folder) => put(folder, 'out/main/index.js.map', '{}') }, 'no maps, sources, tests or other variants: out/main/index.js.map'],
  [
    'a control for tests',
    { app: (folder) => put(folder, 'out/main/practice.js', 'autoApprove()') },
    'no traces of tests, secrets or this computer: autoApprove in out/main/practice.js',
  ],
  [
    'a private key',
    { app: (folder) => put(folder, 'out/main/key.js', '"-----BEGIN PRIVATE KEY-----"') },
    'no traces of tests, secrets or this computer: BEGIN PRIVATE KEY in out/main/key.js',
  ],
  [
    'a second addon',
    { app: (folder) => put(folder, 'node_modules/keytar/other.node', 'x') },
    `the keychain’s addon is the only one: ${addonFile}, node_modules/keytar/other.node`,
  ],
  ['an addon inside the archive', { unpack: '' }, `addons lie outside the archive: ${addonFile}`],
  [
    'a file beside the archive',
    { done: (_, resources) => put(resources, 'app.asar.unpacked/extra.js', '') },
    'nothing lies beside the archive that it does not name: extra.js',
  ],
  ['a strange resource', { done: (_, resources) => put(resources, 'default_app.asar', '') }, 'the resources contain only what was decided: default_app.asar'],
  [
    'no notices',
    { done: (_, resources) => rmSync(join(resources, 'THIRD-PARTY-NOTICES.txt')) },
    'the package contains its licences and bill of materials: no notices',
  ],
  [
    'a package without its notice',
    { done: (_, resources) => put(resources, 'THIRD-PARTY-NOTICES.txt', 'none') },
    'the package contains its licences and bill of materials: no notice of keytar 7.9.0',
  ],
  [
    'a notice of a package that no bundle contains',
    { done: (_, resources) => put(resources, 'THIRD-PARTY-NOTICES.txt', notices('keytar 7.9.0', '@scope/other 1.0.0')) },
    'the package contains its licences and bill of materials: a notice of @scope/other 1.0.0, which is not shipped',
  ],
  [
    'a bill without a shipped package',
    { done: (_, resources) => put(resources, 'sbom.cdx.json', '{"components":[]}') },
    'the package contains its licences and bill of materials: keytar 7.9.0 is not in the bill',
  ],
  [
    'a file beside the program',
    { done: (unpacked) => put(unpacked, 'notes.txt', '') },
    'nothing lies beside the program that Electron does not bring: notes.txt',
  ],
  [
    'no svc-desk',
    { done: (unpacked) => rmSync(join(unpacked, 'svc-desk')) },
    'svc-desk is a program of its own, without traces of tests or this computer: svc-desk is missing',
  ],
  [
    'a svc-desk that is only Node',
    { done: (unpacked) => put(unpacked, 'svc-desk', command().replace(':1', ':0')) },
    'svc-desk is a program of its own, without traces of tests or this computer: svc-desk contains no command',
  ],
  [
    'a control for tests in svc-desk',
    { done: (unpacked) => put(unpacked, 'svc-desk', `${command()}advanceMs`) },
    'svc-desk is a program of its own, without traces of tests or this computer: advanceMs in svc-desk',
  ],
  [
    'a svc-desk of another version',
    { done: (unpacked) => put(unpacked, 'svc-desk', command('svc-desk 0.0.1')) },
    'svc-desk runs without a display and ignores NODE_OPTIONS: 0 svc-desk 0.0.1',
  ],
  [
    'a fuse that is not set',
    { done: async (unpacked) => void (await flipFuses(join(unpacked, programName('linux')), { ...fuses('linux'), [FuseV1Options.RunAsNode]: true })) },
    'each fuse is set as decided: RunAsNode is not off',
  ],
])('the package check finds this problem in a package: %s', async (_, planted, problem) => {
  expect(await failed(linux, planted)).toContain(problem)
})

test('the package check reports a macOS package whose app archive differs from the hash in its bundle', async () => {
  const changed: Planted = {
    done: (unpacked) =>
      writeFileSync(join(unpacked, 'Contents/Info.plist'), readFileSync(join(unpacked, 'Contents/Info.plist'), 'utf8').replace(/<!-- .{8}/, '<!-- 00000000')),
  }
  expect((await failed(mac, changed))[0]).toMatch(/^the program names the hash of the archive: Info\.plist does not contain /)
})

test('the package check reports a Windows package whose app archive differs from the hash in its program', async () => {
  const changed: Planted = {
    done: (unpacked) => {
      const program = join(unpacked, programName('win32'))
      writeFileSync(program, readFileSync(program).subarray(0, -1))
    },
  }
  expect((await failed(windows, changed))[0]).toMatch(/^the program names the hash of the archive: Svc Desk\.exe does not contain /)
})

test('the package check reports a package whose app archive is missing', async () => {
  const one = await packaged(linux)
  rmSync(join(one.unpacked, 'resources/app.asar'))
  expect((await checkUnpacked(one)).map(({ name }) => name)).toEqual(['the archive exists'])
})
