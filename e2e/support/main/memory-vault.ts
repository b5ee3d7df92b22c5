import type { Secret } from '../../../electron/kernel/secret.ts'
import type { Vault } from '../../../electron/store/journal/journal.ts'

/** A vault in memory; `values` may be handed to a second one, as a restart would find them. */
export function createMemoryVault(values: Map<string, Secret> = new Map()): Vault & { readonly values: Map<string, Secret> } {
  return {
    values,
    get: async (name) => values.get(name) ?? null,
    set: async (name, value) => {
      if (value === null) values.delete(name)
      else values.set(name, value)
    },
    withPrefix: async (prefix) => [...values].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => ({ name, value })),
  }
}
