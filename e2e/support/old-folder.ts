import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** An entry of the system keychain. */
export interface OldEntry {
  readonly service: string
  readonly account: string
  readonly secret: string
}

/** The passphrase of the lock in this data folder. */
export const oldPassphrase = 'practice only'
export const oldLiveProfile = 'pa8378785db'

/**
 * Unpacks a data folder of the app’s first published version (commit c46237e) into an empty folder. Returns its keychain entries. All secrets come
 * from practice mode, so they protect nothing.
 *
 * The practice profile contains keys of many kinds: bot-ready, with chosen scopes, the app’s own, revoked, replaced, one whose rotation was
 * interrupted by a kill, and one whose response was lost. It also contains unfinished grants, webhooks with the lab and a receiver test, and
 * intents of each execution method in almost every state. There are payments, presets, limits, an unfinished bulk action, a revocation of several
 * keys, the service’s log and changed field names. The live profile "Main" has a key, a webhook, an order and its own RPC. The app was killed
 * while a lock was set. `practice` contains the practice chain and exchange.
 */
export function unpackOldFolder(into: string): { readonly userData: string; readonly keychain: readonly OldEntry[] } {
  execFileSync('tar', ['-xzf', join(import.meta.dirname, 'old-folder.tar.gz'), '-C', into])
  const keychain = JSON.parse(readFileSync(join(into, 'keychain.json'), 'utf8')) as OldEntry[] // safe cast: the archive contains this shape
  return { userData: join(into, 'data'), keychain }
}
