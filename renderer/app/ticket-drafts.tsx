import { createContext, type ReactNode, useContext } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import type { TicketState } from '../../shared/ticket/ticket-state.ts'

/** What was typed into the ticket, per market, for as long as the window lives. Nothing of it is written down. */
export interface TicketDrafts {
  readonly byMarket: Readonly<Record<number, TicketState>>
  /** The market that was last looked at. */
  readonly last: number | null
  readonly change: (pairId: number, change: (before: TicketState | undefined) => TicketState) => void
  readonly look: (pairId: number) => void
}

export const createTicketDrafts = (): StoreApi<TicketDrafts> =>
  createStore<TicketDrafts>()((set) => ({
    byMarket: {},
    last: null,
    change: (pairId, change) => set((state) => ({ byMarket: { ...state.byMarket, [pairId]: change(state.byMarket[pairId]) } })),
    look: (pairId) => set({ last: pairId }),
  }))

const DraftsContext = createContext<StoreApi<TicketDrafts> | null>(null)

export function TicketDraftsProvider({ store, children }: { readonly store: StoreApi<TicketDrafts>; readonly children: ReactNode }) {
  return <DraftsContext value={store}>{children}</DraftsContext>
}

export function useTicketDrafts<T>(select: (state: TicketDrafts) => T): T {
  const store = useContext(DraftsContext)
  if (store === null) throw new Error('useTicketDrafts needs a TicketDraftsProvider above it')
  return useStore(store, select)
}
