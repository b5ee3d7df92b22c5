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
 * Unpacks a data folder that the app wrote at its first published state, commit c46237e, into an empty folder. Returns the keychain entries that
 * belong to it. Practice mode made every secret, so none of them protects anything.
 *
 * The practice profile contains keys (bot-ready, with chosen scopes, the app's own, revoked, replaced, a rotation cut short by a kill, one whose
 * response was lost), unfinished grants and webhooks with the lab and a receiver test. It also contains intents of each execution method in almost
 * every state, payments, presets, limits, an unfinished bulk action, a revocation of several keys, the service's log and corrected field names. The
 * live profile "Main" has a key, a webhook, an order and its own RPC. The app was killed while a lock was set. `practice` contains its chain and
 * exchange.
 */
export function unpackOldFolder(into: string): { readonly userData: string; readonly keychain: readonly OldEntry[] } {
  execFileSync('tar', ['-xzf', join(import.meta.dirname, 'old-folder.tar.gz'), '-C', into])
  const keychain = JSON.parse(readFileSync(join(into, 'keychain.json'), 'utf8')) as OldEntry[] // as it was packed
  return { userData: join(into, 'data'), keychain }
}
