import { createContext, type ReactNode, useContext } from 'react'
import type { Bridge } from '../../shared/ipc/contract.ts'

declare global {
  interface Window {
    /** The bridge to the main process, which the preload script sets. The page has no other way to reach the app. */
    readonly appBridge: Bridge
  }
}

const BridgeContext = createContext<Bridge | null>(null)

export function BridgeProvider({ bridge, children }: { readonly bridge: Bridge; readonly children: ReactNode }) {
  return <BridgeContext value={bridge}>{children}</BridgeContext>
}

/** The bridge to the main process. Throws outside `BridgeProvider`, because that is a bug. */
export function useBridge(): Bridge {
  const bridge = useContext(BridgeContext)
  if (bridge === null) throw new Error('useBridge needs a BridgeProvider above it')
  return bridge
}
