import { createContext, type ReactNode, useContext, useEffect, useId, useRef } from 'react'
import { createStore, type StoreApi, useStore } from 'zustand'
import type { IconName } from '../icons/icon.tsx'

/** An entry of the command palette. */
export interface Command {
  readonly id: string
  readonly group: string
  readonly label: string
  readonly icon: IconName
  /** A fact about the command, shown on the right. */
  readonly note?: string
  /** The shortcut to show beside the command. Other code handles the shortcut. */
  readonly keys?: readonly string[]
  /** Search terms under which the command is found, such as synonyms or an id. Never shown. */
  readonly terms?: string
  /**
   * Set for a command that destroys or stops something: the words that name this effect. Unless the user types one of these words, the command ranks
   * below all other results.
   */
  readonly risk?: string
  readonly run: () => void
}

interface Registry {
  readonly sets: ReadonlyMap<string, readonly Command[]>
  readonly set: (owner: string, commands: readonly Command[]) => void
  readonly remove: (owner: string) => void
}

export function createCommands(): StoreApi<Registry> {
  return createStore<Registry>()((set) => ({
    sets: new Map(),
    set: (owner, commands) => set((state) => ({ sets: new Map(state.sets).set(owner, commands) })),
    remove: (owner) =>
      set((state) => {
        const sets = new Map(state.sets)
        sets.delete(owner)
        return { sets }
      }),
  }))
}

const CommandContext = createContext<StoreApi<Registry> | null>(null)

export function CommandProvider({ store, children }: { readonly store: StoreApi<Registry>; readonly children: ReactNode }) {
  return <CommandContext value={store}>{children}</CommandContext>
}

function useRegistry(): StoreApi<Registry> {
  const store = useContext(CommandContext)
  if (store === null) throw new Error('Commands need a CommandProvider above them')
  return store
}

/** Adds commands to the palette for as long as the component is on screen. */
export function useCommands(commands: readonly Command[]): void {
  const owner = useId()
  const store = useRegistry()
  const latest = useRef(commands)
  latest.current = commands
  // Update the palette only if the visible part of the commands has changed.
  const shown = commands.map(({ id, label, note, group }) => `${group}/${id}/${label}/${note ?? ''}`).join('\n')
  // biome-ignore lint/correctness/useExhaustiveDependencies: `shown` stands for `commands`, which is new at each rendering
  useEffect(() => {
    const run = (id: string) => latest.current.find((command) => command.id === id)?.run()
    store.getState().set(
      owner,
      latest.current.map((command) => ({ ...command, run: () => run(command.id) })),
    )
  }, [shown, owner, store])
  useEffect(() => () => store.getState().remove(owner), [owner, store])
}

export function useAllCommands(): readonly Command[] {
  const sets = useStore(useRegistry(), (state) => state.sets)
  return [...sets.values()].flat()
}
