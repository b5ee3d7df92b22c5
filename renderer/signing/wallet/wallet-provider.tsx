import { useQueryClient } from '@tanstack/react-query'
import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useRef } from 'react'
import { type StoreApi, useStore } from 'zustand'
import type { ConnectedWallet } from '../../../shared/ipc/host/wallet.ts'
import { fail, type Result } from '../../../shared/result.ts'
import { second } from '../../../shared/time.ts'
import { pageWork, staysFor } from '../../ipc/page-work.ts'
import { dropWalletAnswers, refreshWalletAnswers } from '../../ipc/query-client.ts'
import { useIpcCall, useIpcQuery, useTouch } from '../../ipc/use-ipc.ts'
import { useClock } from '../../kit/time/time.tsx'
import { appText } from '../../text/en/app.en.tsx'
import type { WalletConnection } from './connection.ts'
import { createReporter } from './reporter.ts'
import type { Sign, SignFailure } from './sign.ts'
import type { RefusedAccount } from './wallet-state.ts'
import { createWalletStore, isPaired, type WalletState, type WalletStore, walletOf } from './wallet-state.ts'
import { openWalletStorage } from './wallet-storage.ts'

interface WalletContextValue {
  readonly store: StoreApi<WalletStore>
  /** Loads WalletConnect on first use; resolves to null if the profile has no wallet settings. */
  readonly open: () => Promise<WalletConnection | null>
}

const WalletContext = createContext<WalletContextValue | null>(null)

/**
 * Provides the active profile's wallet to the pages. Loads WalletConnect only when the user asks for a pairing code or a session is stored. Reports
 * every wallet change to main immediately.
 */
export function WalletProvider({ active, children }: { readonly active: boolean; readonly children: ReactNode }) {
  const call = useIpcCall()
  const clock = useClock()
  const client = useQueryClient()
  const store = useMemo(() => createWalletStore(active ? 'restoring' : 'idle'), [active])
  const report = useMemo(
    () => createReporter({ call, store, screens: { drop: () => dropWalletAnswers(client), refresh: () => refreshWalletAnswers(client) } }),
    [call, client, store],
  )
  const opening = useRef<Promise<WalletConnection | null> | null>(null)

  const open = useCallback(() => {
    opening.current ??= (async () => {
      const bootstrap = await call('wallet.bootstrap', {})
      if (!bootstrap.ok) return null
      const [storage, { createConnection }] = await Promise.all([openWalletStorage(call, pageWork(client)), import('./connection.ts')])
      return createConnection({ bootstrap: bootstrap.value, storage, call, store, report, clock })
    })().catch(() => {
      opening.current = null
      return null
    })
    return opening.current
  }, [call, client, clock, report, store])

  // If main could not open the session store, read it again when the keychain's state changes, unless the user has asked for a pairing code
  // meanwhile.
  const { data: health } = useIpcQuery('app.health', {}, { enabled: active })
  const keychain = health?.keychain ?? null
  const restored = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    if (!active || restored.current) return
    let gone = false
    const restore = async () => {
      const storage = await openWalletStorage(call, pageWork(client))
      const { kind } = store.getState().status
      if (gone || (kind !== 'restoring' && kind !== 'idle')) return
      restored.current = storage.wasRead
      const connection = storage.hasSession() ? await open() : null
      if (connection !== null) await connection.restore()
      else if (store.getState().status.kind === 'restoring') await report.gone(null)
    }
    void restore()
    return () => {
      gone = true
    }
  }, [active, call, client, keychain, open, report, store])

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

/** The connected wallet, on any chain. null if no wallet is connected, or if this profile refuses the wallet's account. */
export function useConnectedWallet(): ConnectedWallet | null {
  return walletOf(useWallet((state) => state.status))
}

/** Whether a phone is connected, with any account. */
export function useIsPaired(): boolean {
  return useWallet((state) => isPaired(state.status))
}

/** The phone's account if this profile refuses it, and the account that the profile expects; null if no account is refused. */
export function useRefusedAccount(): RefusedAccount | null {
  return useWallet((state) => (state.status.kind === 'refused' ? state.status : null))
}

export interface WalletActions {
  /** Shows a pairing code, replacing any earlier one. */
  readonly connect: () => Promise<void>
  readonly disconnect: () => Promise<void>
  readonly switchChain: () => Promise<Result<null, SignFailure>>
  /** Call this when the pairing code has expired. */
  readonly expire: () => void
  /** Call this when the user has dismissed the notice that the account changed. */
  readonly noteSwitch: () => void
}

/** How often the app reports user activity to main while a request is on the phone. This is well below the shortest auto-lock time. */
const askingTouch = 10 * second

const noWallet: SignFailure = { kind: 'disconnected', detail: appText.noWallet }

export function useWalletActions(): WalletActions {
  const { store, open } = useWalletContext()
  const client = useQueryClient()
  return useMemo(
    () => ({
      connect: () =>
        staysFor(pageWork(client), async () => {
          store.getState().apply({ type: 'connecting' })
          const connection = await open()
          if (connection === null) store.getState().apply({ type: 'connect_failed', why: 'failed', detail: appText.walletPartFailed })
          else await connection.connect()
        }),
      disconnect: () => staysFor(pageWork(client), async () => void (await (await open())?.disconnect())),
      switchChain: () => staysFor(pageWork(client), async () => (await open())?.switchChain() ?? fail(noWallet)),
      expire: () => store.getState().apply({ type: 'connect_failed', why: 'expired', detail: '' }),
      noteSwitch: () => store.getState().apply({ type: 'switch_noted' }),
    }),
    [client, store, open],
  )
}

/** Asks the phone for a signature: `const sign = useSign(); const signed = await sign(request, { onAsked })`. Never throws. */
export function useSign(): Sign {
  const { open } = useWalletContext()
  const client = useQueryClient()
  const touch = useTouch()
  return useCallback(
    async (request, choices) => {
      // Answering a request on the phone counts as activity, so that the app does not lock automatically meanwhile.
      const timer = setInterval(touch, askingTouch)
      try {
        return await staysFor(pageWork(client), async () => (await (await open())?.sign(request, choices)) ?? fail(noWallet))
      } finally {
        clearInterval(timer)
      }
    },
    [client, open, touch],
  )
}
