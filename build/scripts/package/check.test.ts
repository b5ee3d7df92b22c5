import { createHash } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createPackageWithOptions, getRawHeader } from '@electron/asar'
import { FuseV1Options, flipFuses } from '@electron/fuses'
import { afterEach, expect, test } from 'vitest'
import { fuses } from '../../config/fuses.ts'
import { programName, type Target } from '../../config/release.ts'
import { checkUnpacked } from './check.ts'
import { addonFile } from './stage.ts'
import { makeStandInDist } from './stand-in-dist.ts'

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

interface Planted {
  readonly app?: (folder: string) => void
  readonly done?: (unpacked: string, resources: string) => void | Promise<void>
  readonly unpack?: string
}

async function packaged(target: Target, { app, done, unpack = '**/*.node' }: Planted = {}): Promise<string> {
  const [source, unpackedFolder] = [newFolder(), newFolder()]
  for (const [file, text] of Object.entries({ 'package.json': '{}', 'out/main/index.js': 'start()', 'out/renderer/index.html': '<p>' })) put(source, file, text)
  put(source, addonFile, 'addon')
  put(source, 'node_modules/keytar/package.json', '{}')
  app?.(source)
  makeStandInDist(unpackedFolder, { platform: target.platform, version: '45.0.0', program: null })
  rmSync(join(unpackedFolder, 'resources'), { recursive: true, force: true })
  const isMac = target.platform === 'darwin'
  const unpacked = isMac ? join(unpackedFolder, 'Svc Desk.app') : unpackedFolder
  if (isMac) renameSync(join(unpackedFolder, 'Electron.app'), unpacked)
  else renameSync(join(unpackedFolder, 'electron'), join(unpackedFolder, programName('linux')))
  await flipFuses(isMac ? unpacked : join(unpacked, programName('linux')), fuses(target.platform))
  const resources = isMac ? join(unpacked, 'Contents/Resources') : join(unpacked, 'resources')
  mkdirSync(resources, { recursive: true })
  await createPackageWithOptions(source, join(resources, 'app.asar'), { unpack })
  put(resources, 'THIRD-PARTY-NOTICES.txt', 'keytar 7.9.0\nMIT\n')
  put(resources, 'sbom.cdx.json', JSON.stringify({ components: [{ name: 'keytar', version: '7.9.0' }] }))
  if (isMac) {
    const hash = createHash('sha256')
      .update(getRawHeader(join(resources, 'app.asar')).headerString)
      .digest('hex')
    appendFileSync(join(unpacked, 'Contents/Info.plist'), `<!-- ${hash} -->`)
  }
  await done?.(unpacked, resources)
  return unpacked
}

const failed = async (target: Target, planted?: Planted): Promise<readonly string[]> =>
  (await checkUnpacked(await packaged(target, planted), target)).filter(({ problem }) => problem !== null).map(({ name, problem }) => `${name}: ${problem}`)

test.each([linux, mac])('the package check finds nothing wrong in a sound package for $platform', async (target) => {
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
    'the package contains its licences and bill of materials: no notice of keytar',
  ],
  [
    'a fuse that is not set',
    { done: async (unpacked) => void (await flipFuses(join(unpacked, programName('linux')), { ...fuses('linux'), [FuseV1Options.RunAsNode]: true })) },
    'each fuse is set as decided: RunAsNode is not off',
  ],
])('finds this problem in a package: %s', async (_, planted, problem) => {
  expect(await failed(linux, planted)).toContain(problem)
})

test('the package check finds a macOS package whose archive differs from the hash in its bundle', async () => {
  const changed: Planted = {
    done: (unpacked) =>
      writeFileSync(join(unpacked, 'Contents/Info.plist'), readFileSync(join(unpacked, 'Contents/Info.plist'), 'utf8').replace(/<!-- .{8}/, '<!-- 00000000')),
  }
  expect((await failed(mac, changed))[0]).toMatch(/^the program names the hash of the archive: Info\.plist does not contain /)
})

test('the package check reports a missing archive', async () => {
  const folder = newFolder()
  cpSync(await packaged(linux), folder, { recursive: true })
  rmSync(join(folder, 'resources/app.asar'))
  expect((await checkUnpacked(folder, linux)).map(({ name }) => name)).toEqual(['the archive exists'])
})
