import { createContext, type ReactNode, useContext } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import type { TicketState } from '../../../shared/ticket/form/ticket-state.ts'

/** What was typed into the ticket, per market, for as long as the window lives. Nothing of it is written down. */
export interface TicketDrafts {
  readonly byMarket: Readonly<Record<number, TicketState>>
  /** Payloads that were written by hand in place of the form. */
  readonly payloads: Readonly<Record<number, string>>
  /** The market that was last looked at. */
  readonly last: number | null
  readonly change: (pairId: number, change: (before: TicketState | undefined) => TicketState) => void
  /** null: the payload follows the form again. */
  readonly write: (pairId: number, payload: string | null) => void
  readonly look: (pairId: number) => void
}

export const createTicketDrafts = (): StoreApi<TicketDrafts> =>
  createStore<TicketDrafts>()((set) => ({
    byMarket: {},
    payloads: {},
    last: null,
    change: (pairId, change) => set((state) => ({ byMarket: { ...state.byMarket, [pairId]: change(state.byMarket[pairId]) } })),
    write: (pairId, payload) => set(({ payloads: { [pairId]: _, ...others } }) => ({ payloads: payload === null ? others : { ...others, [pairId]: payload } })),
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
