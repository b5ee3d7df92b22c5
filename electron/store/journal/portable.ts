import { chmodSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import { familyFinder } from '../records/access.ts'
import { type Family, matcher, nameOf } from '../records/record.ts'
import { families, inBackup } from '../records/registry.ts'
import { migrate } from './connection.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'
import { promiseAgain } from './promises.ts'

/**
 * Which part of each journal table a backup contains. rows: its rows, without the columns in `ofOneComputer`. records: the records in `inBackup`.
 * none: nothing. The indexes of stored secrets are not copied: when a secret is restored, its index entry is added again. A test compares this list
 * with the database.
 */
export const tablesInBackup = {
  intents: 'rows',
  intent_steps: 'rows',
  intent_transactions: 'rows',
  secret_operations: 'rows',
  requests: 'rows',
  exchanges: 'rows',
  audit_rows: 'rows',
  values: 'records',
  secret_index: 'none',
  webhook_secret_index: 'none',
  // The key that encrypts these records stays in the keychain. The backup therefore reads the records one by one (`sealedInBackup`).
  vault: 'none',
  set_aside: 'none',
  // A restored journal computes this table again from its rows.
  promises: 'none',
} as const satisfies Readonly<Record<string, 'rows' | 'records' | 'none'>>

/** Columns about a wallet pairing. A backup omits them, because a pairing belongs to one computer. */
const ofOneComputer: ReadonlySet<string> = new Set(['topic', 'wallet_request_id'])

const Cell = z.union([z.string(), z.number(), z.null()])
const RowOfTable = z.record(z.string(), Cell)

/** The rows of a profile's journal that a backup contains. `schema`: how many migrations the journal had. */
export const PortableJournal = z.object({ schema: z.number().int().min(1), tables: z.record(z.string(), z.array(RowOfTable)) })
export type PortableJournal = z.infer<typeof PortableJournal>

const familyOf = familyFinder(Object.values<Family>(families))
const namesInBackup: ReadonlySet<string> = new Set(
  Object.entries(families).flatMap(([key, { name }]) => (inBackup[key as keyof typeof families] ? [name] : [])),
) // The cast is safe: `key` is a key of `families`.

const isInBackup = (name: string): boolean => namesInBackup.has(familyOf(name)?.name ?? '')

/** Returns the content of an open journal that belongs in a backup. */
export function readPortable({ all }: Pick<Database, 'all'>): PortableJournal {
  const tables: Record<string, z.infer<typeof RowOfTable>[]> = {}
  for (const [table, what] of Object.entries(tablesInBackup)) {
    if (what === 'none') continue
    const rows = all(`SELECT * FROM "${table}"`).map((row) =>
      Object.fromEntries(Object.entries(row).map(([column, value]) => [column, ofOneComputer.has(column) ? null : Cell.parse(value)])),
    )
    tables[table] = what === 'records' ? rows.filter(({ name }) => isInBackup(String(name))) : rows
  }
  return { schema: migrations.length, tables }
}

/**
 * Creates a journal file from the rows of a backup, for a profile with another ID. Throws if a newer version of the app wrote the rows, or if the
 * database refuses them.
 */
export function writePortable(file: string, { schema, tables }: PortableJournal, profile: { readonly from: string; readonly to: string }): void {
  if (schema > migrations.length) throw new Error('A newer version of the app wrote this journal')
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(file)
  try {
    chmodSync(file, 0o600)
    migrate(database, 0, schema)
    database.exec('BEGIN IMMEDIATE')
    for (const [table, what] of Object.entries(tablesInBackup)) {
      if (what === 'none') continue
      const columns = new Set(
        database
          .prepare('SELECT name FROM pragma_table_info(?)')
          .all(table)
          .map(({ name }) => String(name)),
      )
      for (const row of tables[table] ?? []) {
        const given = Object.entries(what === 'records' ? ofProfile(row, profile) : { ...row, ...('profile_id' in row && { profile_id: profile.to }) })
        const named = given.filter(([column]) => columns.has(column))
        const sql = `INSERT INTO "${table}" (${named.map(([column]) => `"${column}"`).join(', ')}) VALUES (${named.map(() => '?').join(', ')})`
        database.prepare(sql).run(...named.map(([, value]) => value))
      }
    }
    database.exec('COMMIT')
    migrate(database, schema)
    promiseAgain(database)
  } finally {
    database.close()
  }
}

/** Returns a record's row with the name that the record has in the other profile. */
function ofProfile(row: z.infer<typeof RowOfTable>, { from, to }: { readonly from: string; readonly to: string }): z.infer<typeof RowOfTable> {
  const name = String(row.name)
  const family = familyOf(name)
  const key: Readonly<Record<string, string>> | null = family === null ? null : matcher(family)(name)
  return family === null || key?.profile !== from ? row : { ...row, name: nameOf(family, { ...key, profile: to }) }
}
