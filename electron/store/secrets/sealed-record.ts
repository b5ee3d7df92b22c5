import type { z } from 'zod'
import { Secret } from '../../kernel/secret.ts'
import type { Vault } from '../journal/journal.ts'
import { readRecord } from '../journal/kept-record.ts'

/**
 * As `KeptRecord`, for what may hold a secret, such as an address with a token in it: encrypted on the disk. The keychain has to be asked, and may
 * not answer: reading waits, and what could not be read is read again.
 */
export interface SealedRecord<T> {
  /** null: there is none, what is written is none, or the keychain does not open it now. */
  read(): Promise<T | null>
  /** Never rejects: what cannot be sealed stays in memory for this run. */
  keep(record: T): Promise<void>
}

export function createSealedRecord<T>({
  name,
  schema,
  vault,
}: {
  readonly name: string
  readonly schema: z.ZodType<T>
  readonly vault: Pick<Vault, 'get' | 'set'>
}): SealedRecord<T> {
  let kept: T | null | undefined

  return {
    read: async () => {
      if (kept !== undefined) return kept
      try {
        const sealed = await vault.get(name)
        // What was kept meanwhile is newer.
        if (kept === undefined) kept = readRecord(schema, sealed?.reveal() ?? null)
      } catch {
        // The keychain is locked. The next time it may not be.
      }
      return kept ?? null
    },
    keep: async (record) => {
      kept = record
      try {
        await vault.set(name, new Secret(JSON.stringify(record)))
      } catch {
        // The keychain gives no key, the disk is full, or the journal is gone.
      }
    },
  }
}
