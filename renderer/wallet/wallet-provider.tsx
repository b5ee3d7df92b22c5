import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { ConnectedWallet } from '../../shared/ipc/wallet.ts'
import { fail, type Result } from '../../shared/result.ts'
import { useDeskCall } from '../ipc/use-desk.ts'
import { useClock } from '../ui/now.tsx'
import type { WalletConnection } from './connection.ts'
import type { Sign } from './sign.ts'
import type { SignFailure } from './sign-failure.ts'
import { createWalletStore, type WalletState, type WalletStore, walletOf } from './wallet-state.ts'
import { openWalletStorage } from './wallet-storage.ts'

interface WalletContextValue {
  readonly store: StoreApi<WalletStore>
  /** Loads WalletConnect the first time; null when the profile has no wallet settings. */
  readonly open: () => Promise<WalletConnection | null>
}

const WalletContext = createContext<WalletContextValue | null>(null)

const same = (a: ConnectedWallet | null, b: ConnectedWallet | null): boolean =>
  a === b || (a !== null && b !== null && a.address === b.address && a.chainId === b.chainId && a.topic === b.topic)

/**
 * The wallet of the active profile. WalletConnect itself is loaded only when a code is asked for, or when a session was kept.
 * Whatever the wallet says is passed on to main at once.
 */
export function WalletProvider({ active, children }: { readonly active: boolean; readonly children: ReactNode }) {
  const call = useDeskCall()
  const clock = useClock()
  const store = useMemo(createWalletStore, [])
  const opening = useRef<Promise<WalletConnection | null> | null>(null)

  const open = useCallback(() => {
    opening.current ??= (async () => {
      const bootstrap = await call('wallet.bootstrap', {})
      if (!bootstrap.ok) return null
      const [storage, { createConnection }] = await Promise.all([openWalletStorage(call), import('./connection.ts')])
      return createConnection({ bootstrap: bootstrap.value, storage, call, store, clock })
    })().catch(() => {
      opening.current = null
      return null
    })
    return opening.current
  }, [call, clock, store])

  useEffect(() => {
    if (!active) return
    let gone = false
    const restore = async () => {
      const storage = await openWalletStorage(call)
      if (gone || !storage.hasSession()) return
      store.getState().apply({ type: 'restoring' })
      const connection = await open()
      if (connection === null) store.getState().apply({ type: 'gone', by: null })
      else await connection.restore()
    }
    void restore()
    return () => {
      gone = true
    }
  }, [active, call, open, store])

  useEffect(() => {
    let told: ConnectedWallet | null = null
    let last: Promise<unknown> = Promise.resolve()
    return store.subscribe((state) => {
      // While a session is taken up again, it is not known that there is none.
      if (state.status.kind === 'restoring') return
      const wallet = walletOf(state.status)
      if (same(wallet, told)) return
      told = wallet
      last = last.then(() => call('wallet.report', wallet))
    })
  }, [call, store])

  const value = useMemo(() => ({ store, open }), [store, open])
  return <WalletContext value={value}>{children}</WalletContext>
}

function useWalletContext(): WalletContextValue {
  const value = useContext(WalletContext)
  if (value === null) throw new Error('The wallet needs a WalletProvider above it')
  return value
}

/** The state of the connection: `useWallet((state) => state.status)`. */
export function useWallet<T>(select: (state: WalletState) => T): T {
  return useStore(useWalletContext().store, select)
}

/** The connected wallet, on whichever chain it is. */
export function useConnectedWallet(): ConnectedWallet | null {
  return walletOf(useWallet((state) => state.status))
}

export interface WalletActions {
  /** Shows a code, or a new one in the place of the old. */
  readonly connect: () => Promise<void>
  readonly disconnect: () => Promise<void>
  readonly switchChain: () => Promise<Result<null, SignFailure>>
  /** The code's time is over. */
  readonly expire: () => void
}

const noWallet: SignFailure = { kind: 'disconnected', detail: 'No wallet is connected' }

export function useWalletActions(): WalletActions {
  const { store, open } = useWalletContext()
  return useMemo(
    () => ({
      connect: async () => {
        store.getState().apply({ type: 'connecting' })
        const connection = await open()
        if (connection === null) store.getState().apply({ type: 'connect_failed', why: 'failed', detail: 'The wallet part of the app could not be started' })
        else await connection.connect()
      },
      disconnect: async () => {
        await (await open())?.disconnect()
      },
      switchChain: async () => (await open())?.switchChain() ?? fail(noWallet),
      expire: () => store.getState().apply({ type: 'connect_failed', why: 'expired', detail: '' }),
    }),
    [store, open],
  )
}

/** Asks the phone for a signature: `const sign = useSign(); const signed = await sign(request, { onAsked })`. Never throws. */
export function useSign(): Sign {
  const { open } = useWalletContext()
  return useCallback(async (request, choices) => (await open())?.sign(request, choices) ?? fail(noWallet), [open])
}
