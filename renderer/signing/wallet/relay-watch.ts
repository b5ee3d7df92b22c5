import type { RelayLight } from './wallet-state.ts'

/** What is used of WalletConnect's relayer. */
export interface Relayer {
  readonly connected: boolean
  on(event: string, listener: (detail: unknown) => void): void
  off(event: string, listener: (detail: unknown) => void): void
  transportOpen(): Promise<void>
}

/** A socket that WalletConnect is about to open. */
interface PendingSocket {
  readonly provider: {
    readonly connection: { on(event: 'register_error', listener: (detail: unknown) => void): void }
    on(event: 'error', listener: (detail: unknown) => void): void
  }
  createProvider(): Promise<void>
}

export const refusedEvent = 'relayer_refused'

/**
 * Makes the relayer report a refused socket. On its own it hides it, retries five times with growing pauses and fails after a minute. It makes a new
 * provider per try, so its errors are caught there.
 */
export function announceRefusals(relayer: Relayer & { readonly events: { emit(event: string, detail: unknown): boolean } }): void {
  // A cast at the boundary: `createProvider` is private to the library's types, and the only place before the socket opens.
  const pending = relayer as unknown as PendingSocket
  const create = pending.createProvider.bind(relayer)
  pending.createProvider = async () => {
    await create()
    pending.provider.connection.on('register_error', (detail) => relayer.events.emit(refusedEvent, detail))
    // The library leaves a provider that it puts aside without a listener; one that still closes with an error would go uncaught.
    pending.provider.on('error', () => undefined)
  }
}

export type RelayTrouble = 'relay_unreachable' | 'bad_project_id'

/** The relay closes with 3000 when it does not know the project. */
export function relayTrouble(detail: unknown): RelayTrouble {
  const message = typeof detail === 'object' && detail !== null && 'message' in detail ? String(detail.message) : String(detail)
  return /\b3000\b|project not found|unauthorized/i.test(message) ? 'bad_project_id' : 'relay_unreachable'
}

interface RelayWatchOptions {
  readonly relayer: Relayer
  /** Whether there is anything to say to the phone, so that a lost connection is worth having back. */
  readonly wanted: () => boolean
  readonly onLight: (light: RelayLight) => void
  readonly onTrouble: (trouble: RelayTrouble) => void
}

const retryMs = 2_500
/** An open socket that neither opens nor fails counts as out of reach after this long. */
const openWithinMs = 3_000

/** Follows the connection to the relay and brings it back when it is lost: the library gives up after a fatal error. */
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
    // Failing again says nothing new: the light is down already.
    if (!relayer.connected && wanted()) relayer.transportOpen().catch(() => undefined)
  }, retryMs)
  if (relayer.connected) onLight('up')

  return {
    /** Opens the connection if it is closed. Resolves within a second if the relay refuses, in 3 s if it is silent. */
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
