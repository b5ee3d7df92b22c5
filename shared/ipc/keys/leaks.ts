import { z } from 'zod'
import { command, query } from '../define.ts'

/**
 * Looks for keys of the service in folders of this computer. Main reads the files and compares them with what it holds; nothing is sent
 * anywhere or written, and no answer has a part of what was found.
 */

export const LeakFinding = z.object({
  /** Of this run of the app. */
  id: z.string(),
  /** The chosen folder, and the file's path from it on, with `/`. */
  folder: z.string(),
  name: z.string(),
  path: z.string(),
  /** file: in what it holds. name: in its name, which is not told. history: in an object that git keeps below `path`. */
  where: z.enum(['file', 'name', 'history']),
  /** The object's id, for `git log --all --find-object`; null elsewhere. The first one that was read is named. */
  object: z.string().nullable(),
  /** Counted from 1; the column in characters. */
  line: z.number().int(),
  column: z.number().int(),
  /** As its prefix says: an API key, a sign-in (developer session), or the secret that webhooks are signed with. */
  kind: z.enum(['api_key', 'sign_in', 'webhook']),
  /** How it is written there. */
  form: z.enum(['plain', 'base64', 'hex', 'url']),
  /**
   * key: a key of the wallet that is shown, by its fingerprint. other_wallet: a key held on this computer, of another wallet (AUTH-03).
   * sign_in: this app's own sign-in of the
   * wallet that is shown. unknown: it looks like one of the service and is not held here.
   */
  owner: z.enum(['key', 'other_wallet', 'sign_in', 'unknown']),
  key: z.object({ id: z.string(), label: z.string(), status: z.enum(['active', 'expired', 'revoked', 'unknown']) }).nullable(),
  /** False: the key has another secret by now, or none here; the sign-in is over. */
  current: z.boolean(),
  /** certain: the fingerprint is the same. high: the prefix stands nowhere else. medium: `SVC` and what looks random. */
  sure: z.enum(['certain', 'high', 'medium']),
  /** The prefix and dots. */
  mask: z.string(),
  /** Whether git ignores the file. */
  ignored: z.boolean(),
})
export type LeakFinding = z.infer<typeof LeakFinding>

export const LeakScan = z.object({
  /** stopped: by the user. The last two: at a limit. In each case what was found until then counts. */
  state: z.enum(['running', 'done', 'stopped', 'too_many_found', 'too_many_files']),
  folders: z.array(z.string()),
  ignoredToo: z.boolean(),
  startedAtMs: z.number(),
  endedAtMs: z.number().nullable(),
  /** Read so far. */
  files: z.number().int(),
  bytes: z.number().int(),
  /** Objects of git's history that were read. */
  objects: z.number().int(),
  /** The folder that is being read; null once it ended. */
  at: z.string().nullable(),
  found: z.number().int(),
  /** Not read: files with NUL bytes, what git ignores, links, git's own stores that hold no history, devices and the like. */
  skipped: z.object({ binary: z.number().int(), ignored: z.number().int(), link: z.number().int(), git: z.number().int(), special: z.number().int() }),
  /** Could not be read, or not to the end; at most 50 are named. tracked_unknown: so what git ignores there was read, too. */
  unread: z.array(
    z.object({
      path: z.string(),
      why: z.enum(['in_part', 'history_in_part', 'history_unread', 'tracked_unknown', 'not_allowed', 'changed', 'failed', 'gave_up']),
    }),
  ),
  unreadTotal: z.number().int(),
  /** Keys whose secret was compared, and those whose secret the keychain did not give. */
  keys: z.object({ compared: z.number().int(), missing: z.number().int() }),
})
export type LeakScan = z.infer<typeof LeakScan>

export const LeakState = z.object({
  /** Remembered for this exchange. */
  folders: z.array(z.string()),
  /** The one that runs, or the last of this run of the app. */
  scan: LeakScan.nullable(),
  /** What one scan stops at. */
  limits: z.object({ fileBytes: z.number().int(), historyBytes: z.number().int(), files: z.number().int(), found: z.number().int() }),
})
export type LeakState = z.infer<typeof LeakState>

export const leaks = {
  /** Main invalidates both by itself while a scan runs. */
  'leaks.state': query(z.object({}), LeakState, 'wallet'),
  /** Of the same scan, in the order of the files. */
  'leaks.findings': query(z.object({}), z.array(LeakFinding), 'wallet'),
  /** Main asks with the system's own dialog; false: none was chosen, or it was there already. */
  'leaks.addFolder': command(z.object({}), z.object({ added: z.boolean() }), { invalidates: ['leaks.state'] }),
  /** Forgets that it was chosen. */
  'leaks.dropFolder': command(z.object({ folder: z.string() }), z.object({}), { invalidates: ['leaks.state'] }),
  /** Answers once the scan has begun. `ignoredToo`: also what git ignores. */
  'leaks.start': command(z.object({ ignoredToo: z.boolean() }), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  'leaks.stop': command(z.object({}), z.object({}), { invalidates: ['leaks.state', 'leaks.findings'] }),
  /** Shows the file in the system's file manager. */
  'leaks.showFile': command(z.object({ findingId: z.string() }), z.object({})),
} as const
