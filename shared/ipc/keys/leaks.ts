import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * Scans folders on this computer for secrets of the service. Main reads the files and compares them with the secrets it stores. It sends and writes
 * nothing, and no result contains any part of a secret that it found.
 */

export const LeakFinding = z.object({
  /** Identifies the finding, but only in this run of the app. */
  id: z.string(),
  /** The chosen folder. `path` is the file's path inside it, with `/` as separator. */
  folder: z.string(),
  name: z.string(),
  path: z.string(),
  /** file: in the file's content. name: in the file name, which the app does not show. history: in a git object stored below `path`. */
  where: z.enum(['file', 'name', 'history']),
  /**
   * Id of the git object that contains the secret, for `git log --all --find-object`. If several objects contain it, the first one that the scan
   * read. null: the finding is not from git history.
   */
  object: z.string().nullable(),
  /** Line and column start at 1. The column counts characters. */
  line: z.number().int(),
  column: z.number().int(),
  /** According to the prefix: an API key, a sign-in (developer session), or the signing secret of a webhook. */
  kind: z.enum(['api_key', 'sign_in', 'webhook']),
  /** How the secret is encoded in the file. */
  form: z.enum(['plain', 'base64', 'hex', 'url']),
  /**
   * key: a key of the shown wallet, recognised by its fingerprint. other_wallet: a key of another wallet, stored on this computer (AUTH-03). sign_in:
   * this app's own sign-in of the shown wallet. unknown: it looks like a secret of the service, but is not stored here.
   */
  owner: z.enum(['key', 'other_wallet', 'sign_in', 'unknown']),
  key: z.object({ id: z.string(), label: z.string(), status: z.enum(['active', 'expired', 'revoked', 'unknown']) }).nullable(),
  /** true: the found secret is the current one. false: the key has a different secret now or has no secret stored here, or the sign-in has ended. */
  current: z.boolean(),
  /** certain: the fingerprint matches. high: only secrets of the service have this prefix. medium: `SVC` followed by text that looks random. */
  sure: z.enum(['certain', 'high', 'medium']),
  /** The secret's prefix, followed by dots. */
  mask: z.string(),
  /** Whether git ignores the file. */
  ignored: z.boolean(),
})
export type LeakFinding = z.infer<typeof LeakFinding>

export const LeakScan = z.object({
  /**
   * stopped: the user stopped the scan. too_many_found, too_many_files: the scan reached a limit. In every state, the findings so far are
   * valid.
   */
  state: z.enum(['running', 'done', 'stopped', 'too_many_found', 'too_many_files']),
  folders: z.array(z.string()),
  ignoredToo: z.boolean(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  /** Number of files read so far. */
  files: z.number().int(),
  bytes: z.number().int(),
  /** Number of git history objects read. */
  objects: z.number().int(),
  /** The folder that the scan is currently reading; null once the scan has ended. */
  at: z.string().nullable(),
  found: z.number().int(),
  /**
   * Number of entries that the scan skipped. `binary`: files with NUL bytes. `ignored`: files that git ignores. `link`: links. `git`: git stores
   * without history. `special`: devices and the like.
   */
  skipped: z.object({ binary: z.number().int(), ignored: z.number().int(), link: z.number().int(), git: z.number().int(), special: z.number().int() }),
  /**
   * Files that the scan could not read, at least in part; at most 50 names. tracked_unknown: git did not answer, so the scan also read ignored
   * files there.
   */
  unread: z.array(
    z.object({
      path: z.string(),
      why: z.enum(['in_part', 'history_in_part', 'history_unread', 'tracked_unknown', 'not_allowed', 'changed', 'failed', 'gave_up']),
    }),
  ),
  unreadTotal: z.number().int(),
  /** `compared`: number of keys whose secret was compared. `missing`: number of keys whose secret the keychain did not return. */
  keys: z.object({ compared: z.number().int(), missing: z.number().int() }),
})
export type LeakScan = z.infer<typeof LeakScan>

export const LeakState = z.object({
  /** The folders that the app remembers for this exchange. */
  folders: z.array(z.string()),
  /** The current scan, or the last one of this run of the app. */
  scan: LeakScan.nullable(),
  /** The limits that end a scan. */
  limits: z.object({ fileBytes: z.number().int(), historyBytes: z.number().int(), files: z.number().int(), found: z.number().int() }),
})
export type LeakState = z.infer<typeof LeakState>

export const leaks = {
  /** Folders, limits and progress of the scan. While a scan runs, main invalidates this query and `leaks.findings` automatically. */
  'leaks.state': query(z.object({}), LeakState, 'wallet'),
  /** The findings of the scan in `leaks.state`, in file order. */
  'leaks.findings': query(z.object({}), z.array(LeakFinding), 'wallet'),
  /** Main opens the system dialog. `added` false: the user picked no folder, or it was already in the list. */
  'leaks.addFolder': command(z.object({}), z.object({ added: z.boolean() }), { invalidates: ['leaks.state'] }),
  /** Removes the folder from the remembered ones. */
  'leaks.dropFolder': command(z.object({ folder: z.string() }), z.object({}), { invalidates: ['leaks.state'] }),
  /** Returns once the scan has started. `ignoredToo`: also scan files that git ignores. */
  'leaks.start': command(z.object({ ignoredToo: z.boolean() }), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  'leaks.stop': command(z.object({}), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  /** Shows the file in the file manager of the system. */
  'leaks.showFile': command(z.object({ findingId: z.string() }), z.object({})),
} as const
