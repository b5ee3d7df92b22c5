import { createContext, type ReactNode, useContext } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import type { DelegatedItem } from '../../../shared/ipc/intents/tickets.ts'
import type { TicketState } from '../../../shared/ticket/form/ticket-state.ts'

/** The text that the user typed into the order ticket, per market. Kept as long as the window exists; never saved to disk. */
export interface TicketDrafts {
  readonly byMarket: Readonly<Record<number, TicketState>>
  /** Payloads edited by hand, by market id. */
  readonly payloads: Readonly<Record<number, string>>
  readonly last: number | null
  readonly change: (pairId: number, change: (before: TicketState | undefined) => TicketState) => void
  /** Stores a payload edited by hand. `null`: the payload follows the form again. */
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

interface DraftItem {
  /** The item's id. It stays the same when the item is moved. */
  readonly id: number
  readonly item: DelegatedItem
}

/** The batch that the user is composing, separate for each wallet. Kept when the user leaves the page; never saved to disk. */
export interface BatchDraft {
  readonly byWallet: Readonly<Record<string, readonly DraftItem[]>>
  readonly nextId: number
  readonly add: (wallet: string, item: DelegatedItem) => void
  readonly remove: (wallet: string, id: number) => void
  /** Moves an item to an index, counted from 0. An index beyond the list means its start or end. */
  readonly move: (wallet: string, id: number, to: number) => void
  readonly clear: (wallet: string) => void
}

const noItems: readonly DraftItem[] = []

export const createBatchDraft = (): StoreApi<BatchDraft> =>
  createStore<BatchDraft>()((set) => {
    const change = (wallet: string, next: (items: readonly DraftItem[]) => readonly DraftItem[]) =>
      set((state) => ({ byWallet: { ...state.byWallet, [wallet]: next(state.byWallet[wallet] ?? noItems) } }))
    return {
      byWallet: {},
      nextId: 1,
      add: (wallet, item) =>
        set((state) => ({
          nextId: state.nextId + 1,
          byWallet: { ...state.byWallet, [wallet]: [...(state.byWallet[wallet] ?? noItems), { id: state.nextId, item }] },
        })),
      remove: (wallet, id) => change(wallet, (items) => items.filter((one) => one.id !== id)),
      move: (wallet, id, to) =>
        change(wallet, (items) => {
          const moved = items.find((one) => one.id === id)
          if (moved === undefined) return items
          const others = items.filter((one) => one.id !== id)
          const at = Math.min(Math.max(to, 0), others.length)
          return [...others.slice(0, at), moved, ...others.slice(at)]
        }),
      clear: (wallet) => change(wallet, () => noItems),
    }
  })

const BatchContext = createContext<StoreApi<BatchDraft> | null>(null)

export function BatchDraftProvider({ store, children }: { readonly store: StoreApi<BatchDraft>; readonly children: ReactNode }) {
  return <BatchContext value={store}>{children}</BatchContext>
}

function useBatchStore(): StoreApi<BatchDraft> {
  const store = useContext(BatchContext)
  if (store === null) throw new Error('A batch needs a BatchDraftProvider above it')
  return store
}

export interface Batch {
  readonly items: readonly DraftItem[]
  readonly add: (item: DelegatedItem) => void
  readonly remove: (id: number) => void
  readonly move: (id: number, to: number) => void
  readonly clear: () => void
}

/** The batch of a wallet. `wallet` is `null` while no wallet is shown. */
export function useBatch(wallet: string | null): Batch {
  const store = useBatchStore()
  const name = wallet ?? ''
  const items = useStore(store, (state) => state.byWallet[name] ?? noItems)
  const { add, remove, move, clear } = store.getState()
  return {
    items,
    add: (item) => add(name, item),
    remove: (id) => remove(name, id),
    move: (id, to) => move(name, id, to),
    clear: () => clear(name),
  }
}
