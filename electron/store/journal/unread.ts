import type { Row } from './database.ts'

/** Rows that cannot be read: each is left out and told of by its id, and costs none of the others. */
export interface Unread {
  /** null: the row cannot be read. */
  read<T>(row: Row, id: string, as: (row: Row) => T): T | null
  /** Those of `rows` that can be read. `idColumn`: what they are told of by. */
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
