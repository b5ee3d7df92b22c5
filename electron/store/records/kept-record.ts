import type { RecordAccess, SealedAccess } from './access.ts'
import type { KeyOf } from './record.ts'

/** One record that survives a restart of the app. */
export interface KeptRecord<T> {
  /** Reads the record; `null` if it is missing or unreadable. */
  read(): T | null
  /**
   * Stores the record. Never throws: if the journal refuses the write, the record stays in memory until the app ends. A failed write on this
   * computer must never prevent an action that ends risk (cancel, close, revoke).
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
        // The journal is closed, so the record can't be read.
        kept = null
      }
      return kept
    },
    keep: (record) => {
      kept = record
      try {
        records.write(key, record)
      } catch {
        // The write failed because the disk is full or the journal is closed. The record stays in memory.
      }
    },
  }
}

/**
 * Like `KeptRecord`, but encrypted on disk, for records that may contain a secret, such as a URL with a token.
 * Decryption needs the keychain. `read` waits for the keychain's answer; if the keychain fails, the next `read` tries again.
 */
export interface SealedRecord<T> {
  /** Reads the record; `null` if it is missing or unreadable, or if the keychain doesn't return the key now. */
  read(): Promise<T | null>
  /** Stores the record. Never rejects: if the record can't be encrypted, it stays in memory until the app ends. */
  keep(record: T): Promise<void>
}

export function createSealedRecord<Name extends string, T>(records: Pick<SealedAccess<Name, T>, 'read' | 'write'>, key: KeyOf<Name>): SealedRecord<T> {
  let kept: T | null | undefined
  return {
    read: async () => {
      if (kept !== undefined) return kept
      try {
        const read = await records.read(key)
        // If `keep` stored a newer record during this read, don't overwrite it with the older one from disk.
        if (kept === undefined) kept = read
      } catch {
        // The keychain is locked, so the record can't be decrypted now. The next call of `read` tries again.
      }
      return kept ?? null
    },
    keep: async (record) => {
      kept = record
      try {
        await records.write(key, record)
      } catch {
        // The write failed: the keychain returned no key, the disk is full, or the journal is closed. The record stays in memory.
      }
    },
  }
}
