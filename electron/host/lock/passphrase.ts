import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'

/** How much work one look at a passphrase is (RFC 7914). */
export interface ScryptCost {
  readonly n: number
  readonly r: number
  readonly p: number
}

/** Memory is 128 · n · r bytes, here 128 MiB: the least that OWASP's Password Storage Cheat Sheet asks for with p = 1. */
export const usualCost: ScryptCost = { n: 2 ** 17, r: 8, p: 1 }

const keyBytes = 32
const saltBytes = 16

/** More than `usualCost` may ever become: a file must not make the app take all memory. */
const largest = { n: 2 ** 20, r: 16, p: 4 }

/** What is kept of a passphrase. The cost stands with it, so that another one can be chosen later. */
export const PassphraseHash = z.object({
  kdf: z.literal('scrypt'),
  n: z.number().int().min(2).max(largest.n),
  r: z.number().int().min(1).max(largest.r),
  p: z.number().int().min(1).max(largest.p),
  salt: z.base64(),
  hash: z.base64(),
})
export type PassphraseHash = z.infer<typeof PassphraseHash>

export async function hashPassphrase(passphrase: string, cost: ScryptCost): Promise<PassphraseHash> {
  const salt = randomBytes(saltBytes)
  const hash = await derive(passphrase, salt, cost)
  return { kdf: 'scrypt', ...cost, salt: salt.toString('base64'), hash: hash.toString('base64') }
}

/** Compared in constant time. */
export async function isPassphrase(passphrase: string, { salt, hash, n, r, p }: PassphraseHash): Promise<boolean> {
  const given = await derive(passphrase, Buffer.from(salt, 'base64'), { n, r, p })
  const kept = Buffer.from(hash, 'base64')
  return kept.length === given.length && timingSafeEqual(kept, given)
}

/** One composition of letters: the same keys give the same passphrase on every keyboard and terminal. */
const derive = (passphrase: string, salt: Buffer, { n, r, p }: ScryptCost): Promise<Buffer> =>
  new Promise((resolve, reject) => {
    // As OpenSSL reckons it, and one MiB more.
    const maxmem = 128 * r * (n + p + 2) + 2 ** 20
    scrypt(passphrase.normalize('NFKC'), salt, keyBytes, { N: n, r, p, maxmem }, (error, key) => (error === null ? resolve(key) : reject(error)))
  })
