import type { DeskCall } from '../ipc/use-desk.ts'

/** What WalletConnect's core asks of a store. Values are anything that JSON can hold. */
export interface KeyValueStorage {
  getKeys(): Promise<string[]>
  getEntries<T = unknown>(): Promise<[string, T][]>
  getItem<T = unknown>(key: string): Promise<T | undefined>
  setItem<T = unknown>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
}

export interface WalletStorage extends KeyValueStorage {
  /** Whether a session with a wallet was kept, so that the library is worth loading. */
  hasSession(): boolean
  /** False where main could not open what was kept, for example while the keychain is locked: then nothing is known of a session. */
  readonly wasRead: boolean
}

/**
 * WalletConnect's store, kept by main (encrypted, per profile) and mirrored here while the window is open. Writes are sent in
 * their order. A write that main cannot keep is not lost for this run; the session then ends with the window.
 */
export async function openWalletStorage(call: DeskCall): Promise<WalletStorage> {
  const stored = await call('wallet.storage', {})
  const entries = new Map<string, string>(stored.ok ? stored.value : [])
  let last: Promise<unknown> = Promise.resolve()
  const keep = (key: string, value: string | null): Promise<void> => {
    if (value === null) entries.delete(key)
    else entries.set(key, value)
    last = last.then(() => call('wallet.storageSet', { key, value }))
    return last.then(() => undefined)
  }
  // A cast at the boundary: the library names the type that it stored under this key.
  const read = <T>(text: string): T => JSON.parse(text) as T
  return {
    wasRead: stored.ok,
    getKeys: async () => [...entries.keys()],
    getEntries: async <T>() => [...entries].map(([key, text]): [string, T] => [key, read<T>(text)]),
    getItem: async <T>(key: string) => {
      const text = entries.get(key)
      return text === undefined ? undefined : read<T>(text)
    },
    setItem: async (key, value) => {
      const text = JSON.stringify(value)
      if (text === undefined || entries.get(key) === text) return
      await keep(key, text)
    },
    removeItem: async (key) => {
      if (entries.has(key)) await keep(key, null)
    },
    hasSession: () => [...entries].some(([key, text]) => /\/\/session$/.test(key) && text !== '[]' && text !== 'null'),
  }
}
