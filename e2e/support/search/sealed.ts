import { createDecipheriv } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'

/**
 * Decrypts the encrypted values of a profile's journal with the key from the keychain: AES-256-GCM, nonce of 12 bytes, tag of 16, the value's name
 * authenticated. Use it only while no app has the file open.
 */
export function openSealed(journalFile: string, key: string): Map<string, string> {
  const database = new DatabaseSync(journalFile)
  try {
    const rows = database.prepare('SELECT name, sealed FROM vault').all()
    return new Map(
      rows.map(({ name, sealed }) => {
        if (typeof name !== 'string' || !(sealed instanceof Uint8Array)) throw new Error('not a row of the vault')
        const bytes = Buffer.from(sealed)
        const opener = createDecipheriv('aes-256-gcm', Buffer.from(key, 'base64'), bytes.subarray(0, 12), { authTagLength: 16 })
        opener.setAAD(Buffer.from(name)).setAuthTag(bytes.subarray(12, 28))
        return [name, Buffer.concat([opener.update(bytes.subarray(28)), opener.final()]).toString()]
      }),
    )
  } finally {
    database.close()
  }
}
