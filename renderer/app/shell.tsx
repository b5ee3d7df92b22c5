import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { type StoreApi, useStore } from 'zustand'
import { NavigationProvider } from '../kit/layout/navigation.tsx'
import type { Shell } from './shell-store.ts'

const ShellContext = createContext<StoreApi<Shell> | null>(null)

export function ShellProvider({ store, children }: { readonly store: StoreApi<Shell>; readonly children: ReactNode }) {
  const place = useStore(store, (state) => state.place)
  const navigate = useStore(store, (state) => state.navigate)
  const navigation = useMemo(() => ({ place, navigate }), [place, navigate])
  return (
    <ShellContext value={store}>
      <NavigationProvider value={navigation}>{children}</NavigationProvider>
    </ShellContext>
  )
}

export function useShell<T>(select: (state: Shell) => T): T {
  const store = useContext(ShellContext)
  if (store === null) throw new Error('useShell needs a ShellProvider above it')
  return useStore(store, select)
}
