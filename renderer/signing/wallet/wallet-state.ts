import { createStore, type StoreApi } from 'zustand'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'
import { shorten } from '../../kit/number.tsx'
import { appText } from '../../text/en/app.en.tsx'

/** Connection to the relay server that links this window and the phone. `off`: no connection is needed. */
export type RelayLight = 'off' | 'connecting' | 'up' | 'down'

export type WalletStatus =
  /** No wallet is connected. `ended`: whether the wallet or this app ended the last connection, so that the connect screen can explain it. */
  | { readonly kind: 'idle'; readonly ended: 'by_wallet' | 'here' | null }
  | { readonly kind: 'restoring' }
  | { readonly kind: 'starting' }
  /** The pairing code is on screen, and the phone can scan it until `expiresAtMs`. */
  | { readonly kind: 'waiting'; readonly uri: string; readonly startedAtMs: number; readonly expiresAtMs: number }
  | { readonly kind: 'connected'; readonly wallet: ConnectedWallet }
  | { readonly kind: 'wrong_chain'; readonly wallet: ConnectedWallet; readonly expected: number }
  /**
   * The phone shows an account that this profile refuses. `expected`: the only account that the profile accepts. The app reads and signs
   * nothing for a refused account.
   */
  | { readonly kind: 'refused'; readonly wallet: ConnectedWallet; readonly expected: string }
  | { readonly kind: 'relay_unreachable' }
  | { readonly kind: 'rejected' }
  | { readonly kind: 'bad_project_id' }
  | { readonly kind: 'expired' }
  | { readonly kind: 'failed'; readonly detail: string }

export interface WalletState {
  readonly status: WalletStatus
  readonly relay: RelayLight
  /**
   * The phone's previous account, after the user switched accounts on the phone. null if there was no switch, or once the user has dismissed the
   * notice about it.
   */
  readonly switchedFrom: string | null
  /**
   * A counter that increases when the wallet changes while data of another wallet is on screen. All screens then reset, so that data of two wallets
   * never mixes (AUTH-03).
   */
  readonly epoch: number
}

export type WalletEvent =
  | { readonly type: 'restoring' }
  | { readonly type: 'connecting' }
  | { readonly type: 'uri'; readonly uri: string; readonly nowMs: number; readonly expiresAtMs: number }
  /**
   * The main process accepted a new session, account or chain. `otherWallet`: the screens showed data of another wallet. `expected`: id of the
   * exchange's chain.
   */
  | { readonly type: 'session'; readonly wallet: ConnectedWallet; readonly expected: number; readonly otherWallet: boolean }
  | { readonly type: 'refused'; readonly wallet: ConnectedWallet; readonly expected: string; readonly otherWallet: boolean }
  | { readonly type: 'gone'; readonly by: 'by_wallet' | 'here' | null; readonly otherWallet: boolean }
  /** The user has dismissed the notice that the account changed. */
  | { readonly type: 'switch_noted' }
  | { readonly type: 'connect_failed'; readonly why: 'rejected' | 'expired' | 'relay_unreachable' | 'bad_project_id' | 'failed'; readonly detail: string }
  | { readonly type: 'relay'; readonly light: RelayLight }

/** Whether a phone is paired, even if its account is refused or its chain is wrong. */
export const isPaired = (status: WalletStatus): boolean => status.kind === 'connected' || status.kind === 'wrong_chain' || status.kind === 'refused'

/** Returns the next state. An event that does not fit the state changes nothing, for example the expiry of a code that the phone already scanned. */
export function nextWalletState(state: WalletState, event: WalletEvent): WalletState {
  switch (event.type) {
    case 'restoring':
      return isPaired(state.status) ? state : { ...state, status: { kind: 'restoring' } }
    case 'connecting':
      return isPaired(state.status) ? state : { ...state, status: { kind: 'starting' }, relay: state.relay === 'up' ? 'up' : 'connecting' }
    case 'uri':
      if (state.status.kind !== 'starting' && state.status.kind !== 'waiting') return state
      return { ...state, status: { kind: 'waiting', uri: event.uri, startedAtMs: event.nowMs, expiresAtMs: event.expiresAtMs } }
    case 'session': {
      const wrong = event.wallet.chainId !== event.expected
      return {
        ...begin(state, event.otherWallet),
        switchedFrom: formerAccount(state, event.wallet.address),
        status: wrong ? { kind: 'wrong_chain', wallet: event.wallet, expected: event.expected } : { kind: 'connected', wallet: event.wallet },
      }
    }
    case 'refused':
      return { ...begin(state, event.otherWallet), status: { kind: 'refused', wallet: event.wallet, expected: event.expected } }
    case 'gone':
      return { ...begin(state, event.otherWallet), switchedFrom: null, status: { kind: 'idle', ended: event.by }, relay: 'off' }
    case 'switch_noted':
      return { ...state, switchedFrom: null }
    case 'connect_failed': {
      if (state.status.kind !== 'starting' && state.status.kind !== 'waiting') return state
      // If the relay was connected and then dropped, keep the pairing code: the phone can use it again when the relay is back.
      if (event.why === 'relay_unreachable' && state.status.kind === 'waiting' && state.relay !== 'connecting') return { ...state, relay: 'down' }
      if (event.why === 'failed') return { ...state, status: { kind: 'failed', detail: event.detail } }
      const relay = event.why === 'relay_unreachable' || event.why === 'bad_project_id' ? 'down' : state.relay
      return { ...state, relay, status: { kind: event.why } }
    }
    case 'relay':
      return { ...state, relay: event.light }
  }
}

/** Returns the account to show as the previous account, now that the phone uses the account `now`. null once the phone has switched back. */
function formerAccount({ status, switchedFrom }: WalletState, now: string): string | null {
  const before = walletOf(status)?.address ?? now
  if (before === now) return switchedFrom
  return switchedFrom === now ? null : before
}

const begin = (state: WalletState, otherWallet: boolean): WalletState => (otherWallet ? { ...state, epoch: state.epoch + 1 } : state)

export interface WalletStore extends WalletState {
  readonly apply: (event: WalletEvent) => void
}

/** Creates the wallet store. `restoring`: a stored session may exist, and the app is looking for the session. */
export function createWalletStore(first: 'idle' | 'restoring'): StoreApi<WalletStore> {
  return createStore<WalletStore>()((set) => ({
    status: first === 'idle' ? { kind: 'idle', ended: null } : { kind: 'restoring' },
    relay: 'off',
    switchedFrom: null,
    epoch: 0,
    apply: (event) => set((state) => nextWalletState(state, event)),
  }))
}

/** Returns the connected wallet, on any chain. null if no wallet is connected, or if this profile refuses its account. */
export function walletOf(status: WalletStatus): ConnectedWallet | null {
  return status.kind === 'connected' || status.kind === 'wrong_chain' ? status.wallet : null
}

/** An account that this profile refuses, and the account that it expects. */
export interface RefusedAccount {
  readonly wallet: ConnectedWallet
  readonly expected: string
}

/**
 * Explains to the user why an account is refused. The two addresses to compare with the phone are whole. Only the practice profile refuses accounts: it accepts only the practice wallet, whose random keys
 * are worthless elsewhere.
 */
export function refusedText({ wallet, expected }: RefusedAccount): { readonly title: string; readonly why: string; readonly remedy: string } {
  return {
    title: appText.accountRefusedTitle(wallet.address),
    why: appText.accountRefusedWhy(shorten(expected)),
    remedy: appText.accountRefusedTodo(expected),
  }
}
