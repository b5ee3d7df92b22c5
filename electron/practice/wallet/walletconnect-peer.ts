import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { WalletKit, type WalletKitTypes } from '@reown/walletkit'
import { Core } from '@walletconnect/core'

type Kit = Awaited<ReturnType<typeof WalletKit.init>>

export interface WalletConnectPeer {
  readonly kit: Kit
  /** The id that the relay's token proves. */
  readonly clientId: string
  relayIsUp(): boolean
  onRelayChange(listener: () => void): void
  stop(): Promise<void>
}

export interface PeerOptions {
  readonly relayUrl: string
  /** Pairings across restarts; null keeps them in memory. */
  readonly storageFile: string | null
  /** Tells the relay whose wallet this is, before the first message. */
  readonly admit: (clientId: string) => void
}

/** A real WalletConnect wallet, as phones carry it, that talks to nothing but the practice relay. */
export async function connectWalletKit({ relayUrl, storageFile, admit }: PeerOptions): Promise<WalletConnectPeer> {
  // Otherwise the library shares one core, and so one identity, between all that run in a process.
  process.env.DISABLE_GLOBAL_CORE = 'true'
  const releaseFetch = confineFetchToLoopback()
  const storage = openWalletStorage(storageFile)
  const core = new Core({ projectId: 'practice', relayUrl, storage, logger: 'silent', telemetryEnabled: false, customStoragePrefix: 'practice-wallet' })
  await core.crypto.init()
  const clientId = await core.crypto.getClientId()
  admit(clientId)
  const kit = await WalletKit.init({
    // Its own declaration differs from the interface in an optional property only.
    core: core as WalletKitTypes.Options['core'],
    metadata: { name: 'Practice wallet', description: 'Play money only', url: 'https://practice.invalid', icons: [] },
    // The phone shows every request at once; the library would hold the second back until the first is settled.
    signConfig: { disableRequestQueue: true },
  })
  // It takes no logger and would write to the standard output, which belongs to whoever started the sandbox.
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
      // Rejects when the relay is gone already, which is as good.
      await core.relayer.transportClose().catch(() => undefined)
      storage.flush()
      releaseFetch()
    },
  }
}

/**
 * Lets this process's `fetch` reach loopback only, and fails the rest at once: the wallet's library asks its vendor's servers
 * about every peer, which must neither leave practice mode nor hang on a closed network.
 * @returns the way back.
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

/** What WalletConnect's core asks of a store; the values are its own. */
interface WalletStorage {
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
