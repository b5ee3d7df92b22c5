import type { Row } from './database.ts'

/** Collects rows that can't be read. Each is left out and reported by its ID, and other rows are unaffected. */
export interface Unread {
  /** null if the row can't be read. */
  read<T>(row: Row, id: string, as: (row: Row) => T): T | null
  /** The readable rows of `rows`. `idColumn`: the column with the ID to report. */
  each<T>(rows: readonly Row[], idColumn: string, as: (row: Row) => T): T[]
  add(id: string): void
  forget(id: string): void
  ids(): readonly string[]
}

export function createUnread(known: readonly string[]): Unread {
  const ids = new Set(known)
  const unread: Unread = {
    read(row, id, as) {
      try {
        return as(row)
      } catch {
        ids.add(id)
        return null
      }
    },
    each: (rows, idColumn, as) => rows.map((row) => unread.read(row, String(row[idColumn]), as)).filter((read) => read !== null),
    add: (id) => void ids.add(id),
    forget: (id) => void ids.delete(id),
    ids: () => [...ids],
  }
  return unread
}
