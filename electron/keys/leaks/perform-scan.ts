import { performs } from '../../kernel/parsing/perform.ts'
import { createFingerprints } from './fingerprints.ts'
import { noCounts, type ScanCounts, scanFolder, scanHistory } from './scan.ts'
import { folderScanJob, historyScanJob, type ScanNews } from './scan-job.ts'

/** The shortest time between two reports to main. */
const tellEveryMs = 100

/** Tells what a scan comes to as it goes: totals, and of each list what is new. */
function createNews(counts: ScanCounts, tell: (news: ScanNews) => void) {
  const newOf = <T>(list: Iterable<T>) => {
    let told = [...list].length
    return (now: Iterable<T>): T[] => {
      const all = [...now]
      const added = all.slice(told)
      told = all.length
      return added
    }
  }
  const lists = {
    found: newOf(counts.found),
    unread: newOf(counts.unread),
    hidden: newOf(counts.hidden),
    stores: newOf(counts.stores),
    read: newOf(counts.read),
  }
  let toldAt = performance.now()
  return (now = false): void => {
    if (!now && performance.now() - toldAt < tellEveryMs) return
    toldAt = performance.now()
    const { files, bytes, objects, unreadTotal, at } = counts
    tell({
      totals: { files, bytes, objects, skipped: { ...counts.skipped }, unreadTotal },
      at,
      found: lists.found(counts.found),
      unread: lists.unread(counts.unread),
      hidden: lists.hidden(counts.hidden),
      stores: lists.stores(counts.stores),
      read: lists.read(counts.read),
    })
  }
}

export const performFolderScan = performs(folderScanJob, async (given, tell) => {
  const counts = noCounts(given.folder)
  const onProgress = createNews(counts, tell)
  const end = await scanFolder(given, { fingerprints: createFingerprints(given.prints), limits: given.limits, counts, onProgress })
  onProgress(true)
  return end
})

export const performHistoryScan = performs(historyScanJob, async (given, tell) => {
  const counts = noCounts(given.folder, given.read)
  const onProgress = createNews(counts, tell)
  const end = await scanHistory(given, { fingerprints: createFingerprints(given.prints), limits: given.limits, counts, onProgress })
  onProgress(true)
  return end
})
