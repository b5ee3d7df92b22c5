import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'

type Kit = Awaited<ReturnType<typeof WalletKit.init>>

export interface WalletConnectPeer {
  readonly kit: Kit
  /** The WalletConnect client's id. The token that the client sends to the relay proves this id. */
  readonly clientId: string
  relayIsUp(): boolean
  onRelayChange(listener: () => void): void
  stop(): Promise<void>
}

export interface PeerOptions {
  readonly relayUrl: string
  /** File in which pairings survive restarts. `null` keeps them in memory. */
  readonly storageFile: string | null
  /** Called with the wallet’s client id before the first message, so that the relay admits it. */
  readonly admit: (clientId: string) => void
}

/** Connects a real WalletConnect wallet, as phones use it, to the practice relay and to nothing else. */
export async function connectWalletKit({ relayUrl, storageFile, admit }: PeerOptions): Promise<WalletConnectPeer> {
  // Without this setting, all WalletConnect clients in one process would share one core, and therefore one client id.
  process.env.DISABLE_GLOBAL_CORE = 'true'
  const releaseFetch = confineFetchToLoopback()
  const storage = openWalletStorage(storageFile)
  const core = new Core({ projectId: 'practice', relayUrl, storage, logger: 'silent', telemetryEnabled: false, customStoragePrefix: 'practice-wallet' })
  await core.crypto.init()
  const clientId = await core.crypto.getClientId()
  admit(clientId)
  const kit = await WalletKit.init({
    // The cast is safe: the type of `core` differs from the declared type only in an optional property.
    core: core as WalletKitTypes.Options['core'],
    metadata: { name: 'Practice wallet', description: 'Play money only', url: 'https://practice.invalid', icons: [] },
    // Disable the library's queue. It would hide a second request until the first one is answered, but the phone shows all requests at once.
    signConfig: { disableRequestQueue: true },
  })
  // The library does not accept a logger here. Silence its default logger, because it writes to stdout, which the parent process reads.
  kit.engine.signClient.logger.level = 'silent'
  return {
    kit,
    clientId,
    relayIsUp: () => core.relayer.connected,
    onRelayChange: (listener) => {
      core.relayer.on('relayer_connect', listener)
      core.relayer.on('relayer_disconnect', listener)
    },
    stop: async () => {
      core.heartbeat.stop()
      // Ignore this failure. It only means that the relay has already closed the connection.
      await core.relayer.transportClose().catch(() => undefined)
      storage.flush()
      releaseFetch()
    },
  }
}

/**
 * Restricts this process’s `fetch` to loopback; other requests fail at once. The WalletConnect library asks its vendor’s servers about every
 * peer. These requests must not leave this computer, and must not hang if the network is closed.
 * @returns a function that restores the original `fetch`
 */
function confineFetchToLoopback(): () => void {
  const open = globalThis.fetch
  globalThis.fetch = async (input, init) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname === '127.0.0.1' || hostname === 'localhost' || hostname === '[::1]') return open(input, init)
    throw new TypeError(`Practice mode asks no server outside this computer, so not ${hostname}`)
  }
  return () => {
    globalThis.fetch = open
  }
}

interface WalletStorage {
  getKeys(): Promise<string[]>
  // WalletConnect's interface requires the type parameter, with which a call names the type of the stored values. This code does not check that type.
  getEntries<T = unknown>(): Promise<[string, T][]>
  getItem<T = unknown>(key: string): Promise<T | undefined>
  setItem<T = unknown>(key: string, value: T): Promise<void>
  removeItem(key: string): Promise<void>
  flush(): void
}

/**
 * WalletConnect's storage in one JSON file (mode 0600), which is written once per turn of the event loop.
 * An unreadable file is set aside. Its pairings are lost, which is acceptable in practice mode.
 * @param file `null` keeps everything in memory
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
