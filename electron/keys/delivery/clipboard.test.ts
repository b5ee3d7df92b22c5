import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { clipboardLifeMs, createClipboard } from './clipboard.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function setUp() {
  const system = {
    text: 'before',
    readText: async () => system.text,
    writeText: async (text: string) => {
      system.text = text
    },
    clear: () => {
      system.text = ''
    },
  }
  return { system, clipboard: createClipboard({ system }) }
}
const key = new Secret('SVCabcdef0123456789')

test('the app clears a copied secret from the clipboard after 30 s', async () => {
  const { system, clipboard } = setUp()
  expect(await clipboard.copySecret(key)).toEqual({ clearsInMs: 30_000 })
  expect(system.text).toBe('SVCabcdef0123456789')
  await vi.advanceTimersByTimeAsync(clipboardLifeMs - 1)
  expect(system.text).toBe('SVCabcdef0123456789')
  await vi.advanceTimersByTimeAsync(1)
  expect(system.text).toBe('')
})

test('the app does not clear text that the user copied to the clipboard after the secret', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  system.text = 'a shopping list'
  await vi.advanceTimersByTimeAsync(clipboardLifeMs)
  expect(system.text).toBe('a shopping list')
})

test('the user can clear a copied secret from the clipboard at once, and copying a second secret restarts the countdown', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  await vi.advanceTimersByTimeAsync(20_000)
  await clipboard.copySecret(key)
  await vi.advanceTimersByTimeAsync(20_000)
  expect(system.text).toBe('SVCabcdef0123456789')
  await clipboard.clear()
  expect(system.text).toBe('')
})

test('if another program blocks the clipboard, the app retries clearing the secret, and a user who clears it at once gets an error', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  const { readText } = system
  system.readText = async () => {
    throw new Error('held by another program')
  }
  await vi.advanceTimersByTimeAsync(clipboardLifeMs)
  await expect(clipboard.clear()).rejects.toThrow('held by another program')
  expect(system.text).toBe('SVCabcdef0123456789')
  await clipboard.copySecret(key)
  await vi.advanceTimersByTimeAsync(clipboardLifeMs + 5_000)
  system.readText = readText
  await vi.advanceTimersByTimeAsync(1_000)
  expect(system.text).toBe('')
})

test('the app clears only secrets from the clipboard, never other text that the user copied in the app', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  await clipboard.copyText('0xabc')
  await vi.advanceTimersByTimeAsync(clipboardLifeMs * 2)
  expect(system.text).toBe('0xabc')
})
