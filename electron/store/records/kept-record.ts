import type { RecordAccess, SealedAccess } from './access.ts'
import type { KeyOf } from './record.ts'

/** One record that is still stored after a restart. */
export interface KeptRecord<T> {
  /** `null` if missing or unreadable. */
  read(): T | null
  /**
   * Never throws. If the journal refuses the write, the record stays in memory for this run, because nothing on this computer may block an exit
   * (cancel, close, revoke).
   */
  keep(record: T): void
}

export function createKeptRecord<Name extends string, T>(records: Pick<RecordAccess<Name, T>, 'read' | 'write'>, key: KeyOf<Name>): KeptRecord<T> {
  let kept: T | null | undefined
  return {
    read: () => {
      if (kept !== undefined) return kept
      try {
        kept = records.read(key)
      } catch {
        // The journal is closed.
        kept = null
      }
      return kept
    },
    keep: (record) => {
      kept = record
      try {
        records.write(key, record)
      } catch {
        // The disk is full, or the journal is closed.
      }
    },
  }
}

/**
 * Like `KeptRecord`, for records that may contain a secret, such as a URL with a token: encrypted on disk. It needs the keychain, which may not
 * answer. Reading waits for the keychain, and a failed read is tried again next time.
 */
export interface SealedRecord<T> {
  /** `null` if missing, unreadable, or the keychain can't open it now. */
  read(): Promise<T | null>
  /** Never rejects: a record that can't be sealed stays in memory for this run. */
  keep(record: T): Promise<void>
}

export function createSealedRecord<Name extends string, T>(records: Pick<SealedAccess<Name, T>, 'read' | 'write'>, key: KeyOf<Name>): SealedRecord<T> {
  let kept: T | null | undefined
  return {
    read: async () => {
      if (kept !== undefined) return kept
      try {
        const read = await records.read(key)
        // A record that was kept in the meantime is newer.
        if (kept === undefined) kept = read
      } catch {
        // The keychain is locked. It may be open next time.
      }
      return kept ?? null
    },
    keep: async (record) => {
      kept = record
      try {
        await records.write(key, record)
      } catch {
        // The keychain returns no key, the disk is full, or the journal is closed.
      }
    },
  }
}
