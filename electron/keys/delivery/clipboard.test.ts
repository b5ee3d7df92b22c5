import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Secret } from '../../kernel/secret.ts'
import { clipboardLifeMs, concealed, createClipboard } from './clipboard.ts'

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
    isConcealed: false,
    writeText: async (text: string) => {
      Object.assign(system, { text, isConcealed: false })
    },
    clear: () => {
      system.text = ''
    },
  }
  const writeSecret = async (text: string) => void Object.assign(system, { text, isConcealed: true })
  return { system, clipboard: createClipboard({ system, writeSecret }) }
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

test('if clearing the clipboard fails at the lock, the app retries until the secret is gone', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  const { readText } = system
  system.readText = () => Promise.reject(new Error('held by another program'))
  await expect(clipboard.clear()).rejects.toThrow('held by another program')
  system.readText = readText
  await vi.advanceTimersByTimeAsync(1_000)
  expect(system.text).toBe('')
})

test('the app clears a copied secret after 30 s although copying a second one failed', async () => {
  const { system } = setUp()
  let isHeld = false
  const write = async (text: string) => {
    if (isHeld) throw new Error('held by another program')
    system.text = text
  }
  system.writeText = write
  const clipboard = createClipboard({ system, writeSecret: write })
  await clipboard.copySecret(key)
  isHeld = true
  await expect(clipboard.copySecret(new Secret('SVCother0123456789'))).rejects.toThrow('held by another program')
  await vi.advanceTimersByTimeAsync(clipboardLifeMs)
  expect(system.text).toBe('')
})

test('a secret whose copy was under way when the app locked does not stay on the clipboard', async () => {
  const { system } = setUp()
  const { promise: written, resolve: write } = Promise.withResolvers<void>()
  const clipboard = createClipboard({
    system,
    writeSecret: async (text) => {
      await written
      system.text = text
    },
  })
  const copying = clipboard.copySecret(key)
  await clipboard.clear()
  write()
  await copying
  expect(system.text).toBe('')
})

test('the app clears only secrets from the clipboard, never other text that the user copied in the app', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  await clipboard.copyText('0xabc')
  await vi.advanceTimersByTimeAsync(clipboardLifeMs * 2)
  expect(system.text).toBe('0xabc')
})

test('the app conceals secrets on the clipboard, and no other text', async () => {
  const { system, clipboard } = setUp()
  await clipboard.copySecret(key)
  expect(system).toMatchObject({ text: key.reveal(), isConcealed: true })
  await clipboard.copyText('0xabc')
  expect(system).toMatchObject({ text: '0xabc', isConcealed: false })
})

test('if the system rejects the marks of a secret, the app copies the secret without them and still clears it after 30 s', async () => {
  const { system } = setUp()
  const clipboard = createClipboard({ system, writeSecret: () => Promise.reject(new Error('unknown format')) })
  await clipboard.copySecret(key)
  expect([system.text, system.isConcealed]).toEqual(['SVCabcdef0123456789', false])
  await vi.advanceTimersByTimeAsync(clipboardLifeMs)
  expect(system.text).toBe('')
})

test('a secret on the clipboard has the marks that clipboard managers of macOS, Windows and Linux look for', async () => {
  const marks = async (platform: NodeJS.Platform) => {
    const { 'text/plain': text, ...others } = concealed('a secret', platform)
    expect(text).toBe('a secret')
    const read = Object.entries(others).map(async ([name, value]) => {
      const [, format] = /^electron application\/osclipboard;format="([^"]+)"$/.exec(name) ?? []
      return [format, value instanceof Blob ? Buffer.from(await value.arrayBuffer()).toString('latin1') : value]
    })
    return Object.fromEntries(await Promise.all(read))
  }
  expect(await marks('darwin')).toEqual({ 'org.nspasteboard.ConcealedType': '1' })
  expect(await marks('win32')).toEqual({
    ExcludeClipboardContentFromMonitorProcessing: '\0\0\0\0',
    CanIncludeInClipboardHistory: '\0\0\0\0',
    CanUploadToCloudClipboard: '\0\0\0\0',
  })
  expect(await marks('linux')).toEqual({ 'x-kde-passwordManagerHint': 'secret' })
  expect(await marks('freebsd')).toEqual({})
})
