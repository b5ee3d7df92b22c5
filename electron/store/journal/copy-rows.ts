import type { DatabaseSync } from 'node:sqlite'
import { type Connection, connect } from './connection.ts'

/** Replaces the content of `to` by the content of `from`, table by table, in one transaction. Returns `partial` if some tables could not be read. */
export function copyRows(from: Connection, to: Connection): 'whole' | 'partial' {
  let read: 'whole' | 'partial' = 'whole'
  to.exec('BEGIN IMMEDIATE')
  try {
    for (const name of tablesOf(to)) {
      const rows = readTable(from, name)
      if (rows === null) read = 'partial'
      to.statement(`DELETE FROM "${name}"`).run()
      for (const row of rows ?? []) insert(to, 'INSERT', name, row)
    }
    to.exec('COMMIT')
    return read
  } catch (error) {
    if (to.inTransaction()) to.exec('ROLLBACK')
    throw error
  }
}

/** Copies the readable rows of `from` into `to`, in the columns that exist in both databases. */
export function copyReadable(from: DatabaseSync, to: DatabaseSync): void {
  const [source, target] = [connect(from), connect(to)]
  for (const name of tablesOf(target)) {
    const columns = target
      .statement(`SELECT name FROM pragma_table_info('${name}')`)
      .all()
      .map((row) => String(row.name))
    for (const row of readTable(source, name) ?? []) {
      const shared = Object.fromEntries(Object.entries(row).filter(([column]) => columns.includes(column)))
      try {
        insert(target, 'INSERT OR IGNORE', name, shared)
      } catch {
        // Skip a row that the database refuses. This app cannot have written such a row.
      }
    }
  }
}

const tablesOf = (database: Connection): string[] =>
  database
    .statement("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all()
    .map(({ name }) => String(name))

type Rows = ReturnType<ReturnType<Connection['statement']>['all']>

function insert(to: Connection, how: 'INSERT' | 'INSERT OR IGNORE', table: string, row: Rows[number]): void {
  const columns = Object.keys(row)
  to.statement(`${how} INTO "${table}" (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`).run(...Object.values(row))
}

function readTable(from: Connection, name: string): Rows | null {
  try {
    return from.statement(`SELECT * FROM "${name}"`).all()
  } catch {
    return null
  }
}
