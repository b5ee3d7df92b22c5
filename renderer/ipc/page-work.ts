import type { QueryClient } from '@tanstack/react-query'
import { createStore, type StoreApi } from 'zustand'
import type { CommandName } from '../../shared/ipc/contract.ts'

/** A command that the main process refused because the app is locked. Stored here until it can be sent. */
export interface HeldCall {
  readonly name: CommandName
  readonly input: unknown
}

export interface PageWork {
  /**
   * The phase of this page, which decides whether it may send calls.
   * - `fresh`: the app was never unlocked since the page loaded, so the page contains no data.
   * - `used`: the page contains data.
   * - `left`: the page handed its state over to the main process and is about to be reloaded. It sends nothing more.
   * - `stays`: the main process refused the state. The page tries again only after an unlock.
   */
  readonly phase: 'fresh' | 'used' | 'left' | 'stays'
  /** How many pieces of work are running that a reload would lose: requests to the phone, calls that lead to them, and passphrases being typed. */
  readonly open: number
  /** Whether the main process last reported the app as locked. */
  readonly locked: boolean
  /** Registers work that a reload of the page would lose. Call the returned function when the work ends. */
  readonly begin: () => () => void
  /** Stores a call until the app is unlocked. Returns a function that removes the call. */
  readonly hold: (call: HeldCall) => () => void
  /** Adds a source of further calls. `held` reads the sources when the page hands its state over to the main process. */
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
    // Put the calls of the sources first: one source contains unfinished writes to the wallet's storage, which must happen before commands that
    // depend on them.
    held: () => [...[...sources].flatMap((source) => source()), ...waiting],
  }))
}

const works = new WeakMap<QueryClient, StoreApi<PageWork>>()

/** Returns the store of this page's unfinished work. There is one store per `client`. */
export function pageWork(client: QueryClient): StoreApi<PageWork> {
  const known = works.get(client) ?? create()
  works.set(client, known)
  return known
}

/** Runs `work`. If the app locks meanwhile, the reload of the page waits until `work` ends. */
export async function staysFor<T>(page: StoreApi<PageWork>, work: () => Promise<T>): Promise<T> {
  const end = page.getState().begin()
  try {
    return await work()
  } finally {
    end()
  }
}
