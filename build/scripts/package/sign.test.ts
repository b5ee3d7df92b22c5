import { generateKeyPairSync } from 'node:crypto'
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { writeImage } from '../../../e2e/support/updates/update-server.ts'
import { judgeRelease } from '../../../electron/host/updates/release-statement.ts'
import { day } from '../../../shared/time.ts'
import { updateSource } from '../../config/release.ts'
import { checkRelease, installersIn, pinnedForm, type ReleaseParts, readSigningKey, writeRelease } from './sign.ts'

let folder: string
let release: string
const nowMs = Date.UTC(2026, 10, 1)
const newKey = () => generateKeyPairSync('ed25519').privateKey
const key = newKey()

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-sign-'))
  release = join(folder, 'release')
  for (const [path, text] of [
    ['linux-x64/svc-desk_0.2.0_amd64.deb', 'deb'],
    ['linux-x64/made.txt', 'no package'],
    ['darwin-arm64/Svc-Desk-0.2.0-arm64.dmg', 'dmg'],
    ['win32-x64/Svc-Desk-0.2.0-x64-setup.exe', 'exe'],
    ['work/a.deb', 'not finished'],
  ] as const) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  await writeImage(join(folder, 'linux-x64/Svc-Desk-0.2.0-x64.AppImage'), 'new', Buffer.alloc(50_000, 7))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const write = (more: Partial<ReleaseParts> = {}) =>
  writeRelease(release, { version: '0.2.0', minimum: null, journal: 3, installers: installersIn(folder), keys: [key], nowMs, ...more })
const problems = (keys = [pinnedForm(key)], atMs = nowMs) => checkRelease(release, keys, atMs).flatMap(({ problem }) => problem ?? [])

test('signing a release writes a folder for the update server, and the app accepts that folder as an update', () => {
  write()
  expect(readdirSync(release).toSorted()).toEqual([
    'Svc-Desk-0.2.0-arm64.dmg',
    'Svc-Desk-0.2.0-x64-setup.exe',
    'Svc-Desk-0.2.0-x64.AppImage',
    'release.json',
    'svc-desk_0.2.0_amd64.deb',
  ])
  expect(problems()).toEqual([])
  const judge = (platform: string, arch: string, kind: 'AppImage' | 'deb' | 'dmg' | 'nsis') => {
    const text = readFileSync(join(release, 'release.json'), 'utf8')
    const { verdict } = judgeRelease({ text, keys: [pinnedForm(key)], current: '0.1.0', seen: null, nowMs, platform, arch, kind })
    return verdict.outcome === 'newer' ? [verdict.file.name, verdict.file.blockMapSize !== null] : verdict.outcome
  }
  expect(judge('linux', 'x64', 'AppImage')).toEqual(['Svc-Desk-0.2.0-x64.AppImage', true])
  expect(judge('linux', 'x64', 'deb')).toEqual(['svc-desk_0.2.0_amd64.deb', false])
  expect(judge('darwin', 'arm64', 'dmg')).toEqual(['Svc-Desk-0.2.0-arm64.dmg', false])
  expect(judge('win32', 'x64', 'nsis')).toEqual(['Svc-Desk-0.2.0-x64-setup.exe', false])
  expect(judge('darwin', 'x64', 'dmg')).toBe('no_file')
})

test('a release may have up to eight signatures, and the app accepts it with any one of them', () => {
  const keys = Array.from({ length: 8 }, newKey)
  write({ keys })
  for (const one of keys) expect(problems([pinnedForm(one)])).toEqual([])
  expect(() => write({ keys: [...keys, newKey()] })).toThrow('1 to 8')
  expect(() => write({ keys: [] })).toThrow('1 to 8')
})

test('the release check reports an unknown signing key, an expired or changed release description, and changed or missing files', () => {
  write()
  expect(problems([pinnedForm(newKey())])).toEqual(['unsigned'])
  expect(problems([])).toEqual(['unsigned'])
  expect(problems(undefined, nowMs + 35 * day + 1)).toEqual(['stale'])
  appendFileSync(join(release, 'svc-desk_0.2.0_amd64.deb'), 'x')
  rmSync(join(release, 'Svc-Desk-0.2.0-x64-setup.exe'))
  expect(problems().join().split(', ').toSorted()).toEqual(['Svc-Desk-0.2.0-x64-setup.exe', 'svc-desk_0.2.0_amd64.deb'])
  const statement = join(release, 'release.json')
  writeFileSync(statement, readFileSync(statement, 'utf8').replace('0.2.0', '9.2.0'))
  expect(problems()).toEqual(['unsigned'])
})

test('the release signer refuses two files with the same name, and file names that are unsafe on the update server', () => {
  writeFileSync(join(folder, 'darwin-arm64/svc-desk_0.2.0_amd64.deb'), 'again')
  expect(() => write()).toThrow('two packages')
  rmSync(join(folder, 'darwin-arm64/svc-desk_0.2.0_amd64.deb'))
  writeFileSync(join(folder, 'darwin-arm64/Svc Desk.dmg'), 'a space')
  expect(() => write()).toThrow()
})

test('the release signer accepts only Ed25519 keys', () => {
  const file = join(folder, 'key.pem')
  writeFileSync(file, key.export({ format: 'pem', type: 'pkcs8' }))
  expect(pinnedForm(readSigningKey(file))).toBe(pinnedForm(key))
  writeFileSync(file, generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ format: 'pem', type: 'pkcs8' }))
  expect(() => readSigningKey(file)).toThrow('no Ed25519 key')
})

test('a build of the app looks for updates only if it contains a public key and a real update address', () => {
  const keys = [pinnedForm(key)]
  const updates = 'https://updates.example/desk/'
  expect(updateSource({ updates, updateKeys: keys })).toEqual({ address: updates, keys })
  expect(updateSource({ updates, updateKeys: [] })).toBe(null)
  expect(updateSource({ updates: 'https://updates.svc-desk.invalid/', updateKeys: keys })).toBe(null)
  for (const wrong of ['http://updates.example/', 'https://updates.example/desk', 'https://updates.example/?a', "https://updates.example/a'b/"])
    expect(() => updateSource({ updates: wrong, updateKeys: keys })).toThrow('no folder')
  expect(() => updateSource({ updates, updateKeys: ['AAAA'] })).toThrow()
})
