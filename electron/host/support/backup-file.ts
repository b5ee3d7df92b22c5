import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { derive, type ScryptCost, usualCost } from '../lock/lock-file.ts'

/**
 * A backup file, version 1 (build/docs/moving.md). All numbers are single bytes:
 *
 * | offset | bytes | content |
 * |---|---|---|
 * | 0 | 8 | `SvcDeskB` |
 * | 8 | 1 | version, 1 |
 * | 9 | 3 | scrypt: log2 of N, then r, then p |
 * | 12 | 16 | scrypt's salt |
 * | 28 | 12 | nonce |
 * | 40 | … | the content: JSON under gzip, under AES-256-GCM; the first 40 bytes are associated data |
 * | end − 16 | 16 | tag |
 */
const magic = Buffer.from('SvcDeskB')
const version = 1
const saltAt = 12
const nonceAt = 28
const contentAt = 40
const tagBytes = 16
const algorithm = 'aes-256-gcm'

/** Limits on the scrypt cost that a file may ask for, so that a file can't use up the memory: at most 256 MiB. */
const largestMemory = 256 * 2 ** 20
const largestP = 4
const largestContent = 512 * 2 ** 20

const zip = promisify<Buffer, Buffer>(gzip)
const unzip = promisify((bytes: Buffer, done: (error: Error | null, result: Buffer) => void) => gunzip(bytes, { maxOutputLength: largestContent }, done))

/** Encrypts the content of a backup under the user's passphrase. `content` must be JSON data. */
export async function sealBackup(content: unknown, passphrase: string, cost: ScryptCost = usualCost): Promise<Buffer> {
  const plain = Buffer.from(JSON.stringify(content))
  const zipped = await zip(plain)
  plain.fill(0)
  const header = Buffer.concat([magic, Buffer.from([version, Math.log2(cost.n), cost.r, cost.p]), randomBytes(contentAt - saltAt)])
  const key = await derive(passphrase, header.subarray(saltAt, nonceAt), cost)
  try {
    const cipher = createCipheriv(algorithm, key, header.subarray(nonceAt))
    cipher.setAAD(header)
    const sealed = Buffer.concat([cipher.update(zipped), cipher.final()])
    return Buffer.concat([header, sealed, cipher.getAuthTag()])
  } finally {
    key.fill(0)
    zipped.fill(0)
  }
}

/**
 * Decrypts a backup. Returns null for a wrong passphrase, for a damaged file, and for a file that is no backup. The result does not show which of
 * these is the case.
 */
export async function openBackup(file: Uint8Array, passphrase: string): Promise<unknown | null> {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length)
  const cost = costOf(bytes)
  if (cost === null) return null
  const header = bytes.subarray(0, contentAt)
  let key: Buffer | null = null
  let zipped: Buffer | null = null
  let plain: Buffer | null = null
  try {
    key = await derive(passphrase, header.subarray(saltAt, nonceAt), cost)
    const decipher = createDecipheriv(algorithm, key, header.subarray(nonceAt), { authTagLength: tagBytes })
    decipher.setAAD(header)
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    zipped = Buffer.concat([decipher.update(bytes.subarray(contentAt, -tagBytes)), decipher.final()])
    plain = await unzip(zipped)
    return JSON.parse(plain.toString('utf8'))
  } catch {
    return null
  } finally {
    for (const buffer of [key, zipped, plain]) buffer?.fill(0)
  }
}

/** The scrypt cost in a file’s header; null if the file is no backup that this version of the app can read. */
function costOf(bytes: Buffer): ScryptCost | null {
  if (bytes.length < contentAt + tagBytes || !bytes.subarray(0, magic.length).equals(magic)) return null
  const [written, log2 = 0, r = 0, p = 0] = bytes.subarray(magic.length, saltAt)
  const n = 2 ** log2
  return written === version && log2 > 0 && r > 0 && p > 0 && p <= largestP && 128 * n * r <= largestMemory ? { n, r, p } : null
}
