import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { fail } from '../../../shared/result.ts'
import { createSaveText, writePrivate } from './write-private.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-write-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const at = (name: string) => join(folder, name)
const modeOf = (path: string) => statSync(path).mode & 0o777
const save = (path: string) => createSaveText({ chooseToSave: async () => path })({ title: 'Save', button: 'Save', kinds: [], suggested: 'x.csv' }, () => 'new')

test('a file that the app saves can be read only by the user, even if it replaces a public file, and no temporary file remains [V14]', async () => {
  writeFileSync(at('open.csv'), 'old', { mode: 0o644 })
  chmodSync(at('open.csv'), 0o644)
  for (const name of ['open.csv', 'fresh.csv']) {
    expect(await save(at(name))).toEqual({ ok: true, value: at(name) })
    expect(readFileSync(at(name), 'utf8')).toBe('new')
    if (process.platform !== 'win32') expect(modeOf(at(name))).toBe(0o600)
  }
  expect(readdirSync(folder).sort()).toEqual(['fresh.csv', 'open.csv'])
})

test.skipIf(process.platform === 'win32')(
  'the app saves a file over a symbolic link by replacing the link, and leaves the link’s target unchanged [V14]',
  async () => {
    writeFileSync(at('precious'), 'precious', { mode: 0o644 })
    symlinkSync(at('precious'), at('report.csv'))
    symlinkSync(at('nothing'), at('dangling.csv'))
    for (const name of ['report.csv', 'dangling.csv']) {
      expect((await save(at(name))).ok).toBe(true)
      expect(readFileSync(at(name), 'utf8')).toBe('new')
      expect(modeOf(at(name))).toBe(0o600)
    }
    expect(readFileSync(at('precious'), 'utf8')).toBe('precious')
    expect(readdirSync(folder).sort()).toEqual(['dangling.csv', 'precious', 'report.csv'])
  },
)

test.skipIf(process.platform === 'win32')('the app refuses to save over a folder or a pipe or into a missing folder, and changes nothing [V14]', async () => {
  mkdirSync(at('folder'))
  execFileSync('mkfifo', [at('pipe')])
  for (const name of ['folder', 'pipe']) expect(await save(at(name))).toMatchObject({ ok: false, failure: { kind: 'file', issue: 'not_a_file' } })
  expect(await save(at('missing/report.csv'))).toMatchObject({ ok: false, failure: { kind: 'file', issue: 'missing' } })
  expect(statSync(at('pipe')).isFIFO()).toBe(true)
  expect(readdirSync(folder).sort()).toEqual(['folder', 'pipe'])
})

test('the app does not replace an existing file if its last check just before replacing the file fails', async () => {
  writeFileSync(at('report.csv'), 'old')
  const refused = await writePrivate(at('report.csv'), 'new', async () => fail({ kind: 'file', issue: 'changed', path: at('report.csv'), detail: null }))
  expect(refused.ok).toBe(false)
  expect(readFileSync(at('report.csv'), 'utf8')).toBe('old')
  expect(readdirSync(folder)).toEqual(['report.csv'])
})

test('the app can save a file whose name is as long as the file system allows', async () => {
  const path = at(`${'x'.repeat(251)}.csv`)
  expect(await save(path)).toEqual({ ok: true, value: path })
})

test('in the main process, only the function for private files and a fixed list of modules write files [V14]', () => {
  const electron = join(import.meta.dirname, '../..')
  const writers = readdirSync(electron, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !/\.test\.ts$|^practice\//.test(name.replaceAll('\\', '/')))
    .filter((name) => /\b(?:writeFile|writeFileSync|createWriteStream|copyFile|copyFileSync)\(/.test(readFileSync(join(electron, name), 'utf8')))
    .map((name) => name.replaceAll('\\', '/'))
    .sort()
  expect(writers).toEqual([
    'host/lock/lock-file.ts',
    'host/updates/update-files.ts',
    'kernel/files/write-private.ts',
    'kernel/process-guard.ts',
    'store/journal/open-file.ts',
    'terminal/channel/address-file.ts',
    'terminal/channel/line-server.ts',
  ])
})
