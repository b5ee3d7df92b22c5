import type { Secret } from '../../../electron/kernel/secret.ts'
import type { Vault } from '../../../electron/store/journal/journal.ts'
import { createRecords, createSealedRecords, type SealedValues } from '../../../electron/store/records/access.ts'
import type { RawRow } from '../../../electron/store/records/raw.ts'
import { families, type Records, sealedFamilies } from '../../../electron/store/records/registry.ts'

/** An in-memory vault. A second vault with the same `values` simulates a restart. All values go through `raw`, whose methods a test can replace. */
export function createMemoryVault(values: Map<string, Secret> = new Map()): Vault & { readonly values: Map<string, Secret>; readonly raw: SealedValues } {
  const raw: SealedValues = {
    read: async (name, as, unreadable) => {
      const value = values.get(name)
      const read = value === undefined ? null : as(value, 1)
      if (value !== undefined && read === null) unreadable()
      return read
    },
    set: async (name, value) => {
      if (value === null) values.delete(name)
      else values.set(name, value)
    },
    names: (prefix) => [...values.keys()].filter((name) => name.startsWith(prefix)),
  }
  return { ...createSealedRecords(sealedFamilies, raw, (name) => values.delete(name)), values, raw }
}

/** In-memory records by name. Unreadable records are moved to `aside`. */
export function createMemoryRecords(rows: Map<string, string> = new Map(), aside: Map<string, string> = new Map()): Records {
  const rowOf = (name: string): RawRow | null => {
    const value = rows.get(name)
    return value === undefined ? null : { name, value, version: 1 }
  }
  return createRecords(families, {
    values: {
      get: (name) => rows.get(name) ?? null,
      row: rowOf,
      set: (name, value) => void (value === null ? rows.delete(name) : rows.set(name, value)),
      withPrefix: (prefix) => [...rows].filter(([name]) => name.startsWith(prefix)).map(([name, value]) => ({ name, value, version: 1 })),
    },
    sealed: { get: () => null, version: () => 1, set: () => undefined, names: () => [] },
    setAside: {
      move: (name) => {
        aside.set(name, rows.get(name) ?? '')
        rows.delete(name)
      },
      has: (name) => aside.has(name),
      values: () => [],
      putBack: () => undefined,
    },
    report: () => undefined,
  })
}
