import type { Row } from './database.ts'

/** Reads database rows. Leaves out each row that can't be read and collects its ID for a report; the other rows are unaffected. */
export interface Unread {
  read<T>(row: Row, id: string, as: (row: Row) => T): T | null
  /** Reads many rows and returns the readable ones. Reports the ID of each unreadable row, which is in the column `idColumn`. */
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
