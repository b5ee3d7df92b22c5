import type { RelayLight } from './wallet-state.ts'

/** The part of WalletConnect's relayer that the app uses. */
export interface Relayer {
  readonly connected: boolean
  on(event: string, listener: (detail: unknown) => void): void
  off(event: string, listener: (detail: unknown) => void): void
  transportOpen(): Promise<void>
}

interface PendingSocket {
  readonly provider: {
    readonly connection: { on(event: 'register_error', listener: (detail: unknown) => void): void }
    on(event: 'error', listener: (detail: unknown) => void): void
  }
  createProvider(): Promise<void>
}

export const refusedEvent = 'relayer_refused'

/**
 * Makes the relayer report a refused socket. By default, the relayer hides the refusal, retries five times with growing pauses and fails after a
 * minute. It creates a new provider for each attempt, so this function listens for errors on each provider.
 */
export function announceRefusals(relayer: Relayer & { readonly events: { emit(event: string, detail: unknown): boolean } }): void {
  // The cast is needed: the library's types hide `createProvider`. Overriding it is the only way to listen before the socket opens.
  const pending = relayer as unknown as PendingSocket
  const create = pending.createProvider.bind(relayer)
  pending.createProvider = async () => {
    await create()
    pending.provider.connection.on('register_error', (detail) => relayer.events.emit(refusedEvent, detail))
    // The library removes its own error listener from a provider that it discards. Without this listener, a later error of that provider would be
    // uncaught.
    pending.provider.on('error', () => undefined)
  }
}

export type RelayTrouble = 'relay_unreachable' | 'bad_project_id'

/** Classifies a relay error. Close code 3000 means that the relay does not know the app's WalletConnect project. */
export function relayTrouble(detail: unknown): RelayTrouble {
  const message = typeof detail === 'object' && detail !== null && 'message' in detail ? String(detail.message) : String(detail)
  return /\b3000\b|project not found|unauthorized/i.test(message) ? 'bad_project_id' : 'relay_unreachable'
}

interface RelayWatchOptions {
  readonly relayer: Relayer
  /** Whether the app currently needs the relay connection. If so, a lost connection is reopened. */
  readonly wanted: () => boolean
  readonly onLight: (light: RelayLight) => void
  readonly onTrouble: (trouble: RelayTrouble) => void
}

const retryMs = 2_500
/** A socket that neither opens nor fails within this time is treated as unreachable. */
const openWithinMs = 3_000

/** Watches the relay connection and reopens it if lost, because the library stops retrying after a fatal error. */
export function watchRelay({ relayer, wanted, onLight, onTrouble }: RelayWatchOptions) {
  const onConnect = () => onLight('up')
  const onDisconnect = () => onLight(wanted() ? 'down' : 'off')
  const onError = (detail: unknown) => {
    onLight('down')
    onTrouble(relayTrouble(detail))
  }
  relayer.on('relayer_connect', onConnect)
  relayer.on('relayer_disconnect', onDisconnect)
  relayer.on('relayer_error', onError)
  relayer.on(refusedEvent, onError)
  const timer = setInterval(() => {
    // A repeated failure needs no report, because the status light already shows the connection as down.
    if (!relayer.connected && wanted()) relayer.transportOpen().catch(() => undefined)
  }, retryMs)
  if (relayer.connected) onLight('up')

  return {
    /** Opens the relay connection if it is closed. Resolves within a second if the relay refuses, and after 3 s if the relay does not answer. */
    reach(): Promise<boolean> {
      if (relayer.connected) return Promise.resolve(true)
      return new Promise((resolve) => {
        const settle = (reached: boolean) => {
          clearTimeout(limit)
          relayer.off('relayer_connect', up)
          relayer.off('relayer_error', down)
          relayer.off(refusedEvent, down)
          resolve(reached)
        }
        const up = () => settle(true)
        const down = () => settle(false)
        const limit = setTimeout(down, openWithinMs)
        relayer.on('relayer_connect', up)
        relayer.on('relayer_error', down)
        relayer.on(refusedEvent, down)
        relayer.transportOpen().then(() => settle(relayer.connected), down)
      })
    },
    stop(): void {
      clearInterval(timer)
      relayer.off('relayer_connect', onConnect)
      relayer.off('relayer_disconnect', onDisconnect)
      relayer.off('relayer_error', onError)
      relayer.off(refusedEvent, onError)
    },
  }
}

export type RelayWatch = ReturnType<typeof watchRelay>
