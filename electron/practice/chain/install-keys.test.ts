import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installKeys } from './install-keys.ts'

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-desk-keys-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('makes keys once per install, and none that another install has', () => {
  const file = join(folder(), 'keys.json')
  const keys = installKeys(file, ['main', 'other'])
  expect(installKeys(file, ['main', 'other'])).toEqual(keys)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(new Set([keys.main, keys.other, installKeys(null, ['main']).main, installKeys(join(folder(), 'keys.json'), ['main']).main]).size).toBe(4)
})

test('adds a key that is missing and keeps the others', () => {
  const file = join(folder(), 'keys.json')
  const { main } = installKeys(file, ['main'])
  expect(installKeys(file, ['main', 'other']).main).toBe(main)
})

test('makes new keys beside a file that cannot be read, and keeps that file', () => {
  const dir = folder()
  const file = join(dir, 'keys.json')
  writeFileSync(file, '{"main":"0x12"}')
  expect(installKeys(file, ['main']).main).toMatch(/^0x[0-9a-f]{64}$/)
  expect(readdirSync(dir).toSorted()).toEqual(['keys.json', 'keys.json.broken'])
})
