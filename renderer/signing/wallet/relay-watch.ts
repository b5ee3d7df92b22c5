import type { StoreApi } from 'zustand'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'
import type { DeskCall } from '../../ipc/use-desk.ts'
import type { RelayLight, WalletStore } from './wallet-state.ts'

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
 * Makes the relayer tell when its socket is refused. By itself it keeps that to itself, tries five times with growing pauses and
 * fails after a minute. It makes a new provider for each try, so that is where its errors can be heard.
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
    /** Opens the connection if it is not open. Answers within a second when nobody listens, in 3 s when somebody is silent. */
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

/** What is on the screens of a wallet. */
interface WalletScreens {
  /** Forgets it: it is another wallet's. */
  drop(): void
  /** Reads it again. */
  refresh(): void
}

export interface Reporter {
  /** The wallet as its session says it now. `expected`: the exchange's chain. */
  session(wallet: ConnectedWallet, expected: number): Promise<void>
  gone(by: 'by_wallet' | 'here' | null): Promise<void>
}

interface ReporterParts {
  readonly call: DeskCall
  readonly store: StoreApi<WalletStore>
  readonly screens: WalletScreens
}

const same = (a: ConnectedWallet, b: ConnectedWallet): boolean => a.address === b.address && a.chainId === b.chainId && a.topic === b.topic

/**
 * Tells main whose wallet it is, one thing after another, and shows it only when main has answered. So the window never names one wallet
 * while main still serves another, and what belonged to that other is gone from the screens in the same moment (AUTH-03).
 */
export function createReporter({ call, store, screens }: ReporterParts): Reporter {
  /** What main was told last; undefined: nothing yet by this window. */
  let told: ConnectedWallet | null | undefined
  let last: Promise<void> = Promise.resolve()

  const tell = async (wallet: ConnectedWallet | null) => {
    const answer = await call('wallet.report', wallet)
    const taken = answer.ok ? answer.value : null
    const anew = taken?.changed ?? false
    if (anew) screens.drop()
    else if (told?.address !== wallet?.address) screens.refresh()
    told = wallet
    return { anew, expected: taken?.state === 'refused' ? taken.expected : null }
  }
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    last = last.then(work)
    return last
  }

  return {
    session: (wallet, expected) =>
      inOrder(async () => {
        if (told != null && same(told, wallet)) return
        const taken = await tell(wallet)
        if (taken.expected === null) store.getState().apply({ type: 'session', wallet, expected, anew: taken.anew })
        else store.getState().apply({ type: 'refused', wallet, expected: taken.expected, anew: taken.anew })
      }),
    gone: (by) =>
      inOrder(async () => {
        const { anew } = told === null ? { anew: false } : await tell(null)
        store.getState().apply({ type: 'gone', by, anew })
      }),
  }
}
