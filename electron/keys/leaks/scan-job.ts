import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { LeakFinding, LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import { minute, second } from '../../../shared/time.ts'
import { job } from '../../kernel/parsing/job.ts'
import type { Secret } from '../../kernel/secret.ts'

export interface ScanLimits {
  /** Maximum bytes to read of each file. Of a longer file, the app reads only the start. */
  readonly fileBytes: number
  /** Maximum bytes of one repository's unpacked history. */
  readonly historyBytes: number
  readonly files: number
  readonly found: number
}

const { form, ignored, kind, line, column, object, path, sure, where } = LeakFinding.shape

/** A place that contains a secret. Names the secret's owner and never contains the secret itself. */
export const FoundSpot = z.object({
  kind,
  form,
  sure,
  /** Starts at 1; columns count UTF-8 characters. */
  line,
  column,
  /** The known secret that it matches; null if it matches none that was stored here during this run. */
  recognised: z.object({ keyId: z.string().nullable(), wallet: z.string(), secret: z.enum(['current', 'former']) }).nullable(),
  /** The folder, among those that the user chose, in which the secret was found. */
  folder: z.string(),
  path,
  ignored,
  where,
  object,
})
export type FoundSpot = z.infer<typeof FoundSpot>

/** Returns an id for a place, so that a place found twice through nested folders counts once. */
export function placeOf({ path, where, line, column, recognised }: FoundSpot): string {
  switch (where) {
    case 'file':
      return `${path}\n${line}:${column}`
    case 'name':
      return `${path}\nname`
    // A key that was committed once is in every later version of the file. The id therefore leaves out line and column, and the key counts
    // once.
    case 'history':
      return `${path}\nhistory ${recognised?.keyId ?? recognised?.wallet} ${recognised?.secret}`
  }
}

const unread = LeakScan.shape.unread.element
export type Unread = z.infer<typeof unread>
/** How many unreadable files and folders the result lists by name. Beyond that, it only counts them. */
export const unreadNamed = 50

/** The totals since the job started. */
const Totals = LeakScan.pick({ files: true, bytes: true, objects: true, skipped: true, unreadTotal: true })
export type Totals = z.infer<typeof Totals>

export const noTotals = (): Totals => ({
  files: 0,
  bytes: 0,
  objects: 0,
  skipped: { binary: 0, ignored: 0, link: 0, git: 0, special: 0 },
  unreadTotal: 0,
})

const ScanNews = z.object({
  totals: Totals,
  /** The path that the job is reading. */
  at: z.string(),
  // Each list below contains only what is new since the previous report.
  found: z.array(FoundSpot),
  unread: z.array(unread).max(unreadNamed),
  /** File names that contain a secret. No response may include them. */
  hidden: z.array(z.string()),
  /** The `.git` folders that the job found, or `.git` files that point to a repository. */
  stores: z.array(z.string()),
  /** Repositories whose history the job has read, each identified by its data folder, which all its work trees share. */
  read: z.array(z.string()),
})
export type ScanNews = z.infer<typeof ScanNews>

const ScanEnd = z.enum(['done', 'too_many_found', 'too_many_files'])
export type ScanEnd = z.infer<typeof ScanEnd>

interface ScanGiven {
  readonly folder: string
  readonly prints: ReturnType<Fingerprints['prints']>
  /** The part of the scan's limits that earlier jobs have not used up. */
  readonly limits: ScanLimits
}

export interface FolderScanGiven extends ScanGiven {
  readonly ignoredToo: boolean
  readonly platform: NodeJS.Platform
}

export interface HistoryScanGiven extends ScanGiven {
  /** The repositories that the scan of the folder's files found. */
  readonly stores: readonly string[]
  /** Repositories to skip, because an earlier job has read them. */
  readonly read: readonly string[]
}

const scanned = { gives: ScanEnd, news: ScanNews, quietMs: minute }

/** Reads every file below a folder. */
export const folderScanJob = job<FolderScanGiven>()({ name: 'folder scan', ...scanned })
/** Reads the history of each repository. Reports a repository before reading it, so that the app knows which one crashed the process. */
export const historyScanJob = job<HistoryScanGiven>()({ name: 'history scan', ...scanned })

/** How git treats a file: outside of any work tree, ignored, not ignored (tracked or can be committed), or unknown. */
export const GitView = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['outside', 'ignored']) }),
  z.object({ state: z.enum(['not_ignored', 'unknown']), workTree: z.string() }),
])
export type GitView = z.infer<typeof GitView>

export interface GitViewGiven {
  /** The file's path. Links in its parent folders are already resolved. */
  readonly path: string
  /** The user's own global ignore file. */
  readonly globalRules: string
  /** Rules ignore case. */
  readonly fold: boolean
}

export const gitViewJob = job<GitViewGiven>()({ name: 'git view', gives: GitView, quietMs: 10 * second })

/** The key or wallet that a recognised secret belongs to. `former`: the key has another secret now, or its secret was removed. */
export interface Recognised {
  /** null if the secret is the wallet's sign-in. */
  readonly keyId: string | null
  readonly wallet: string
  readonly secret: 'current' | 'former'
}

/** Maximum length to compare, in characters. Of a longer secret, only this many are compared; the service's secrets are far shorter. */
export const longestSecret = 256

export interface SecretForScan {
  /** null if the secret is the wallet's sign-in. */
  readonly keyId: string | null
  readonly wallet: string
  readonly secret: Secret
}

/** The data of `Fingerprints` in a form that can be sent to another process by structured clone. Recognises secrets but cannot reveal them. */
interface Prints {
  readonly key: Uint8Array
  readonly seed: number
  readonly lengths: readonly number[]
  /**
   * Short hashes of the first characters of known secrets. A text that matches none of them contains no known secret and needs no slower check.
   */
  readonly glances: readonly number[]
  readonly known: readonly (readonly [string, Recognised])[]
}

/**
 * Recognises secrets without storing them: keeps only their HMAC-SHA256, with a random key for this run, in memory. Still recognises a
 * secret after its key was rotated or revoked, until the run ends.
 */
export interface Fingerprints {
  /**
   * Sets which secrets are stored now. All other known secrets become former. The keys in `unread` keep their secrets, because those could not be
   * read this time.
   */
  learn(held: readonly SecretForScan[], unread?: ReadonlySet<string>): void
  /** The known secret at the start of `text`, and its length in characters; null if there is none. */
  recognise(text: string): (Recognised & { readonly length: number }) | null
  /** Exports the data for another process. */
  prints(): Prints
}

/** How many characters at the start of a secret the quick first check hashes. */
const glanceLength = 16

/** Without `from`, starts with a new random key. `from` is data that another process exported with `prints`. */
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
        // Encode the secret in the same way as the bytes of a scanned file.
        const text = Buffer.from(secret.reveal()).toString('latin1').slice(0, longestSecret)
        // Skip a secret this short: it could not be distinguished from an ordinary word.
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
