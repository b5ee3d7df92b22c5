import { z } from 'zod'
import { LeakFinding, LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import { minute } from '../../../shared/time.ts'
import { job } from '../../kernel/parsing/job.ts'
import type { Fingerprints } from './fingerprints.ts'

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
