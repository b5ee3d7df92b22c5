/** One piece of work at a time per name; different names never wait for each other. */
export interface NamedLocks {
  run<T>(name: string, work: () => Promise<T>): Promise<T>
  /** Resolves once nothing runs or waits under any name. */
  idle(): Promise<void>
}

export function createNamedLocks(): NamedLocks {
  const tails = new Map<string, Promise<unknown>>()
  return {
    run: (name, work) => {
      const before = tails.get(name) ?? Promise.resolve()
      const mine = before.then(work, work)
      const settled = mine.catch(() => undefined)
      tails.set(name, settled)
      void settled.then(() => {
        if (tails.get(name) === settled) tails.delete(name)
      })
      return mine
    },
    idle: async () => {
      while (tails.size > 0) await Promise.all(tails.values())
    },
  }
}
