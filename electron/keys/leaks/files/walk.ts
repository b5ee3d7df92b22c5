import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { bytesOf, isIgnored, type Layer } from './glob.ts'
import { nothingTracked, openWorkTree, readRules, type WorkTree, workTreeOf } from './work-tree.ts'

export interface WalkedFile {
  readonly path: string
  /** Whether git ignores the file: a rule matches the file or one of its parent folders, and git does not track the file. */
  readonly ignored: boolean
}

export interface WalkParts {
  readonly root: string
  /** Whether the walk also reads files that git ignores. If the app cannot find out which files git tracks, the walk always reads them. */
  readonly ignoredToo: boolean
  /** If true, ignore rules match names regardless of upper and lower case. */
  readonly fold: boolean
  readonly onFolder: (path: string) => void
  /** Called for every file, folder or link that the walk does not skip because of a rule. */
  readonly onName?: (path: string, ignored: boolean) => void
  /** Called for each skipped path. `git` means the repository's `.git` folder, or the `.git` file that points to it. */
  readonly onSkipped: (what: 'ignored' | 'link' | 'git' | 'special', path: string) => void
  readonly onUnread: (path: string, why: TextOutcome | 'tracked_unknown') => void
}

/** A folder and the ignore rules that apply in it. `names` is the path from the top of the work tree to the folder. */
interface OpenFolder {
  readonly path: string
  readonly names: readonly string[]
  readonly layers: readonly Layer[]
  readonly tree: WorkTree
  readonly top: string
  readonly ignored: boolean
}

/**
 * Opens the folder where the walk starts, with the rules of its parent folders in the work tree. The walk reads this folder even if a rule
 * ignores it.
 */
async function openRoot(root: string, fold: boolean): Promise<OpenFolder> {
  // If no work tree contains the folder, treat the folder as the top of a work tree.
  const top = (await workTreeOf(root)) ?? root
  const names = relative(top, root).split(sep).filter(Boolean).map(bytesOf)
  const tree = await openWorkTree(top, fold)
  let layers = tree.layers
  let folder = top
  for (const [depth, name] of relative(top, root).split(sep).filter(Boolean).entries()) {
    layers = [...layers, ...(await readRules(join(folder, '.gitignore'), depth, fold))]
    if (isIgnored(layers, names.slice(0, depth + 1), true)) return { path: root, names: [], layers: [], tree, top, ignored: false }
    folder = join(folder, name)
  }
  return { path: root, names, layers, tree, top, ignored: false }
}

/**
 * Yields every file below a folder, sorted by name. Follows no links and skips git's own folder. Yields one file at a time, so that the list of all
 * files need not be in memory.
 */
export async function* walk({ root, ignoredToo, fold, onFolder, onName, onSkipped, onUnread }: WalkParts): AsyncGenerator<WalkedFile, void, undefined> {
  const unknown = new Set<string>()
  const waiting: OpenFolder[] = [await openRoot(root, fold)]
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    const { path, ignored } = folder
    onFolder(path)
    let entries: Dirent[]
    try {
      entries = await readdir(path, { withFileTypes: true })
    } catch (error) {
      onUnread(path, outcomeOf(error))
      continue
    }
    // A nested work tree has its own ignore rules. The rules of the outer work tree do not apply in it.
    const nested = path !== root && entries.some(({ name }) => name === '.git')
    const names = nested ? [] : folder.names
    const [top, tree] = nested ? [path, await openWorkTree(path, fold)] : [folder.top, folder.tree]
    const above = nested ? tree.layers : folder.layers
    const own = entries.some(({ name }) => name === '.gitignore') ? await readRules(join(path, '.gitignore'), names.length, fold) : []
    const layers = [...above, ...own]
    const folders: OpenFolder[] = []
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(path, entry.name)
      const isFolder = entry.isDirectory()
      if (entry.name === '.git' && (isFolder || entry.isFile())) onSkipped('git', inside)
      if (!isFolder || entry.name !== '.git') {
        const inner = [...names, bytesOf(entry.name)]
        const matched = ignored || isIgnored(layers, inner, isFolder)
        const tracked = matched ? await tree.tracked() : nothingTracked
        if (tracked === null && !ignoredToo && !unknown.has(top)) {
          unknown.add(top)
          onUnread(join(top, '.git'), 'tracked_unknown')
        }
        const named = matched && tracked?.file(inner) !== true
        const leads = isFolder && tracked?.folder(inner) === true
        if (named && !leads && !ignoredToo && tracked !== null) {
          onSkipped(entry.isSymbolicLink() ? 'link' : isFolder || entry.isFile() ? 'ignored' : 'special', inside)
          continue
        }
        onName?.(inside, named)
        if (entry.isSymbolicLink()) onSkipped('link', inside)
        else if (!isFolder && !entry.isFile()) onSkipped('special', inside)
        else if (isFolder) folders.push({ path: inside, names: inner, layers, tree, top, ignored: named })
        else yield { path: inside, ignored: named }
      }
    }
    waiting.push(...folders.reverse())
  }
}

/**
 * How the reading of a file ended. `in_part`: the file is longer than the limit. `changed`: the file disappeared or became something else
 * during the scan.
 */
export type TextOutcome = 'whole' | 'in_part' | 'binary' | 'not_allowed' | 'changed' | 'failed'

interface TextParts {
  /** The buffer for reading the file in pieces. Each read overwrites it, and its length is the size of a piece. */
  readonly buffer: Buffer
  readonly mostBytes: number
  /** Receives the file's bytes as Latin-1. UTF-16 files are converted to UTF-8 first. */
  readonly onText: (text: string) => void
  readonly onBytes: (bytes: number) => void
}

/** How many bytes at the start of a file to check for NUL bytes. As in git, a file with a NUL byte there counts as binary. */
export const lookedAtBytes = 8_192

const outcomes: Readonly<Record<string, TextOutcome>> = {
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  ENOENT: 'changed',
  ENOTDIR: 'changed',
  EISDIR: 'changed',
  ELOOP: 'changed',
  ENXIO: 'changed',
}

export const outcomeOf = (error: unknown): TextOutcome => outcomes[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? 'failed'

/**
 * Detects UTF-16 text and returns its decoder; null for any other text. Windows programs such as PowerShell write a byte order mark at the start of
 * the text. Editors and databases omit the mark, so the app also looks for zero bytes.
 */
export function wideDecoder(first: Buffer): TextDecoder | null {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be')
  if (!first.subarray(0, lookedAtBytes).includes(0)) return null
  const [even, odd] = [0, 0].map((_, from) => zeros(first.subarray(0, lookedAtBytes), from)) as [number, number] // the cast is safe: the array has two elements
  // UTF-16 text in Latin letters has one zero byte per letter, always at an even position or always at an odd one. If at least a quarter of all
  // bytes are zeros at such positions, the text counts as UTF-16.
  const most = Math.min(first.length, lookedAtBytes) / 4
  if (even === 0 && odd > 0 && odd >= most) return new TextDecoder('utf-16le')
  return odd === 0 && even > 0 && even >= most ? new TextDecoder('utf-16be') : null
}

function zeros(bytes: Buffer, from: number): number {
  let count = 0
  for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) count += 1
  return count
}

/** Returns the bytes as Latin-1, after converting UTF-16 to UTF-8. null if the content is not text. */
export function textOf(content: Buffer): string | null {
  const wide = wideDecoder(content)
  if (wide !== null) return Buffer.from(wide.decode(content)).toString('latin1')
  return content.subarray(0, lookedAtBytes).includes(0) ? null : content.toString('latin1')
}

/** Reads a file in pieces. Follows no link and writes nothing. */
export async function readText(path: string, { buffer, mostBytes, onText, onBytes }: TextParts): Promise<TextOutcome> {
  try {
    // If the file has been replaced by a pipe, do not wait for data.
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0))
    try {
      let wide: TextDecoder | null = null
      for (let total = 0; ; ) {
        const asked = Math.min(buffer.length, mostBytes - total + 1)
        const { bytesRead } = await file.read(buffer, 0, asked)
        const piece = buffer.subarray(0, bytesRead)
        if (total === 0) {
          wide = wideDecoder(piece)
          if (wide === null && piece.subarray(0, lookedAtBytes).includes(0)) return 'binary'
        }
        total += bytesRead
        onBytes(bytesRead)
        if (bytesRead > 0) onText(wide === null ? piece.toString('latin1') : Buffer.from(wide.decode(piece, { stream: true })).toString('latin1'))
        if (total > mostBytes) return 'in_part'
        if (bytesRead < asked) return 'whole'
      }
    } finally {
      await file.close()
    }
  } catch (error) {
    return outcomeOf(error)
  }
}
