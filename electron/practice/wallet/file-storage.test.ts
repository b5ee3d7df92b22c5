import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openWalletStorage } from './walletconnect-peer.ts'

const patience = { timeout: 8_000 }

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'svc-desk-storage-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

test('values in the practice phone’s storage survive a restart, and only the user who owns the storage file can read it', async () => {
  const file = join(folder(), 'wallet', 'sessions.json')
  const first = openWalletStorage(file)
  await first.setItem('a', { topic: 'x', list: [1] })
  await first.setItem('b', 'gone')
  await first.removeItem('b')
  first.flush()
  if (process.platform !== 'win32') expect(statSync(file).mode & 0o777).toBe(0o600)
  const second = openWalletStorage(file)
  expect(await second.getEntries()).toEqual([['a', { topic: 'x', list: [1] }]])
  expect(await second.getItem('b')).toBeUndefined()
})

test('the practice phone’s storage saves a changed value to its file soon after the change', async () => {
  const file = join(folder(), 'sessions.json')
  await openWalletStorage(file).setItem('a', 1)
  await expect.poll(() => openWalletStorage(file).getKeys(), patience).toEqual(['a'])
})

test('changing a value after the practice phone’s storage stored or returned it does not change the stored copy', async () => {
  const storage = openWalletStorage(null)
  const value = { list: [1] }
  await storage.setItem('a', value)
  value.list.push(2)
  const copy = await storage.getItem<typeof value>('a')
  copy?.list.push(3)
  expect(await storage.getItem('a')).toEqual({ list: [1] })
})

test('if its file cannot be read, the practice phone’s storage starts empty and keeps the unreadable file', async () => {
  const dir = folder()
  const file = join(dir, 'sessions.json')
  writeFileSync(file, '[["a", {"tru')
  expect(await openWalletStorage(file).getKeys()).toEqual([])
  expect(readdirSync(dir)).toEqual(['sessions.json.broken'])
})
