import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of the system keychain. */
export interface OldEntry {
  readonly service: string
  readonly account: string
  readonly secret: string
}

/** Of its lock. */
export const oldPassphrase = 'practice only'
export const oldLiveProfile = 'pa8378785db'

/**
 * Unpacks a data folder that the app wrote at its first published state, commit c46237e, into an empty folder. Gives the entries of the keychain that
 * belong to it. Practice mode made every secret: they open nothing.
 *
 * The practice profile has keys (bot-ready, of chosen scopes, the app's own, revoked, replaced, a rotation that a kill cut short, one whose answer was
 * lost), grants on their way, webhooks with the lab and a receiver test, intents of each way in almost every state, payments, presets, limits, a bulk action
 * on its way, a revocation of several keys, the service's log and corrected field names. The live profile "Main" has a key, a webhook, an order and an
 * RPC of its own. The app was killed, with a lock set. Its chain and exchange are in `practice`.
 */
export function unpackOldFolder(into: string): { readonly userData: string; readonly keychain: readonly OldEntry[] } {
  execFileSync('tar', ['-xzf', join(import.meta.dirname, 'old-folder.tar.gz'), '-C', into])
  const keychain = JSON.parse(readFileSync(join(into, 'keychain.json'), 'utf8')) as OldEntry[] // as it was packed
  return { userData: join(into, 'data'), keychain }
}
