import { createHmac, randomBytes, randomInt } from 'node:crypto'
import type { Secret } from '../../kernel/secret.ts'

/** Whose secret was recognised. `former`: the key has another one by now, or its secret was removed. */
export interface Recognised {
  /** null: it is the sign-in of the wallet. */
  readonly keyId: string | null
  readonly wallet: string
  readonly secret: 'current' | 'former'
}

/** In characters. Of a longer secret the beginning is compared; no secret of the service comes near it. */
export const longestSecret = 256

export interface HeldForScan {
  /** null: it is the sign-in of the wallet. */
  readonly keyId: string | null
  readonly wallet: string
  readonly secret: Secret
}

/** What recognises secrets and does not give them back, as structured clone carries it to another process. */
export interface Prints {
  readonly key: Uint8Array
  readonly seed: number
  readonly lengths: readonly number[]
  /** What the beginnings of known secrets come to: all that most texts are ever compared with. */
  readonly glances: readonly number[]
  readonly known: readonly (readonly [string, Recognised])[]
}

/**
 * Recognises secrets without holding them: HMAC-SHA256 under a key that is random for this run of the app. In memory only. A secret that
 * was once learnt is recognised to the end of the run, also after its key was rotated or revoked.
 */
export interface Fingerprints {
  /** What is held now; everything learnt before counts as former, but for keys whose secret could not be read this time. */
  learn(held: readonly HeldForScan[], unread?: ReadonlySet<string>): void
  /** The secret that `text` begins with, and its length in characters. */
  recognise(text: string): (Recognised & { readonly length: number }) | null
  /** For another process. */
  prints(): Prints
}

/** Characters that a quick look takes in. */
const glanceLength = 16

/** `from`: what another process learnt. */
export function createFingerprints(from?: Prints): Fingerprints {
  const own = from?.key ?? randomBytes(32)
  const seed = from?.seed ?? randomInt(2 ** 32)
  const known = new Map(from?.known)
  const lengths = new Set(from?.lengths)
  const glances = new Set(from?.glances)
  const glance = (text: string): number => {
    let sum = seed
    for (let at = 0; at < glanceLength; at += 1) sum = Math.imul(sum ^ text.charCodeAt(at), 16_777_619)
    return sum
  }
  const fingerprint = (text: string) => createHmac('sha256', own).update(text, 'latin1').digest('base64')

  return {
    learn: (held, unread = new Set()) => {
      for (const [print, one] of known) if (one.keyId === null || !unread.has(one.keyId)) known.set(print, { ...one, secret: 'former' })
      for (const { keyId, wallet, secret } of held) {
        // As the bytes of a file are read.
        const text = Buffer.from(secret.reveal()).toString('latin1').slice(0, longestSecret)
        // A shorter one could not be told from a word.
        if (text.length < glanceLength) continue
        lengths.add(text.length)
        glances.add(glance(text))
        known.set(fingerprint(text), { keyId, wallet, secret: 'current' })
      }
    },
    recognise: (text) => {
      if (text.length < glanceLength || !glances.has(glance(text))) return null
      for (const length of lengths) {
        if (text.length < length) continue
        const found = known.get(fingerprint(text.slice(0, length)))
        if (found !== undefined) return { ...found, length }
      }
      return null
    },
    prints: () => ({ key: own, seed, lengths: [...lengths], glances: [...glances], known: [...known] }),
  }
}
