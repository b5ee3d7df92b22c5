import type { QueryClient } from '@tanstack/react-query'
import { createStore, type StoreApi } from 'zustand'
import type { CommandName } from '../../shared/ipc/contract.ts'

/** A command that main refused because the app is locked, stored here until it can be sent. */
export interface HeldCall {
  readonly name: CommandName
  readonly input: unknown
}

export interface PageWork {
  /**
   * - `fresh`: never unlocked since loading, contains no data.
   * - `used`: contains data that it read.
   * - `left`: handed its state over to main and is about to be reloaded, so it sends nothing more.
   * - `stays`: main refused the handover, and the page does not try again before an unlock.
   */
  readonly phase: 'fresh' | 'used' | 'left' | 'stays'
  /** How much work has not ended: requests to the phone, calls leading to them, and passphrases being typed. */
  readonly open: number
  /** Whether main last reported the app as locked. */
  readonly locked: boolean
  /** Registers work that would be lost if the page were reloaded. Call the returned function when the work ends. */
  readonly begin: () => () => void
  /** Stores a call until the unlock. The returned function removes the call. */
  readonly hold: (call: HeldCall) => () => void
  /** Adds a source of further calls to store. It is read only when the page hands its state over to main. */
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
    // The sources come first: the wallet's storage must be written before commands that depend on it.
    held: () => [...[...sources].flatMap((source) => source()), ...waiting],
  }))
}

const works = new WeakMap<QueryClient, StoreApi<PageWork>>()

/** The store of this page's unfinished work. Every call with the same `client` returns the same store. */
export function pageWork(client: QueryClient): StoreApi<PageWork> {
  const known = works.get(client) ?? create()
  works.set(client, known)
  return known
}

/** After a lock, delays the reload of the page until `work` ends. */
export async function staysFor<T>(page: StoreApi<PageWork>, work: () => Promise<T>): Promise<T> {
  const end = page.getState().begin()
  try {
    return await work()
  } finally {
    end()
  }
}
