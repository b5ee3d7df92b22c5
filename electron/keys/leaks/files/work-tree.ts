import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { bytesOf, folded, isIgnored, type Layer, parseIgnore } from './glob.ts'

/** The maximum size in bytes of a file that is read as ignore rules or as git settings. */
const largestTextBytes = 1_048_576

const isAbsent = (error: unknown): boolean => error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')

/** Reads a regular file. Returns undefined if no such file exists. Throws if the file cannot be read. */
export async function readPlain(path: string, largest: number): Promise<Buffer | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      const about = await file.stat()
      if (!about.isFile() || about.size > largest) throw new Error('Not a plain file of a size to be read')
      return await file.readFile()
    } finally {
      await file.close()
    }
  } catch (error) {
    if (isAbsent(error)) return undefined
    throw error
  }
}

/** Reads the ignore rules in a file. Returns no rules if the file is missing, or if git would not read it. */
export async function readRules(path: string, depth: number, fold: boolean): Promise<Layer[]> {
  const text = await readPlain(path, largestTextBytes).catch(() => undefined)
  return text === undefined ? [] : [{ depth, set: parseIgnore(text.toString('utf8'), fold) }]
}

/** Finds the work tree of a folder: the nearest parent with a `.git` folder or file. Returns null if no parent has one. */
export async function workTreeOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return at
    if (dirname(at) === at) return null
  }
}

/**
 * The folders in which git keeps the data of a work tree. `own` belongs to this work tree only; `common` is shared by all work trees of the
 * repository.
 */
export interface Store {
  readonly own: string
  readonly common: string
  readonly hashBytes: 20 | 32
}

/** True for a network path. On Windows, opening a network path could sign in to another computer. */
export const isShare = (path: string): boolean => /^[\\/]{2}/.test(path)

/** Finds the folders in which git keeps the data of the work tree at `top`. Returns null if git’s data are missing or unreadable. */
export async function storeOf(top: string): Promise<Store | null> {
  const at = join(top, '.git')
  const text = async (path: string) => (await readPlain(path, largestTextBytes))?.toString('utf8').trim()
  const isFolder = (await lstat(at)).isDirectory()
  const leadsTo = isFolder ? null : (await text(at))?.match(/^gitdir: (.+)$/)?.[1]
  if (leadsTo === undefined || (leadsTo !== null && isShare(leadsTo))) return null
  const own = leadsTo === null ? at : resolve(top, leadsTo)
  if ((await text(join(own, 'HEAD'))) === undefined) return null
  return storeIn(own)
}

/** Like `storeOf`, but for git's own folder of the work tree. */
export async function storeIn(own: string): Promise<Store | null> {
  const text = async (path: string) => (await readPlain(path, largestTextBytes))?.toString('utf8').trim()
  const sharedWith = (await text(join(own, 'commondir'))) ?? '.'
  if (isShare(sharedWith)) return null
  const common = resolve(own, sharedWith)
  const settings = (await text(join(common, 'config'))) ?? ''
  return { own, common, hashBytes: /^\s*objectformat\s*=\s*"?sha256/im.test(settings) ? 32 : 20 }
}

/**
 * Finds the folders in which git keeps the data of the work tree at `top`. Does not check whether git would accept that data. Returns null if a
 * `.git` file points to a missing folder.
 */
async function storeAt(top: string): Promise<Store | null> {
  const store = await storeOf(top)
  const at = join(top, '.git')
  return store ?? ((await lstat(at)).isDirectory() ? { own: at, common: at, hashBytes: 20 } : null)
}

export interface WorkTree {
  /** Rules that apply to the whole work tree and do not come from `.gitignore` files. */
  readonly layers: Layer[]
  /**
   * Returns which files git tracks; null if the app cannot find that out. Git never ignores a tracked file, even if a rule matches. The app reads
   * git’s index only once.
   */
  readonly tracked: () => Promise<Tracked | null>
}

/** Opens the work tree at `top`. If there is no work tree, returns an object without rules. */
export async function openWorkTree(top: string, fold: boolean): Promise<WorkTree> {
  if ((await lstat(join(top, '.git')).catch(() => null)) === null) return { layers: [], tracked: async () => nothingTracked }
  const store = await storeAt(top).catch(() => null)
  const read = async (): Promise<Tracked | null> => {
    if (store === null) return null
    const index = await readPlain(join(store.own, 'index'), largestIndexBytes)
    return index === undefined ? nothingTracked : trackedIn(index, { hashBytes: store.hashBytes, fold })
  }
  let asked: Promise<Tracked | null> | null = null
  return {
    layers: store === null ? [] : await readRules(join(store.common, 'info', 'exclude'), 0, fold),
    tracked: () => {
      asked ??= read().catch(() => null)
      return asked
    },
  }
}

export interface WorkTreeFile {
  /** The top folder of the work tree. `path` is a file in this work tree. */
  readonly top: string
  readonly path: string
  readonly globalRules: string | null
  /** If true, ignore rules match names regardless of upper and lower case. */
  readonly fold: boolean
}

/**
 * Whether git ignores the file: a rule matches it, and git does not track it. null if git’s files cannot be read. Reads git’s files and never
 * starts git, because git runs programs named in a folder’s configuration.
 */
export async function ignores({ top, path, globalRules, fold }: WorkTreeFile): Promise<boolean | null> {
  try {
    const store = await storeOf(top)
    if (store === null) return null
    const index = await readPlain(join(store.own, 'index'), largestIndexBytes)
    const names = relative(top, path).split(sep)
    const tracked = index === undefined ? false : isTracked(index, names.join('/'), { hashBytes: store.hashBytes, fold })
    if (tracked !== false) return tracked === null ? null : false
    return await matchesRules(names, { top, globalRules, fold, exclude: join(store.common, 'info', 'exclude') })
  } catch {
    return null
  }
}

async function matchesRules(
  names: readonly string[],
  { top, globalRules, fold, exclude }: Omit<WorkTreeFile, 'path'> & { readonly exclude: string },
): Promise<boolean> {
  const bytes = names.map(bytesOf)
  let layers = [...(globalRules === null ? [] : await readRules(globalRules, 0, fold)), ...(await readRules(exclude, 0, fold))]
  let folder = top
  for (const [depth, name] of names.entries()) {
    layers = [...layers, ...(await readRules(join(folder, '.gitignore'), depth, fold))]
    if (isIgnored(layers, bytes.slice(0, depth + 1), depth < names.length - 1)) return true
    folder = join(folder, name)
  }
  return false
}

export const largestIndexBytes = 128 * 1_048_576
const headBytes = 12
/** The size in bytes of the fields before an entry's hash: times, device, inode, mode, owner, group and file size. */
const statBytes = 40
/** The position of the file's mode within these fields. */
const modeAt = 24
const extended = 0x4000
const longestName = 65_536

/**
 * Extensions of git's index that omit tracked files from the index: `link` moves entries to another file, and `sdir` has only one entry per folder.
 */
const partial: ReadonlySet<string> = new Set(['link', 'sdir'])

/** How to read a repository’s index. `fold`: treat upper and lower case letters as equal. */
interface IndexForm {
  /** Length of a hash in bytes: 20 for SHA-1, 32 for SHA-256. */
  readonly hashBytes: 20 | 32
  readonly fold: boolean
}

/** One file in git's index. `name` is in bytes, starts at the top of the work tree and uses `/`. `mode` is as in a tree, such as 0o100644. */
export interface IndexEntry {
  readonly name: string
  readonly mode: number
  readonly id: string
}

/**
 * Yields each file in git's index (gitformat-index(5), versions 2 to 4). Returns true if the index was readable and lists every file. `onFolders`
 * receives what the index knows of unchanged folders: the id of each folder's tree, by name.
 */
export function* entriesIn(
  index: Buffer,
  hashBytes: IndexForm['hashBytes'],
  onFolders?: (extension: Buffer) => void,
): Generator<IndexEntry, boolean, undefined> {
  if (index.length < headBytes + hashBytes || index.toString('latin1', 0, 4) !== 'DIRC') return false
  const version = index.readUInt32BE(4)
  if (version < 2 || version > 4) return false
  const end = index.length - hashBytes
  let at = headBytes
  let before = ''
  for (let left = index.readUInt32BE(8); left > 0; left -= 1) {
    const start = at
    at += statBytes + hashBytes
    if (at + 2 > end) return false
    at += index.readUInt16BE(at) & extended ? 4 : 2
    let kept = ''
    if (version === 4) {
      const cut = offsetAt(index, at, end)
      if (cut === null || cut.value > before.length) return false
      kept = before.slice(0, before.length - cut.value)
      at = cut.next
    }
    const stop = index.indexOf(0, at)
    if (stop < 0 || stop >= end) return false
    const name = kept + index.toString('latin1', at, stop)
    if (name.length > longestName) return false
    yield { name, mode: index.readUInt32BE(start + modeAt), id: index.toString('hex', start + statBytes, start + statBytes + hashBytes) }
    before = name
    at = version === 4 ? stop + 1 : start + Math.ceil((stop - start + 1) / 8) * 8
  }
  while (at + 8 <= end) {
    if (partial.has(index.toString('latin1', at, at + 4))) return false
    const next = at + 8 + index.readUInt32BE(at + 4)
    if (index.toString('latin1', at, at + 4) === 'TREE' && next <= end) onFolders?.(index.subarray(at + 8, next))
    at = next
  }
  return at === end
}

/**
 * Returns true if git tracks the file at `path`, and null if the index cannot be read or does not list every file. `path` starts at the top of the
 * work tree and uses `/`.
 */
export function isTracked(index: Buffer, path: string, { hashBytes, fold }: IndexForm): boolean | null {
  const same = (text: string) => (fold ? folded(text) : text)
  const wanted = same(bytesOf(path))
  const entries = entriesIn(index, hashBytes)
  for (let next = entries.next(); ; next = entries.next()) {
    if (next.done) return next.value ? false : null
    const { name } = next.value
    if (name.length === wanted.length && same(name) === wanted) return true
  }
}

/** The files of a work tree that git tracks. `names` is a path from the top of the work tree, given as a list of names in bytes. */
interface Tracked {
  file(names: readonly string[]): boolean
  /** True if the folder contains a tracked file at any depth. */
  folder(names: readonly string[]): boolean
}

export const nothingTracked: Tracked = { file: () => false, folder: () => false }

/** Reads from git’s index which files git tracks. Returns null if the index cannot be read or does not list every file. */
export function trackedIn(index: Buffer, { hashBytes, fold }: IndexForm): Tracked | null {
  const [files, folders] = [new Set<string>(), new Set<string>()]
  const same = (text: string) => (fold ? folded(text) : text)
  const entries = entriesIn(index, hashBytes)
  let next = entries.next()
  for (; !next.done; next = entries.next()) {
    const name = same(next.value.name)
    files.add(name)
    for (let cut = name.lastIndexOf('/'); cut > 0 && !folders.has(name.slice(0, cut)); cut = name.lastIndexOf('/', cut - 1)) folders.add(name.slice(0, cut))
  }
  const has = (set: ReadonlySet<string>) => (path: readonly string[]) => set.has(same(path.join('/')))
  return next.value ? { file: has(files), folder: has(folders) } : null
}

/**
 * Reads how many bytes at the end of the previous path to drop. In index version 4, an entry stores only how its path differs from the previous
 * path. The number has the same encoding as an offset in a pack.
 */
function offsetAt(index: Buffer, from: number, end: number): { readonly value: number; readonly next: number } | null {
  let at = from
  let value = 0
  for (let read = 0; read < 5 && at < end; read += 1) {
    const byte = index[at] ?? 0
    at += 1
    value = read === 0 ? byte & 0x7f : (value + 1) * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) return { value, next: at }
  }
  return null
}
