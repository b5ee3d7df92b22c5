import { z } from 'zod'
import { SecretOperation } from '../../../../shared/ipc/reads/activity.ts'
import type { Clock } from '../../../../shared/time.ts'
import { readOperationNote } from '../../records/written-reasons.ts'
import { insertRow, integer, oneOf, text, textOrNull, type Unread } from '../columns.ts'
import type { Database, Row } from '../database.ts'
import type { SecretIndex, SecretOperationLog, SecretOperationRow } from '../journal.ts'
import { secretTransitions, unsettledSecretStates } from './states.ts'

const KeyIds = z.array(z.string())

export function createSecretOperationLog(database: Database, clock: Clock, unread: Unread): SecretOperationLog {
  const get = (id: string): SecretOperationRow | null => {
    const row = database.get('SELECT * FROM secret_operations WHERE id = ?', id)
    return row === undefined ? null : unread.read(row, id, readOperation)
  }
  const find = (id: string): SecretOperationRow => {
    const found = get(id)
    if (found === null) throw new Error(`No such operation: ${id}`)
    return found
  }

  return {
    plan({ id, profileId, wallet, kind, label, keyId, keyIdsBefore = [], keyIdsWhole = true, marker = '', draft = null }) {
      const now = clock.now()
      return database.transaction(() => {
        insertRow(database, 'secret_operations', {
          ...{ id, profileId, wallet, kind, label, keyId, keyIdsBefore: JSON.stringify(keyIdsBefore), keyIdsWhole: keyIdsWhole ? 1 : 0, marker, draft },
          ...{ state: 'PLANNED', atMs: now, updatedAtMs: now },
        })
        database.promise({ kind: 'operation', ref: id, fact: 'PLANNED' })
        return find(id)
      })
    },
    move(id, to, change = {}) {
      return database.transaction(() => {
        const before = find(id)
        if (!secretTransitions[before.state].includes(to)) throw new Error(`An operation does not go from ${before.state} to ${to}: ${id}`)
        database.run(
          'UPDATE secret_operations SET state = ?, key_id = ?, note = ?, updated_at_ms = ? WHERE id = ?',
          to,
          change.keyId === undefined ? before.keyId : change.keyId,
          change.note === undefined ? before.note : change.note,
          clock.now(),
          id,
        )
        database.promise({ kind: 'operation', ref: id, fact: to })
        return find(id)
      })
    },
    get,
    list: (profileId, limit, of) => {
      const [field, values] = of === undefined ? ['', []] : 'wallet' in of ? ['wallet', [of.wallet]] : ['key_id', of.keyIds]
      const scope = [profileId, ...values]
      const where = of === undefined ? 'profile_id = ?' : `profile_id = ? AND ${field} IN (${values.map(() => '?').join(', ')})`
      const rows = database.all(`SELECT * FROM secret_operations WHERE ${where} ORDER BY at_ms DESC, rowid DESC LIMIT ?`, ...scope, limit)
      return unread.each(rows, 'id', readOperation)
    },
    unsettled(profileId) {
      const wanted = unsettledSecretStates.map(() => '?').join(', ')
      const rows = database.all(
        `SELECT * FROM secret_operations WHERE profile_id = ? AND state IN (${wanted}) ORDER BY at_ms`,
        profileId,
        ...unsettledSecretStates,
      )
      return unread.each(rows, 'id', readOperation)
    },
  }
}

export function createSecretIndex(database: Database, clock: Clock, table: 'secret_index' | 'webhook_secret_index'): SecretIndex {
  return {
    remember({ profileId, wallet, keyId, account, label }) {
      database.run(
        `INSERT OR REPLACE INTO ${table} (profile_id, key_id, wallet, account, label, at_ms) VALUES (?, ?, ?, ?, ?, ?)`,
        profileId,
        keyId,
        wallet,
        account,
        label,
        clock.now(),
      )
    },
    forget(profileId, keyId) {
      database.run(`DELETE FROM ${table} WHERE profile_id = ? AND key_id = ?`, profileId, keyId)
    },
    list: (profileId) =>
      database.all(`SELECT * FROM ${table} WHERE profile_id = ? ORDER BY at_ms`, profileId).map((row) => ({
        wallet: text(row, 'wallet'),
        keyId: text(row, 'key_id'),
        account: text(row, 'account'),
        label: text(row, 'label'),
        atMs: integer(row, 'at_ms'),
      })),
  }
}

function readOperation(row: Row): SecretOperationRow {
  return {
    id: text(row, 'id'),
    profileId: text(row, 'profile_id'),
    wallet: text(row, 'wallet'),
    kind: oneOf(row, 'kind', SecretOperation.shape.kind.options),
    label: text(row, 'label'),
    keyId: textOrNull(row, 'key_id'),
    keyIdsBefore: KeyIds.parse(JSON.parse(text(row, 'key_ids_before'))),
    keyIdsWhole: integer(row, 'key_ids_whole') === 1,
    marker: text(row, 'marker'),
    draft: textOrNull(row, 'draft'),
    state: oneOf(row, 'state', SecretOperation.shape.state.options),
    note: row.note === null ? null : readOperationNote(text(row, 'note')),
    atMs: integer(row, 'at_ms'),
    updatedAtMs: integer(row, 'updated_at_ms'),
  }
}
