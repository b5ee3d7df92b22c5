import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { createQueue } from '../../kernel/deadline.ts'
import { ExpectedFailure } from '../../kernel/failures.ts'
import { Secret } from '../../kernel/secret.ts'
import type { Vault } from '../journal/journal.ts'
import type { SqliteJournal } from '../journal/tables/sqlite-journal.ts'
import { createSealedRecords, type SealedValues } from '../records/access.ts'
import { raw, type SealedRows } from '../records/raw.ts'
import { sealedFamilies } from '../records/registry.ts'
import type { SecretStore } from './secret-store.ts'

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
const keyBytes = 32

export interface VaultParts {
  readonly rows: SealedRows
  readonly secrets: SecretStore
  /** The keychain entry that holds the vault's encryption key, for example `vault/practice`. */
  readonly account: string
  /** True if the vault's key may stay in memory between two calls; false while the app is locked. */
  readonly mayKeep?: () => boolean
}

/** A vault that can clear its encryption key from memory. The next call reads the key from the keychain again. */
export interface SealedVault extends SealedValues {
  rest(): Promise<void>
}

/** Opens the encrypted records of a journal. */
export function openVault({ journal, ...parts }: Omit<VaultParts, 'rows'> & { readonly journal: Pick<SqliteJournal, typeof raw> }): {
  readonly records: Vault
  rest(): Promise<void>
} {
  const { sealed, setAside } = journal[raw]
  const vault = createVault({ ...parts, rows: sealed })
  return { records: createSealedRecords(sealedFamilies, vault, setAside.move), rest: vault.rest }
}

/**
 * Stores values that are too large or too many for the keychain. SQLite stores them, encrypted with one key that the keychain stores.
 * Each value is authenticated together with its name, so that two rows can't be swapped unnoticed.
 * Throws `ExpectedFailure` with `keychain` if the keychain doesn't return the key. If the key is lost, every value counts as missing, because the
 * app can't decrypt it.
 */
export function createVault({ rows, secrets, account, mayKeep = () => true }: VaultParts): SealedVault {
  // Run one call at a time. Otherwise, two first writes could each create an encryption key.
  const queue = createQueue()
  let key: Buffer | null = null

  const letGo = () => {
    key?.fill(0)
    key = null
  }
  const inTurn = <T>(work: () => Promise<T>): Promise<T> =>
    queue(async () => {
      try {
        return await work()
      } finally {
        if (!mayKeep()) letGo()
      }
    })

  const readKey = async (): Promise<Buffer | null> => {
    if (key !== null) return key
    const found = await secrets.get(account)
    if (!found.ok) throw new ExpectedFailure(found.failure)
    const bytes = found.value === null ? null : Buffer.from(found.value.reveal(), 'base64')
    key = bytes?.length === keyBytes ? bytes : null
    return key
  }

  const readOrMakeKey = async (): Promise<Buffer> => {
    const known = await readKey()
    if (known !== null) return known
    const made = randomBytes(keyBytes)
    const written = await secrets.set(account, new Secret(made.toString('base64')))
    if (!written.ok) throw new ExpectedFailure(written.failure)
    const back = await secrets.get(account)
    if (!back.ok) throw new ExpectedFailure(back.failure)
    if (back.value?.reveal() !== made.toString('base64')) throw new ExpectedFailure({ kind: 'keychain', code: 'failed', detail: 'not_read_back' })
    key = made
    return made
  }

  return {
    read: (name, as, unreadable) =>
      inTurn(async () => {
        const sealed = rows.get(name)
        // If nothing is stored under this name, return before asking the keychain, which the user might have to unlock.
        if (sealed === null) return null
        const version = rows.version(name)
        const opener = await readKey()
        // Don't report the value as damaged: a locked keychain may return null for the key.
        if (opener === null) return null
        const opened = open(opener, name, sealed)
        const read = opened === null ? null : as(new Secret(opened), version)
        if (read === null) unreadable()
        return read
      }),
    set: (name, value, version) =>
      inTurn(async () => {
        if (value === null) rows.set(name, null)
        else rows.set(name, seal(await readOrMakeKey(), name, value.reveal()), version)
      }),
    names: rows.names,
    rest: () => queue(async () => letGo()),
  }
}

/** Encrypts a value. The result is nonce, tag and ciphertext. */
function seal(key: Buffer, name: string, value: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv(algorithm, key, nonce)
  cipher.setAAD(Buffer.from(name))
  const text = Buffer.concat([cipher.update(value, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), text])
}

/** Decrypts a value; null if the key or the name is wrong, or if the bytes were altered. */
function open(key: Buffer, name: string, sealed: Uint8Array): string | null {
  if (sealed.length < nonceBytes + tagBytes) return null
  const bytes = Buffer.from(sealed.buffer, sealed.byteOffset, sealed.length)
  const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
  decipher.setAAD(Buffer.from(name))
  decipher.setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString('utf8')
  } catch {
    return null
  }
}
