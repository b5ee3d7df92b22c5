import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { LeakFinding, LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import { minute, second } from '../../../shared/time.ts'
import { job } from '../../kernel/parsing/job.ts'
import type { Secret } from '../../kernel/secret.ts'

export interface ScanLimits {
  /** Maximum number of bytes to read of each file. The scan does not search the bytes after that. */
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
  /** The line of the secret. Lines and columns start at 1; columns count UTF-8 characters. */
  line,
  column,
  /** The known secret that the found text matches; null if the text matches no secret that this computer has stored during this run. */
  recognised: z.object({ keyId: z.string().nullable(), wallet: z.string(), secret: z.enum(['current', 'former']) }).nullable(),
  /** The folder in which the secret was found. It is one of the folders that the user chose. */
  folder: z.string(),
  path,
  ignored,
  where,
  object,
})
export type FoundSpot = z.infer<typeof FoundSpot>

/** Returns an id for the place of a finding. If nested folders lead to the same place twice, the place counts only once. */
export function placeOf({ path, where, line, column, recognised }: FoundSpot): string {
  switch (where) {
    case 'file':
      return `${path}\n${line}:${column}`
    case 'name':
      return `${path}\nname`
    // A key that was committed once is also in later versions of the file, at changing lines. Leave line and column out of the id, so that the key
    // counts once.
    case 'history':
      return `${path}\nhistory ${recognised?.keyId ?? recognised?.wallet} ${recognised?.secret}`
  }
}

const unread = LeakScan.shape.unread.element
export type Unread = z.infer<typeof unread>
/** How many unreadable files and folders the result lists by name. The result only counts further ones. */
export const unreadNamed = 50

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
  at: z.string(),
  // In a progress report, each of the following lists contains only the items that are new since the previous report.
  found: z.array(FoundSpot),
  unread: z.array(unread).max(unreadNamed),
  /** File and folder names that contain a secret. They must not appear in any response. */
  hidden: z.array(z.string()),
  /** The `.git` folders that the job found, or `.git` files that point to a repository. */
  stores: z.array(z.string()),
  /** The repositories whose history the job has read. Each is identified by its data folder, which is shared by all work trees of the repository. */
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
  /** The git repositories that the job found while it read the folder's files. */
  readonly stores: readonly string[]
  /** Repositories to skip, because an earlier job has read them. */
  readonly read: readonly string[]
}

const scanned = { gives: ScanEnd, news: ScanNews, quietMs: minute }

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
  readonly globalRules: string
  /** If true, ignore rules match names regardless of upper and lower case. */
  readonly fold: boolean
}

export const gitViewJob = job<GitViewGiven>()({ name: 'git view', gives: GitView, quietMs: 10 * second })

/** The key or wallet that a recognised secret belongs to. `former`: the secret is no longer in use, because it was replaced or removed. */
export interface Recognised {
  /** The id of the key that the secret belongs to; null if the secret is the wallet’s sign-in. */
  readonly keyId: string | null
  readonly wallet: string
  readonly secret: 'current' | 'former'
}

/**
 * Maximum number of characters of a secret to compare. The service's secrets are far shorter, so only the start of an unusually long secret is
 * compared.
 */
export const longestSecret = 256

export interface SecretForScan {
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
   * Short hashes of the first characters of known secrets. If a text matches none of these hashes, it contains no known secret, so the slower full
   * check is unnecessary.
   */
  readonly glances: readonly number[]
  readonly known: readonly (readonly [string, Recognised])[]
}

/**
 * Recognises secrets without storing them. Keeps only HMAC-SHA256 hashes in memory, made with a random key for this run. Until the run ends, still
 * recognises a secret after its key was rotated or revoked.
 */
export interface Fingerprints {
  /**
   * Sets which secrets are stored now. All other known secrets count as no longer in use (`former`). Secrets of the keys in `unread` stay current,
   * because the keychain could not be read for these keys.
   */
  learn(held: readonly SecretForScan[], unread?: ReadonlySet<string>): void
  /** Returns the known secret at the start of `text`, and its length in characters. Returns null if `text` starts with no known secret. */
  recognise(text: string): (Recognised & { readonly length: number }) | null
  /** Exports the fingerprints, so that another process can recognise the same secrets. */
  prints(): Prints
}

/** The quick first check hashes this many characters at the start of a possible secret. */
const glanceLength = 16

/** Creates fingerprints with a new random key. `from`: fingerprints that another process exported with `prints`, to continue with their key. */
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
        // Encode the secret as the scan encodes the bytes of a file, so that the app can compare them.
        const text = Buffer.from(secret.reveal()).toString('latin1').slice(0, longestSecret)
        // Skip a very short secret, because the search could not tell it from an ordinary word.
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
