import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { foldsCase } from '../../kernel/files/write-private.ts'
import { performs } from '../../kernel/parsing/perform.ts'
import { createDetector, type Spot } from './detector.ts'
import { readHistory } from './files/git-history.ts'
import type { GitObject } from './files/git-pack.ts'
import { readText, type TextOutcome, textOf, type WalkedFile, walk } from './files/walk.ts'
import { ignores, storeOf, workTreeOf } from './files/work-tree.ts'
import {
  createFingerprints,
  type Fingerprints,
  type FolderScanGiven,
  type FoundSpot,
  folderScanJob,
  type GitView,
  type GitViewGiven,
  gitViewJob,
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

/** Maximum size of an object in git's history. The scanner keeps a whole object in memory, and larger objects rarely contain keys. */
const objectBytes = 8 * 1_048_576

export interface ScanCounts extends Totals {
  at: string
  readonly unread: Unread[]
  readonly found: FoundSpot[]
  readonly hidden: Set<string>
  readonly stores: string[]
  readonly read: Set<string>
}

export const noCounts = (at: string, read: readonly string[] = []): ScanCounts => ({
  ...noTotals(),
  at,
  unread: [],
  found: [],
  hidden: new Set(),
  stores: [],
  read: new Set(read),
})

export interface ScanParts {
  readonly fingerprints: Pick<Fingerprints, 'recognise'>
  readonly limits: ScanLimits
  readonly counts: ScanCounts
  /** Called to report progress. If `now` is true, the report must be sent before the next item is read. */
  readonly onProgress: (now?: boolean) => void
}

/** How many files to read at once. Reading several at once is faster, because each small file mostly waits for the disk. */
const atOnce = 4
export const pieceBytes = 64 * 1_024

function createTally({ limits, counts }: Pick<ScanParts, 'limits' | 'counts'>) {
  const places = new Set<string>()
  return {
    end: (): ScanEnd => (counts.found.length >= limits.found ? 'too_many_found' : counts.files >= limits.files ? 'too_many_files' : 'done'),
    unread: (path: string, why: TextOutcome | Exclude<Unread['why'], TextOutcome>) => {
      if (why === 'whole' || why === 'binary') return
      counts.unreadTotal += 1
      if (counts.unread.length < unreadNamed) counts.unread.push({ path, why })
    },
    tell: ({ kind, form, sure, line, column, recognised }: Spot, where: Pick<FoundSpot, 'folder' | 'path' | 'ignored' | 'where' | 'object'>) => {
      const owner = recognised === null ? null : { keyId: recognised.keyId, wallet: recognised.wallet, secret: recognised.secret }
      const spot: FoundSpot = { kind, form, sure, line, column, recognised: owner, ...where }
      const place = placeOf(spot)
      if (places.has(place) || counts.found.length >= limits.found) return
      places.add(place)
      counts.found.push(spot)
    },
  }
}

/** Reads every file below the folder once. At a limit, stops early and keeps the findings so far. */
export async function scanFolder(
  { folder, ignoredToo, platform }: Pick<FolderScanGiven, 'folder' | 'ignoredToo' | 'platform'>,
  { fingerprints, limits, counts, onProgress }: ScanParts,
): Promise<ScanEnd> {
  const { end, unread, tell } = createTally({ limits, counts })

  const look = async ({ path, ignored }: WalkedFile, buffer: Buffer) => {
    const detector = createDetector(fingerprints, (spot) => tell(spot, { folder, path, ignored, where: 'file', object: null }))
    const onBytes = (bytes: number) => {
      counts.bytes += bytes
      onProgress()
    }
    const outcome = await readText(path, { buffer, mostBytes: limits.fileBytes, onText: detector.push, onBytes })
    if (outcome === 'whole' || outcome === 'in_part') {
      detector.end()
      counts.files += 1
    }
    if (outcome === 'binary') counts.skipped.binary += 1
    unread(path, outcome)
  }

  const lookAtName = (path: string, ignored: boolean) => {
    const name = basename(path)
    const detector = createDetector(fingerprints, (spot) => {
      counts.hidden.add(name)
      tell(spot, { folder, path, ignored, where: 'name', object: null })
    })
    detector.push(Buffer.from(name).toString('latin1'))
    detector.end()
  }

  lookAtName(folder, false)
  const files = walk({
    root: folder,
    ignoredToo,
    fold: foldsCase(platform),
    onFolder: (path) => {
      counts.at = path
      onProgress()
    },
    onName: lookAtName,
    onSkipped: (what, path) => {
      if (what === 'git') counts.stores.push(path)
      else counts.skipped[what] += 1
    },
    onUnread: unread,
  })
  const work = async () => {
    const buffer = Buffer.allocUnsafe(pieceBytes)
    while (end() === 'done') {
      const { value: file } = await files.next()
      if (!file) return
      await look(file, buffer)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  await files.return()
  return end()
}

/** Reads git's history. Reports only secrets that are or were stored here, and reports each of them only at the first place. */
export async function scanHistory(
  { folder, stores }: Pick<HistoryScanGiven, 'folder' | 'stores'>,
  { fingerprints, limits, counts, onProgress }: ScanParts,
): Promise<ScanEnd> {
  const { end, unread, tell } = createTally({ limits, counts })

  const lookAtObject = (git: string, { id, kind, content }: GitObject) => {
    const detector = createDetector(fingerprints, (spot) => {
      if (spot.recognised !== null) tell(spot, { folder, path: git, ignored: false, where: 'history', object: id })
    })
    counts.objects += 1
    counts.bytes += content.length
    onProgress()
    // A git tree object has zero bytes between its names, so `textOf` would call it binary.
    const text = kind === 'tree' ? content.toString('latin1') : textOf(content)
    if (text === null) return
    for (let at = 0; at < text.length; at += pieceBytes) detector.push(text.slice(at, at + pieceBytes))
    detector.end()
  }

  const lookAtStore = async (git: string) => {
    const found = await storeOf(dirname(git)).catch(() => null)
    const isFolder = (await lstat(git).catch(() => null))?.isDirectory() === true
    const store = found?.common ?? (isFolder ? git : null)
    // The scanner cannot read the history of a repository that uses SHA-256.
    if (store === null || found?.hashBytes === 32) return unread(git, 'history_unread')
    // Several work trees may share one repository, so skip a repository whose history was already read.
    if (counts.read.has(store)) return
    counts.read.add(store)
    const outcome = await readHistory({
      store,
      limits: { objectBytes, bytes: limits.historyBytes },
      onObject: (object) => lookAtObject(git, object),
      stops: () => end() !== 'done',
    })
    if (outcome === 'none') counts.skipped.git += 1
    if (outcome === 'in_part') unread(git, 'history_in_part')
  }

  for (const git of stores) {
    if (end() !== 'done') break
    counts.at = git
    onProgress(true)
    await lookAtStore(git)
  }
  return end()
}

const tellEveryMs = 100

/** Creates the function that reports progress. Each report contains all totals, but only the list items added since the previous report. */
function createNews(counts: ScanCounts, tell: (news: ScanNews) => void) {
  const newOf = <T>(list: Iterable<T>) => {
    let reported = [...list].length
    return (now: Iterable<T>): T[] => {
      const all = [...now]
      const added = all.slice(reported)
      reported = all.length
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

/** Finds out how git treats a file. Reads git's files and never starts git, because git runs programs named in the folder's configuration. */
async function readGitView({ path, globalRules, fold }: GitViewGiven): Promise<GitView> {
  const workTree = await workTreeOf(dirname(path))
  if (workTree === null) return { state: 'outside' }
  const ignored = await ignores({ top: workTree, path, globalRules, fold })
  if (ignored === true) return { state: 'ignored' }
  return { state: ignored === null ? 'unknown' : 'not_ignored', workTree }
}

export const performGitView = performs(gitViewJob, readGitView)
