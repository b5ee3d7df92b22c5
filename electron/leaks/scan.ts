import { lstat } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { LeakFinding, LeakScan } from '../../shared/ipc/leaks.ts'
import { createDetector, type Spot } from './detector.ts'
import type { Fingerprints } from './fingerprints.ts'
import { readHistory } from './git-history.ts'
import type { GitObject } from './git-pack.ts'
import { foldsCase } from './ignore-rules.ts'
import { readText, type TextOutcome, textOf } from './read-text.ts'
import { type WalkedFile, walk } from './walk.ts'
import { storeOf } from './work-tree.ts'

export interface ScanLimits {
  /** Of one file; of a longer one the beginning is read. */
  readonly fileBytes: number
  /** Of the history in one store of git, unpacked. */
  readonly historyBytes: number
  readonly files: number
  readonly found: number
}

/** So much that a limit is met by a folder that nobody meant, or by a file full of samples. */
export const scanLimits: ScanLimits = { fileBytes: 64 * 1_048_576, historyBytes: 512 * 1_048_576, files: 500_000, found: 500 }

/** Of one object in git's history: keys are not kept in larger ones, and it is held whole. */
const objectBytes = 8 * 1_048_576

/** Files and folders that are named where they could not be read. The others are counted. */
export const unreadNamed = 50

export interface FoundSpot extends Spot {
  /** The chosen folder that it was found in. */
  readonly folder: string
  readonly path: string
  readonly ignored: boolean
  readonly where: LeakFinding['where']
  readonly object: string | null
}

export interface Unread {
  readonly path: string
  readonly why: LeakScan['unread'][number]['why']
}

/** Counts of a scan as it goes. */
export interface ScanCounts {
  files: number
  bytes: number
  objects: number
  /** The folder that is being read. */
  at: string | null
  readonly skipped: { binary: number; ignored: number; link: number; git: number; special: number }
  readonly unread: Unread[]
  unreadTotal: number
  readonly found: FoundSpot[]
  /** Names that hold a secret: nobody is told them. */
  readonly hidden: Set<string>
}

export const noCounts = (): ScanCounts => ({
  files: 0,
  bytes: 0,
  objects: 0,
  at: null,
  skipped: { binary: 0, ignored: 0, link: 0, git: 0, special: 0 },
  unread: [],
  unreadTotal: 0,
  found: [],
  hidden: new Set(),
})

export interface ScanParts {
  readonly folders: readonly string[]
  readonly ignoredToo: boolean
  readonly fingerprints: Fingerprints
  readonly platform: NodeJS.Platform
  readonly limits: ScanLimits
  /** Written to as the scan goes. */
  readonly counts: ScanCounts
  readonly signal: AbortSignal
  readonly onProgress: () => void
}

/** Files that are read at once: enough to keep small ones from waiting for each other. */
const atOnce = 4
/** Of ordinary text the main process reads 200 MiB a second (measured), so a piece takes it a third of a millisecond; in between it answers others. */
export const pieceBytes = 64 * 1_024

export type ScanEnd = 'done' | 'stopped' | 'too_many_found' | 'too_many_files'

/** Reads the folders once, one after another. Ends early where the signal or a limit says so; what was found until then counts. */
export async function runScan({ folders, ignoredToo, fingerprints, platform, limits, counts, signal, onProgress }: ScanParts): Promise<ScanEnd> {
  const places = new Set<string>()
  let end: ScanEnd = 'done'
  const stops = (): boolean => {
    if (signal.aborted) end = 'stopped'
    else if (counts.found.length >= limits.found) end = 'too_many_found'
    else if (counts.files >= limits.files) end = 'too_many_files'
    return end !== 'done'
  }

  const unread = (path: string, why: TextOutcome | Exclude<Unread['why'], TextOutcome>) => {
    if (why === 'whole' || why === 'binary') return
    counts.unreadTotal += 1
    if (counts.unread.length < unreadNamed) counts.unread.push({ path, why })
  }

  /** Folders may lie in each other: `place` is told once. */
  const tell = (place: string, spot: FoundSpot) => {
    if (places.has(place) || counts.found.length >= limits.found) return
    places.add(place)
    counts.found.push(spot)
  }

  const look = async (folder: string, { path, ignored }: WalkedFile, buffer: Buffer) => {
    const detector = createDetector(fingerprints, (spot) =>
      tell(`${path}\n${spot.line}:${spot.column}`, { ...spot, folder, path, ignored, where: 'file', object: null }),
    )
    const onBytes = (bytes: number) => {
      counts.bytes += bytes
      onProgress()
    }
    const outcome = await readText(path, { buffer, mostBytes: limits.fileBytes, onText: detector.push, onBytes, signal })
    if (outcome === 'whole' || outcome === 'in_part') {
      detector.end()
      counts.files += 1
    }
    if (outcome === 'binary') counts.skipped.binary += 1
    unread(path, outcome)
  }

  const lookAtName = (folder: string, path: string, ignored: boolean) => {
    const name = basename(path)
    const detector = createDetector(fingerprints, (spot) => {
      counts.hidden.add(name)
      tell(`${path}\nname`, { ...spot, folder, path, ignored, where: 'name', object: null })
    })
    detector.push(Buffer.from(name).toString('latin1'))
    detector.end()
  }

  /** A key that was written once stands in every version since: each secret is told once, and none but those that are held. */
  const lookAtObject = async (folder: string, store: string, { id, kind, content }: GitObject) => {
    const detector = createDetector(fingerprints, (spot) => {
      if (spot.recognised === null) return
      const { keyId, wallet, secret } = spot.recognised
      tell(`${store}\nhistory ${keyId ?? wallet} ${secret}`, { ...spot, folder, path: store, ignored: false, where: 'history', object: id })
    })
    counts.objects += 1
    counts.bytes += content.length
    onProgress()
    // The list of a folder's names has zeros between them.
    const text = kind === 'tree' ? content.toString('latin1') : textOf(content)
    if (text === null) return
    for (let at = 0; at < text.length; at += pieceBytes) {
      detector.push(text.slice(at, at + pieceBytes))
      if (text.length > pieceBytes) await setImmediate()
    }
    detector.end()
  }

  /** Stores that were read: work trees may share one. */
  const readStores = new Set<string>()

  /** `git`: a store in the folder, or the file that leads to it. */
  const lookAtHistory = async (folder: string, git: string) => {
    const found = await storeOf(dirname(git)).catch(() => null)
    const isFolder = (await lstat(git).catch(() => null))?.isDirectory() === true
    const store = found?.common ?? (isFolder ? git : null)
    // Objects that SHA-256 names are not read.
    if (store === null || found?.hashBytes === 32) return unread(git, 'history_unread')
    if (readStores.has(store)) return
    readStores.add(store)
    const outcome = await readHistory({
      store,
      limits: { objectBytes, bytes: limits.historyBytes },
      onObject: (object) => lookAtObject(folder, git, object),
      stops,
    })
    if (outcome === 'none') counts.skipped.git += 1
    if (outcome === 'in_part') unread(git, 'history_in_part')
  }

  for (const folder of folders) {
    const stores: string[] = []
    lookAtName(folder, folder, false)
    const files = walk({
      root: folder,
      ignoredToo,
      fold: foldsCase(platform),
      onFolder: (path) => {
        counts.at = path
        onProgress()
      },
      onName: (path, ignored) => lookAtName(folder, path, ignored),
      onSkipped: (what, path) => {
        if (what === 'git') stores.push(path)
        else counts.skipped[what] += 1
      },
      onUnread: unread,
    })
    const work = async () => {
      const buffer = Buffer.allocUnsafe(pieceBytes)
      while (!stops()) {
        const { value: file } = await files.next()
        if (!file) return
        await look(folder, file, buffer)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, work))
    await files.return()
    for (const store of stores) {
      if (stops()) break
      counts.at = store
      await lookAtHistory(folder, store)
    }
    if (stops()) break
  }
  counts.at = null
  return end
}
