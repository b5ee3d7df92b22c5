import type { StoreApi } from 'zustand'
import type { PageWork } from '../../ipc/page-work.ts'
import type { IpcCall } from '../../ipc/use-ipc.ts'

/** The store interface that WalletConnect's core requires. Values are any JSON. */
export interface KeyValueStorage {
  getKeys(): Promise<string[]>
  getEntries<T = unknown>(): Promise<[string, T][]>
  getItem<T = unknown>(key: string): Promise<T | undefined>
  setItem<T = unknown>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
}

/** Resolves when `work` is done or when the app locks, whichever comes first. */
function orLocked(page: StoreApi<PageWork>, work: Promise<void>): Promise<void> {
  if (page.getState().locked) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = page.subscribe(({ locked }) => {
      if (locked) end()
    })
    function end() {
      stop()
      resolve()
    }
    void work.then(end)
  })
}

export interface WalletStorage extends KeyValueStorage {
  /** Whether a wallet session is stored, so that the library must be loaded. */
  hasSession(): boolean
  /** `false` if main could not open the store, for example because the keychain is locked. Then it is unknown whether a session is stored. */
  readonly wasRead: boolean
}

/**
 * The storage of the WalletConnect library. Main stores it encrypted, per profile. This object is the window's copy.
 * Writes keep their order. If main cannot store a value, this window still uses the value, but the wallet session ends when the window closes.
 * While the app is locked, writes do not wait for main, because otherwise the library would miss the phone's messages. After the unlock, the next
 * page to load sends the pending writes to main.
 */
export async function openWalletStorage(call: IpcCall, page: StoreApi<PageWork>): Promise<WalletStorage> {
  const stored = await call('wallet.storage', {})
  const entries = new Map<string, string>(stored.ok ? stored.value : [])
  const unwritten = new Map<string, string | null>()
  page.getState().alsoHold(() => [...unwritten].map(([key, value]) => ({ name: 'wallet.storageSet', input: { key, value } })))
  let last: Promise<void> = Promise.resolve()
  const keep = (key: string, value: string | null): Promise<void> => {
    if (value === null) entries.delete(key)
    else entries.set(key, value)
    // Delete the key first, so that a repeated write moves to the end of the queue.
    unwritten.delete(key)
    unwritten.set(key, value)
    last = last.then(async () => {
      await call('wallet.storageSet', { key, value })
      if (unwritten.get(key) === value) unwritten.delete(key)
    })
    return orLocked(page, last)
  }
  // The cast is needed: the stored text has no type. The library states the type of the value that it stored under this key.
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
