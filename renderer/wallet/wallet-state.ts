import { createStore, type StoreApi } from 'zustand'
import type { ConnectedWallet } from '../../shared/ipc/wallet.ts'

/** The relay between this window and the phone. `off`: nothing to say to each other, so no connection is kept. */
export type RelayLight = 'off' | 'connecting' | 'up' | 'down'

export type WalletStatus =
  /** `ended` says who ended the last connection, for one sentence on the connect screen. */
  | { readonly kind: 'idle'; readonly ended: 'by_wallet' | 'here' | null }
  /** A stored session is being taken up again. */
  | { readonly kind: 'restoring' }
  | { readonly kind: 'starting' }
  /** The code is on screen and good until `expiresAtMs`. */
  | { readonly kind: 'waiting'; readonly uri: string; readonly startedAtMs: number; readonly expiresAtMs: number }
  | { readonly kind: 'connected'; readonly wallet: ConnectedWallet }
  | { readonly kind: 'wrong_chain'; readonly wallet: ConnectedWallet; readonly expected: number }
  | { readonly kind: 'relay_unreachable' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'bad_project_id' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly detail: string }

export interface WalletState {
  readonly status: WalletStatus
  readonly relay: RelayLight
}

/** What happens to a connection. */
export type WalletEvent =
  | { readonly type: 'restoring' }
  | { readonly type: 'connecting' }
  | { readonly type: 'uri'; readonly uri: string; readonly nowMs: number; readonly expiresAtMs: number }
  /** A session is there, or its account or chain changed. */
  | { readonly type: 'session'; readonly wallet: ConnectedWallet; readonly expected: number }
  | { readonly type: 'gone'; readonly by: 'by_wallet' | 'here' | null }
  | { readonly type: 'connect_failed'; readonly why: 'rejected' | 'expired' | 'relay_unreachable' | 'bad_project_id' | 'failed'; readonly detail: string }
  | { readonly type: 'relay'; readonly light: RelayLight }

const paired = (status: WalletStatus): boolean => status.kind === 'connected' || status.kind === 'wrong_chain'

/** The next state. An event that does not fit, such as a code that expires after its scan, changes nothing. */
export function nextWalletState(state: WalletState, event: WalletEvent): WalletState {
  switch (event.type) {
    case 'restoring':
      return paired(state.status) ? state : { ...state, status: { kind: 'restoring' } }
    case 'connecting':
      return paired(state.status) ? state : { status: { kind: 'starting' }, relay: state.relay === 'up' ? 'up' : 'connecting' }
    case 'uri':
      if (state.status.kind !== 'starting' && state.status.kind !== 'waiting') return state
      return { ...state, status: { kind: 'waiting', uri: event.uri, startedAtMs: event.nowMs, expiresAtMs: event.expiresAtMs } }
    case 'session': {
      const wrong = event.wallet.chainId !== event.expected
      return { ...state, status: wrong ? { kind: 'wrong_chain', wallet: event.wallet, expected: event.expected } : { kind: 'connected', wallet: event.wallet } }
    }
    case 'gone':
      return { status: { kind: 'idle', ended: event.by }, relay: 'off' }
    case 'connect_failed': {
      if (state.status.kind !== 'starting' && state.status.kind !== 'waiting') return state
      // A relay that was there and went away takes the code with it only until it is back.
      if (event.why === 'relay_unreachable' && state.status.kind === 'waiting' && state.relay !== 'connecting') return { ...state, relay: 'down' }
      if (event.why === 'failed') return { ...state, status: { kind: 'failed', detail: event.detail } }
      const relay = event.why === 'relay_unreachable' || event.why === 'bad_project_id' ? 'down' : state.relay
      return { relay, status: { kind: event.why } }
    }
    case 'relay':
      return { ...state, relay: event.light }
  }
}

export interface WalletStore extends WalletState {
  readonly apply: (event: WalletEvent) => void
}

export function createWalletStore(): StoreApi<WalletStore> {
  return createStore<WalletStore>()((set) => ({
    status: { kind: 'idle', ended: null },
    relay: 'off',
    apply: (event) => set((state) => nextWalletState(state, event)),
  }))
}

/** The wallet of a state, on whichever chain it is; null while there is none. */
export function walletOf(status: WalletStatus): ConnectedWallet | null {
  return status.kind === 'connected' || status.kind === 'wrong_chain' ? status.wallet : null
}
