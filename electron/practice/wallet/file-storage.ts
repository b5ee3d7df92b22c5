import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'

/** What WalletConnect's core asks of a store; the values are its own. */
export interface WalletStorage {
  getKeys(): Promise<string[]>
  // WalletConnect types its own values per call; nothing here looks at them.
  getEntries<T = unknown>(): Promise<[string, T][]>
  getItem<T = unknown>(key: string): Promise<T | undefined>
  setItem<T = unknown>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
  /** Writes at once what is not written yet. */
  flush(): void
}

/**
 * WalletConnect's store in one JSON file (mode 0600), written once per turn of the event loop.
 * A file that cannot be read is set aside: the pairings are lost, which practice can bear.
 * @param file null keeps everything in memory.
 */
export function openWalletStorage(file: string | null): WalletStorage {
  const values = new Map<string, unknown>(file === null ? [] : readEntries(file))
  let scheduled: NodeJS.Immediate | null = null
  const flush = () => {
    if (scheduled !== null) clearImmediate(scheduled)
    scheduled = null
    if (file === null) return
    const draft = `${file}.new`
    writeFileSync(draft, JSON.stringify([...values]), { mode: 0o600 })
    renameSync(draft, file)
  }
  const changed = () => {
    scheduled ??= setImmediate(flush)
  }
  if (file !== null) mkdirSync(dirname(file), { recursive: true })
  return {
    getKeys: async () => [...values.keys()],
    getEntries: async <T>() => structuredClone([...values]) as [string, T][],
    getItem: async <T>(key: string) => structuredClone(values.get(key)) as T | undefined,
    setItem: async (key, value) => {
      values.set(key, structuredClone(value))
      changed()
    },
    removeItem: async (key) => {
      values.delete(key)
      changed()
    },
    flush,
  }
}

function readEntries(file: string): [string, unknown][] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch {
    return []
  }
  try {
    return JSON.parse(text) as [string, unknown][]
  } catch {
    renameSync(file, `${file}.broken`)
    return []
  }
}
