import type { QueryClient } from '@tanstack/react-query'
import { createStore, type StoreApi } from 'zustand'
import type { CommandName } from '../../shared/ipc/contract.ts'

/** A command that main refused because of the lock, and that is not to be lost. */
export interface HeldCall {
  readonly name: CommandName
  readonly input: unknown
}

export interface PageWork {
  /**
   * `fresh`: never unlocked since loading, holds nothing. `used`: holds what it read. `left`: handed over and ending, so it sends nothing more.
   * `stays`: main refused it, and it does not try again before an unlock.
   */
  readonly phase: 'fresh' | 'used' | 'left' | 'stays'
  /** Requests to the phone, and what leads to them, that have not ended; a passphrase that is being typed. */
  readonly open: number
  /** Whether the last word of main was that the app is locked. */
  readonly locked: boolean
  /** Something has begun that would be lost with the page; gives the way to say that it ended. */
  readonly begin: () => () => void
  /** Waits for the unlocking; gives the way to let it go. */
  readonly hold: (call: HeldCall) => () => void
  /** More to hold, known only when the page goes. */
  readonly alsoHold: (source: () => readonly HeldCall[]) => void
  readonly held: () => readonly HeldCall[]
}

const create = (): StoreApi<PageWork> => {
  const waiting = new Set<HeldCall>()
  const sources = new Set<() => readonly HeldCall[]>()
  return createStore<PageWork>()((set) => ({
    phase: 'fresh',
    open: 0,
    locked: false,
    begin: () => {
      let ended = false
      set(({ open }) => ({ open: open + 1 }))
      return () => {
        if (ended) return
        ended = true
        set(({ open }) => ({ open: open - 1 }))
      }
    },
    hold: (call) => {
      waiting.add(call)
      return () => waiting.delete(call)
    },
    alsoHold: (source) => void sources.add(source),
    // Stores come first: the wallet's store before what was signed with it.
    held: () => [...[...sources].flatMap((source) => source()), ...waiting],
  }))
}

const works = new WeakMap<QueryClient, StoreApi<PageWork>>()

/** What is under way in the page of this client. */
export function pageWork(client: QueryClient): StoreApi<PageWork> {
  const known = works.get(client) ?? create()
  works.set(client, known)
  return known
}

/** For as long as `work` takes, the page stays. */
export async function staysFor<T>(page: StoreApi<PageWork>, work: () => Promise<T>): Promise<T> {
  const end = page.getState().begin()
  try {
    return await work()
  } finally {
    end()
  }
}
