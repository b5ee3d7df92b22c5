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

test('the app creates the practice chain’s keys at random, once per installation, so that two installations never share a key', () => {
  const file = join(folder(), 'keys.json')
  const keys = installKeys(file, ['main', 'other'])
  expect(installKeys(file, ['main', 'other'])).toEqual(keys)
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(new Set([keys.main, keys.other, installKeys(null, ['main']).main, installKeys(join(folder(), 'keys.json'), ['main']).main]).size).toBe(4)
})

test('the app creates a practice key that is missing from the key file, and keeps the other keys', () => {
  const file = join(folder(), 'keys.json')
  const { main } = installKeys(file, ['main'])
  expect(installKeys(file, ['main', 'other']).main).toBe(main)
})

test('if the file of practice keys cannot be read, the app creates new keys and keeps the unreadable file under another name', () => {
  const dir = folder()
  const file = join(dir, 'keys.json')
  writeFileSync(file, '{"main":"0x12"}')
  expect(installKeys(file, ['main']).main).toMatch(/^0x[0-9a-f]{64}$/)
  expect(readdirSync(dir).toSorted()).toEqual(['keys.json', 'keys.json.broken'])
})
