import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * A secret found on this computer. The scan searches folders for secrets of the service. Main reads the files and compares them with the secrets
 * that it stores. The scan sends and writes nothing, and no result contains any part of a secret.
 */

export const LeakFinding = z.object({
  /** Id of the finding. It is valid only until the app quits. */
  id: z.string(),
  /** The folder that the user chose to scan. `path`: the file's path inside this folder, with `/` as separator. */
  folder: z.string(),
  name: z.string(),
  path: z.string(),
  /**
   * Where the secret is. file: in the file's content. name: in the file's name, so the app does not show that name. history: in a git object of the
   * repository at `path`.
   */
  where: z.enum(['file', 'name', 'history']),
  /**
   * Id of the git object that contains the secret, for `git log --all --find-object`. If several objects contain the secret, this is the first
   * object that the scan read. null: the finding is not from git history.
   */
  object: z.string().nullable(),
  /** Line and column start at 1. The column counts characters. */
  line: z.number().int(),
  column: z.number().int(),
  /** The kind of secret, according to its prefix: an API key, a sign-in (developer session), or a webhook's signing secret. */
  kind: z.enum(['api_key', 'sign_in', 'webhook']),
  form: z.enum(['plain', 'base64', 'hex', 'url']),
  /**
   * Whose secret it is. key: a key of the shown wallet, recognised by its fingerprint. other_wallet: a key of another wallet that is stored on this
   * computer (AUTH-03). sign_in: this app's own sign-in for the shown wallet. unknown: not stored here, but it looks like a secret of the service.
   */
  owner: z.enum(['key', 'other_wallet', 'sign_in', 'unknown']),
  key: z.object({ id: z.string(), label: z.string(), status: z.enum(['active', 'expired', 'revoked', 'unknown']) }).nullable(),
  /**
   * Whether the found secret is the current secret. false: the key now has another secret, no secret of the key is stored here, or the sign-in has
   * ended.
   */
  current: z.boolean(),
  /**
   * How certain it is that this is a secret. certain: the fingerprint matches. high: only secrets of the service have this prefix. medium: `SVC`
   * followed by text that looks random.
   */
  sure: z.enum(['certain', 'high', 'medium']),
  /** The secret's prefix, followed by dots. */
  mask: z.string(),
  ignored: z.boolean(),
})
export type LeakFinding = z.infer<typeof LeakFinding>

export const LeakScan = z.object({
  /**
   * The state of the scan. stopped: the user stopped it. too_many_found, too_many_files: it reached a limit. The findings so far are valid in every
   * state.
   */
  state: z.enum(['running', 'done', 'stopped', 'too_many_found', 'too_many_files']),
  folders: z.array(z.string()),
  ignoredToo: z.boolean(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  files: z.number().int(),
  bytes: z.number().int(),
  objects: z.number().int(),
  /** The folder that the scan is currently reading; null once the scan has ended. */
  at: z.string().nullable(),
  found: z.number().int(),
  /**
   * How many entries the scan skipped. `binary`: files with NUL bytes. `ignored`: files that git ignores. `link`: links. `git`: git folders without
   * history. `special`: devices and similar entries.
   */
  skipped: z.object({ binary: z.number().int(), ignored: z.number().int(), link: z.number().int(), git: z.number().int(), special: z.number().int() }),
  /**
   * Files that the scan could not read completely; at most 50 names. tracked_unknown: git did not say which files of a folder it ignores, so the
   * scan read all of them.
   */
  unread: z.array(
    z.object({
      path: z.string(),
      why: z.enum(['in_part', 'history_in_part', 'history_unread', 'tracked_unknown', 'not_allowed', 'changed', 'failed', 'gave_up']),
    }),
  ),
  unreadTotal: z.number().int(),
  /**
   * How the scan compared the keys. `compared`: number of keys whose secret the scan compared. `missing`: number of keys whose secret the keychain
   * did not return.
   */
  keys: z.object({ compared: z.number().int(), missing: z.number().int() }),
})
export type LeakScan = z.infer<typeof LeakScan>

export const LeakState = z.object({
  /** The folders to scan, which the app remembers for this exchange. */
  folders: z.array(z.string()),
  /** The current scan, or the last scan since the app was started. */
  scan: LeakScan.nullable(),
  limits: z.object({ fileBytes: z.number().int(), historyBytes: z.number().int(), files: z.number().int(), found: z.number().int() }),
})
export type LeakState = z.infer<typeof LeakState>

export const leaks = {
  /**
   * Returns the folders, the limits and the progress of the scan. While a scan runs, main marks this query and `leaks.findings` as stale
   * automatically.
   */
  'leaks.state': query(z.object({}), LeakState, 'wallet'),
  /** Returns the findings of the scan in `leaks.state`, in file order. */
  'leaks.findings': query(z.object({}), z.array(LeakFinding), 'wallet'),
  /** Lets the user pick a folder in the system dialog. `added` false: no folder was picked, or the folder was already in the list. */
  'leaks.addFolder': command(z.object({}), z.object({ added: z.boolean() }), { invalidates: ['leaks.state'] }),
  /** Removes a folder from the list of folders to scan. */
  'leaks.dropFolder': command(z.object({ folder: z.string() }), z.object({}), { invalidates: ['leaks.state'] }),
  /** Starts a scan, and returns once the scan has started. `ignoredToo`: also scan files that git ignores. */
  'leaks.start': command(z.object({ ignoredToo: z.boolean() }), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  'leaks.stop': command(z.object({}), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  'leaks.showFile': command(z.object({ findingId: z.string() }), z.object({})),
} as const
