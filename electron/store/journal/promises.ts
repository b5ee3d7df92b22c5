import type { DatabaseSync } from 'node:sqlite'
import { ExecutionMethod, IntentState } from '../../../shared/ipc/intents/orders.ts'
import { SecretOperation } from '../../../shared/ipc/reads/activity.ts'
import { text } from './columns.ts'
import { type Chain, emptyChain, follow, type Marked } from './mark.ts'
import { promisesOfRows } from './migrations.ts'

/** The result of comparing an opened database with its mark file: which recorded facts the database still contains. */
export interface Holding {
  readonly chain: Chain
  /** True if the database contains every fact that the mark file covers, and each row matches the last fact recorded about it. */
  readonly whole: boolean
  /** IDs of intents and operations whose rows contain values that this version of the app does not know. */
  readonly unreadable: readonly string[]
}

/**
 * In these states, a request, signature or transaction may have left the app. The app writes these states to the main file at once, not only to the
 * write-ahead log.
 */
const outside: ReadonlySet<string> = new Set(['SENT', 'ASKED', 'SIGNED', 'SUBMITTED', 'asked', 'submitted'])
export const mayBeOutside = (fact: string): boolean => outside.has(fact)

export const profileKept = 'profile kept'
export const profileRemoved = 'profile removed'

const quoted = (values: readonly string[]) => values.map((value) => `'${value}'`).join(', ')
/** SQL for the rows that this version of the app cannot read. */
export const unreadableRows = `
  SELECT ref AS id FROM intents
    WHERE state NOT IN (${quoted(IntentState.options)}) OR side NOT IN ('long', 'short') OR way NOT IN (${quoted(ExecutionMethod.options)}) OR NOT json_valid(ticket)
  UNION ALL SELECT id FROM secret_operations
    WHERE state NOT IN (${quoted(SecretOperation.shape.state.options)}) OR kind NOT IN (${quoted(SecretOperation.shape.kind.options)}) OR NOT json_valid(key_ids_before)`

/**
 * Reads the recorded facts (promises) of a database and compares them with its mark file, which covers the facts that the journal has
 * acknowledged. `marked` is the content of the mark file; `null` if there is none. If the database has more facts than the mark file, nothing is
 * lost.
 */
export function readHolding(database: DatabaseSync, marked: Marked | null): Holding {
  let chain = emptyChain
  let isHeld = marked === null || marked.count === 0
  let isUnbroken = true
  const last = new Map<string, string>()
  for (const row of database.prepare('SELECT seq, kind, ref, fact FROM promises ORDER BY seq').iterate()) {
    const [kind, ref, fact] = [text(row, 'kind'), text(row, 'ref'), text(row, 'fact')]
    if (row.seq !== chain.count + 1) isUnbroken = false
    chain = follow(chain, { kind: kind as 'intent', ref, fact })
    if (chain.count === marked?.count) isHeld = chain.hash === marked.hash
    if (fact === profileRemoved) last.delete(subjectOf(kind, ref, fact))
    else last.set(subjectOf(kind, ref, fact), fact)
  }
  const unreadable = database
    .prepare(unreadableRows)
    .all()
    .map(({ id }) => String(id))
  return { chain, whole: isUnbroken && isHeld && rowsKeep(database, last), unreadable }
}

/**
 * Returns the subject of a recorded fact. A later fact about the same subject replaces an earlier one. A fact of one word is a state, and its
 * subject is the row. A fact of two words, such as `nonce 5`, has a subject of its own (row and first word), so no state replaces it.
 */
function subjectOf(kind: string, ref: string, fact: string): string {
  const [word, more] = fact.split(' ', 2)
  return `${kind} ${ref} ${more === undefined ? 'state' : word}`
}

/** True if every row with a recorded fact exists and matches its last recorded fact. */
function rowsKeep(database: DatabaseSync, last: ReadonlyMap<string, string>): boolean {
  const rows = database.prepare(`
    SELECT 'intent ' || ref || ' PLANNED' AS subject, 'PLANNED ' || idempotency_key AS fact, state = 'PLANNED' AS fresh FROM intents
    UNION ALL SELECT 'intent ' || ref || ' state', state, state = 'PLANNED' FROM intents
    UNION ALL SELECT 'operation ' || id || ' state', state, 0 FROM secret_operations
    UNION ALL SELECT 'transaction ' || ref || ' ' || position || ' state', state, state = 'waiting' FROM intent_transactions
    UNION ALL SELECT 'transaction ' || ref || ' ' || position || ' nonce', 'nonce ' || coalesce(nonce, 'none'), nonce IS NULL FROM intent_transactions
    UNION ALL SELECT 'value ' || name || ' used', 'used ' || value, 0 FROM "values" WHERE name LIKE 'nonce/%'
    UNION ALL SELECT 'value ' || name || ' profile', '${profileKept}', 1 FROM "values" WHERE name LIKE 'profile/%'`)
  let found = 0
  for (const { subject, fact, fresh } of rows.iterate()) {
    const promised = last.get(String(subject))
    if (promised === undefined && fresh === 1) continue
    if (promised !== fact) return false
    found += 1
  }
  return found === last.size
}

export function promiseAgain(database: DatabaseSync): Chain {
  database.exec(`BEGIN IMMEDIATE; DELETE FROM promises; ${promisesOfRows} COMMIT;`)
  return readHolding(database, null).chain
}
