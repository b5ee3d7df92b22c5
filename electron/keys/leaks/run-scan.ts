import type { LeakScan } from '../../../shared/ipc/keys/leaks.ts'
import type { Job } from '../../kernel/parsing/job.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import {
  type Fingerprints,
  type FolderScanGiven,
  type FoundSpot,
  folderScanJob,
  type HistoryScanGiven,
  historyScanJob,
  noTotals,
  placeOf,
  type ScanEnd,
  type ScanLimits,
  type ScanNews,
  type Totals,
  type Unread,
  unreadNamed,
} from './scan-job.ts'

/** Limits of one scan. Ordinary folders stay far below them; only a folder chosen by mistake, or a file full of sample keys, reaches a limit. */
export const scanLimits: ScanLimits = { fileBytes: 64 * 1_048_576, historyBytes: 512 * 1_048_576, files: 500_000, found: 500 }

export interface ScanSum extends Totals {
  at: string | null
  readonly unread: Unread[]
  readonly found: FoundSpot[]
  readonly hidden: Set<string>
}

export const noSum = (): ScanSum => ({ ...noTotals(), at: null, unread: [], found: [], hidden: new Set() })

export interface RunScanParts extends Pick<FolderScanGiven, 'ignoredToo' | 'platform'> {
  readonly folders: readonly string[]
  readonly fingerprints: Fingerprints
  readonly limits: ScanLimits
  readonly sum: ScanSum
  readonly parsing: Parsing
  readonly signal: AbortSignal
  readonly onProgress: () => void
}

const added = (before: Totals, { files, bytes, objects, skipped, unreadTotal }: Totals): Totals => ({
  files: before.files + files,
  bytes: before.bytes + bytes,
  objects: before.objects + objects,
  skipped: {
    binary: before.skipped.binary + skipped.binary,
    ignored: before.skipped.ignored + skipped.ignored,
    link: before.skipped.link + skipped.link,
    git: before.skipped.git + skipped.git,
    special: before.skipped.special + skipped.special,
  },
  unreadTotal: before.unreadTotal + unreadTotal,
})

/**
 * Scans the folders one after another. For each folder, one process reads the files, and then another process reads the git histories found there.
 * If a process crashes, hangs or needs too much memory, the scan reports the path that the process was reading. It then continues with the next
 * folder or repository. If `signal` or a limit ends the scan early, the scan keeps the results so far.
 */
export async function runScan(parts: RunScanParts): Promise<Exclude<LeakScan['state'], 'running'>> {
  const { folders, ignoredToo, platform, fingerprints, limits, sum, parsing, signal, onProgress } = parts
  const prints = fingerprints.prints()
  const places = new Set<string>()
  const read: string[] = []
  const left = (): ScanLimits => ({ ...limits, files: limits.files - sum.files, found: limits.found - sum.found.length })

  const unread = (...more: readonly Unread[]) => sum.unread.push(...more.slice(0, unreadNamed - sum.unread.length))

  const attempt = async <Given>(job: Job<Given, ScanEnd, ScanNews>, given: Given, stores: string[]): Promise<ScanEnd | 'stopped' | 'gave_up'> => {
    const { files, bytes, objects, skipped, unreadTotal } = sum
    const hear = (news: ScanNews) => {
      Object.assign(sum, added({ files, bytes, objects, skipped, unreadTotal }, news.totals))
      sum.at = news.at
      for (const spot of news.found) {
        const place = placeOf(spot)
        if (places.has(place) || sum.found.length >= limits.found) continue
        places.add(place)
        sum.found.push(spot)
      }
      unread(...news.unread)
      for (const name of news.hidden) sum.hidden.add(name)
      stores.push(...news.stores)
      read.push(...news.read)
      onProgress()
    }
    const ended = await parsing.run(job, given, { signal, onNews: hear })
    if (ended.ok) return ended.value
    if (ended.failure.issue === 'stopped') return 'stopped'
    sum.unreadTotal += 1
    unread({ path: sum.at ?? '', why: 'gave_up' })
    return 'gave_up'
  }

  try {
    for (const folder of folders) {
      const stores: string[] = []
      sum.at = folder
      const walked = await attempt(folderScanJob, { folder, ignoredToo, platform, prints, limits: left() }, stores)
      if (walked !== 'done' && walked !== 'gave_up') return walked
      for (let waiting = stores; waiting.length > 0; ) {
        sum.at = waiting[0] ?? folder
        const given: HistoryScanGiven = { folder, stores: waiting, read, prints, limits: left() }
        const ended = await attempt(historyScanJob, given, [])
        if (ended !== 'done' && ended !== 'gave_up') return ended
        waiting = ended === 'done' ? [] : waiting.slice(Math.max(0, waiting.indexOf(sum.at)) + 1)
      }
    }
    return 'done'
  } finally {
    sum.at = null
  }
}
