import type { RecordAccess, SealedAccess } from './access.ts'
import type { KeyOf } from './record.ts'

/** One record that outlives the run. */
export interface KeptRecord<T> {
  /** null: there is none, or it could not be read. */
  read(): T | null
  /** Never throws: what the journal does not take stays in memory for this run, since nothing on this computer holds back what ends risk. */
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
        // The journal is gone.
        kept = null
      }
      return kept
    },
    keep: (record) => {
      kept = record
      try {
        records.write(key, record)
      } catch {
        // The disk is full, or the journal is gone.
      }
    },
  }
}

/**
 * As `KeptRecord`, for what may hold a secret, such as an address with a token in it: encrypted on the disk. The keychain has to be asked, and may
 * not answer: reading waits, and what could not be read is read again.
 */
export interface SealedRecord<T> {
  /** null: there is none, it could not be read, or the keychain does not open it now. */
  read(): Promise<T | null>
  /** Never rejects: what cannot be sealed stays in memory for this run. */
  keep(record: T): Promise<void>
}

export function createSealedRecord<Name extends string, T>(records: Pick<SealedAccess<Name, T>, 'read' | 'write'>, key: KeyOf<Name>): SealedRecord<T> {
  let kept: T | null | undefined
  return {
    read: async () => {
      if (kept !== undefined) return kept
      try {
        const read = await records.read(key)
        // What was kept meanwhile is newer.
        if (kept === undefined) kept = read
      } catch {
        // The keychain is locked. The next time it may not be.
      }
      return kept ?? null
    },
    keep: async (record) => {
      kept = record
      try {
        await records.write(key, record)
      } catch {
        // The keychain gives no key, the disk is full, or the journal is gone.
      }
    },
  }
}
