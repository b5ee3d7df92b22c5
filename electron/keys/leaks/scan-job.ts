import { createHmac, randomBytes, randomInt } from 'node:crypto'
import { z } from 'zod'
import { LeakFinding, LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import { minute, second } from '../../../shared/time.ts'
import { job } from '../../kernel/parsing/job.ts'
import type { Secret } from '../../kernel/secret.ts'

export interface ScanLimits {
  /** Of one file; of a longer one the beginning is read. */
  readonly fileBytes: number
  /** Of the history in one store of git, unpacked. */
  readonly historyBytes: number
  readonly files: number
  readonly found: number
}

const { form, ignored, kind, line, column, object, path, sure, where } = LeakFinding.shape

/** A place that holds a secret. It says whose the secret is and never what it is. */
export const FoundSpot = z.object({
  kind,
  form,
  sure,
  /** Counted from 1; columns in characters of UTF-8. */
  line,
  column,
  /** null: not a secret that was ever held in this run. */
  recognised: z.object({ keyId: z.string().nullable(), wallet: z.string(), secret: z.enum(['current', 'former']) }).nullable(),
  /** The chosen folder that it was found in. */
  folder: z.string(),
  path,
  ignored,
  where,
  object,
})
export type FoundSpot = z.infer<typeof FoundSpot>

/** What two of the same place have in common: folders may lie in each other. */
export function placeOf({ path, where, line, column, recognised }: FoundSpot): string {
  switch (where) {
    case 'file':
      return `${path}\n${line}:${column}`
    case 'name':
      return `${path}\nname`
    // A key that was written once stands in every version since.
    case 'history':
      return `${path}\nhistory ${recognised?.keyId ?? recognised?.wallet} ${recognised?.secret}`
  }
}

const unread = LeakScan.shape.unread.element
export type Unread = z.infer<typeof unread>
/** Files and folders that are named where they could not be read. The others are counted. */
export const unreadNamed = 50

/** Counts from the beginning of a job on. */
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
  /** What is being read. */
  at: z.string(),
  // From here on what came since the last news.
  found: z.array(FoundSpot),
  unread: z.array(unread).max(unreadNamed),
  /** Names that hold a secret: no answer has them. */
  hidden: z.array(z.string()),
  /** Git's stores that lie in the folder, or files that lead to one. */
  stores: z.array(z.string()),
  /** Stores whose history was read, by the place that all their work trees share. */
  read: z.array(z.string()),
})
export type ScanNews = z.infer<typeof ScanNews>

const ScanEnd = z.enum(['done', 'too_many_found', 'too_many_files'])
export type ScanEnd = z.infer<typeof ScanEnd>

interface ScanGiven {
  readonly folder: string
  readonly prints: ReturnType<Fingerprints['prints']>
  /** What is left of them. */
  readonly limits: ScanLimits
}

export interface FolderScanGiven extends ScanGiven {
  readonly ignoredToo: boolean
  readonly platform: NodeJS.Platform
}

export interface HistoryScanGiven extends ScanGiven {
  /** As the scan of the folder found them. */
  readonly stores: readonly string[]
  /** Read before: they are passed over. */
  readonly read: readonly string[]
}

const scanned = { gives: ScanEnd, news: ScanNews, quietMs: minute }

/** Reads every file below a folder. */
export const folderScanJob = job<FolderScanGiven>()({ name: 'folder scan', ...scanned })
/** Reads what git keeps of earlier versions. Says which store it begins before it does. */
export const historyScanJob = job<HistoryScanGiven>()({ name: 'history scan', ...scanned })

/** How git looks at a file: outside of any work tree, ignored, not ignored (it could be committed, or is), or unknown. */
export const GitView = z.discriminatedUnion('state', [
  z.object({ state: z.enum(['outside', 'ignored']) }),
  z.object({ state: z.enum(['not_ignored', 'unknown']), workTree: z.string() }),
])
export type GitView = z.infer<typeof GitView>

export interface GitViewGiven {
  /** In a folder whose links are resolved. */
  readonly path: string
  /** The user's own ignore file for all work trees. */
  readonly globalRules: string
  /** Case does not matter to rules. */
  readonly fold: boolean
}

export const gitViewJob = job<GitViewGiven>()({ name: 'git view', gives: GitView, quietMs: 10 * second })

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
interface Prints {
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
