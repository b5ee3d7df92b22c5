import { z } from 'zod'
import { shortestPassphrase } from '../../input-limits.ts'
import { command, query } from '../define.ts'
import { PracticeUnavailable } from '../failure.ts'

export const Profile = z.object({
  id: z.string(),
  name: z.string(),
  kind: z.enum(['practice', 'live']),
  /** The exchange's host, which the API document calls `{host_url}`; null for the practice exchange while it is not running. */
  hostUrl: z.string().nullable(),
  /** A second host for the read calls under `/v1` (GEN-02); null if none is set. Practice has its own second host, which the user can switch on. */
  secondHostUrl: z.string().nullable(),
  /** The second host that the practice exchange offers; null for a live profile. */
  secondHostOffered: z.string().nullable(),
  /** Host of the RPC server. Only the host, because the full URL may contain a key. */
  rpcHost: z.string().nullable(),
  pinnedRouter: z.string().nullable(),
})
export type Profile = z.infer<typeof Profile>

export const HostReport = z.object({
  hostUrl: z.string(),
  apiVersion: z.string().nullable(),
  schema: z.string().nullable(),
  router: z.string().nullable(),
  latencyMs: z.number(),
})

export const PracticeStatus = z.object({
  state: z.enum(['off', 'starting', 'running', 'failed']),
  /** The practice exchange's `{host_url}`, to which bots can connect. */
  hostUrl: z.string().nullable(),
  rpcUrl: z.string().nullable(),
  walletAddress: z.string().nullable(),
  detail: z.string().nullable(),
  /** Why practice cannot run on this computer; null if it can. */
  unavailable: PracticeUnavailable.nullable(),
})
export type PracticeStatus = z.infer<typeof PracticeStatus>

export const profiles = {
  'profiles.list': query(z.object({}), z.object({ activeId: z.string().nullable(), profiles: z.array(Profile) }), 'app'),
  /** Checks whether a host is an exchange that the app supports. Saves nothing. */
  'profiles.probe': command(z.object({ hostUrl: z.string().max(2_048) }), HostReport),
  'profiles.create': command(z.object({ name: z.string().min(1).max(60), hostUrl: z.string().max(2_048) }), Profile, { invalidates: ['profiles.list'] }),
  /** Switches the profile. The window then reloads, so that no screen mixes two profiles. */
  'profiles.select': command(z.object({ id: z.string() }), Profile, { invalidates: ['profiles.list'] }),
  'profiles.remove': command(z.object({ id: z.string(), confirmName: z.string() }), z.object({}), { invalidates: ['profiles.list'] }),
  /** Sets the RPC URL; null restores the default. Main never returns the URL to a window, because it may contain a key. */
  'profiles.setRpc': command(z.object({ id: z.string(), rpcUrl: z.string().max(2_048).nullable() }), Profile, { invalidates: ['profiles.list'] }),
  /**
   * Sets a second host; null removes it. The app sends the profile's keys to this host for reads, so the user must confirm it. `confirmHost`: the
   * host name that the user confirmed. Fails with `host_refused` like `profiles.probe`.
   */
  'profiles.setSecondHost': command(
    z.object({ id: z.string(), hostUrl: z.string().max(2_048).nullable(), confirmHost: z.string().max(300).nullable() }),
    Profile,
    { invalidates: ['profiles.list', 'app.health'] },
  ),
  /** Starts the practice exchange if it is not running, and selects its profile. */
  'practice.start': command(z.object({}), PracticeStatus, { invalidates: ['profiles.list', 'practice.status'] }),
  'practice.leave': command(z.object({}), z.object({}), { invalidates: ['profiles.list', 'practice.status'] }),
  'practice.status': query(z.object({}), PracticeStatus, 'app'),
  'practice.showPhone': command(z.object({}), z.object({})),
  /** Passes a pairing link to the practice phone, as if the phone had scanned the code. */
  'practice.pair': command(z.object({ uri: z.string().max(2_048) }), z.object({})),
} as const

/** A key or webhook whose secret is on this computer. `label`: a webhook's URL. */
export const StoredItem = z.object({ kind: z.enum(['key', 'webhook']), id: z.string(), label: z.string(), wallet: z.string() })
export type StoredItem = z.infer<typeof StoredItem>

const longestPassphrase = 1_024
const Ids = z.array(z.string().max(300)).max(1_000)

/** What a backup contains, shown before it is restored. */
const BackupAbout = z.object({
  name: z.string(),
  hostUrl: z.string(),
  madeAtMs: z.number(),
  intents: z.number().int(),
  items: z.array(StoredItem),
  /**
   * The name of an exchange on this computer with the same address as the backup's exchange; null if there is none. A restore does not change that
   * exchange.
   */
  besides: z.string().nullable(),
})
export type BackupAbout = z.infer<typeof BackupAbout>

/** A secret that the app restored and then read back. `answer`: how the service responded to a request with the restored key; null for a webhook. */
const RestoredItem = StoredItem.extend({ answer: z.enum(['works', 'revoked', 'unknown']).nullable() })

export const backup = {
  /** Lists the secrets that a backup of the open profile may contain. Fails with `no_profile`, or with `wrong_state` for practice. */
  'backup.begin': command(z.object({}), z.object({ name: z.string(), items: z.array(StoredItem) })),
  /**
   * Asks where to save, and writes the backup, encrypted under the passphrase. `path`: null if the user chose no file. `missing`: chosen secrets that
   * the keychain no longer has.
   */
  'backup.save': command(
    z.object({ passphrase: z.string().min(shortestPassphrase).max(longestPassphrase), keys: Ids, webhooks: Ids }),
    z.object({ path: z.string().nullable(), missing: z.array(StoredItem) }),
  ),
  /** Asks for a backup file and reads it; null if the user chose none. `file`: its name without the folder. */
  'backup.choose': command(z.object({}), z.object({ file: z.string().nullable() })),
  /** Decrypts the chosen file. refused: the passphrase is wrong, or the file is changed, truncated or not a backup. The answer does not say which. */
  'backup.open': command(
    z.object({ passphrase: z.string().min(1).max(longestPassphrase) }),
    z.discriminatedUnion('outcome', [z.object({ outcome: z.literal('refused') }), z.object({ outcome: z.literal('opened'), about: BackupAbout })]),
  ),
  /** Restores the opened backup as a new profile. Stores all its secrets and reads them back, or leaves nothing behind. */
  'backup.restore': command(z.object({}), z.object({ profileId: z.string(), name: z.string(), items: z.array(RestoredItem) }), {
    invalidates: ['profiles.list', 'app.settings', 'app.info'],
  }),
  /** Forgets the chosen file and what was read from it. */
  'backup.leave': command(z.object({}), z.object({})),
} as const
