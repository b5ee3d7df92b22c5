import { constants, type Dirent } from 'node:fs'
import { open, readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { bytesOf, isIgnored, type Layer } from './glob.ts'
import { nothingTracked, openWorkTree, readRules, type WorkTree, workTreeOf } from './work-tree.ts'

export interface WalkedFile {
  readonly path: string
  /** Whether git ignores it: a `.gitignore` names it or a folder that it is in, and git does not track it. */
  readonly ignored: boolean
}

export interface WalkParts {
  readonly root: string
  /** Also what git ignores. Where it is not known what git tracks, that is read all the same. */
  readonly ignoredToo: boolean
  /** Case does not matter to rules. */
  readonly fold: boolean
  readonly onFolder: (path: string) => void
  /** Every name that no rule left out, of whatever it is. */
  readonly onName?: (path: string, ignored: boolean) => void
  /** git: its store, or the file that leads to it. */
  readonly onSkipped: (what: 'ignored' | 'link' | 'git' | 'special', path: string) => void
  readonly onUnread: (path: string, why: TextOutcome | 'tracked_unknown') => void
}

/** A folder with the rules that hold in it; `names` lead to it from the top of its work tree. */
interface OpenFolder {
  readonly path: string
  readonly names: readonly string[]
  readonly layers: readonly Layer[]
  readonly tree: WorkTree
  readonly top: string
  readonly ignored: boolean
}

/** The root with the rules of the folders above it in its work tree. A folder that was chosen is read though a rule names it. */
async function openRoot(root: string, fold: boolean): Promise<OpenFolder> {
  // Where it is in no work tree, the folder itself is the top.
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

/** Every file below a folder, by name, without following links and without git's own store. Gives files one by one, so it holds no long list. */
export async function* walk({ root, ignoredToo, fold, onFolder, onName, onSkipped, onUnread }: WalkParts): AsyncGenerator<WalkedFile, void, undefined> {
  /** Work trees of which it is not known what git tracks. */
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
    // A work tree inside another goes by its own rules.
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

/** What became of a file. `in_part`: it is longer than what is read of one. `changed`: it went, or became something else meanwhile. */
export type TextOutcome = 'whole' | 'in_part' | 'binary' | 'not_allowed' | 'changed' | 'failed'

interface TextParts {
  /** Read into again and again; its length is that of a piece. */
  readonly buffer: Buffer
  readonly mostBytes: number
  /** Bytes as Latin-1; UTF-16 comes as UTF-8. */
  readonly onText: (text: string) => void
  readonly onBytes: (bytes: number) => void
}

/** As git tells: a NUL this near the beginning. */
const lookedAtBytes = 8_192

const outcomes: Readonly<Record<string, TextOutcome>> = {
  EACCES: 'not_allowed',
  EPERM: 'not_allowed',
  ENOENT: 'changed',
  ENOTDIR: 'changed',
  EISDIR: 'changed',
  ELOOP: 'changed',
  ENXIO: 'changed',
}

/** For an error of the file system. */
const outcomeOf = (error: unknown): TextOutcome => outcomes[error instanceof Error && 'code' in error ? String(error.code) : ''] ?? 'failed'

/** Windows writes UTF-16 with a byte order mark, for example by `>` in PowerShell; editors and databases leave it out. */
function wideDecoder(first: Buffer): TextDecoder | null {
  if (first[0] === 0xff && first[1] === 0xfe) return new TextDecoder('utf-16le')
  if (first[0] === 0xfe && first[1] === 0xff) return new TextDecoder('utf-16be')
  const [even, odd] = [0, 0].map((_, from) => zeros(first.subarray(0, lookedAtBytes), from)) as [number, number] // two of two
  // Half of the bytes of a text in Latin letters are zero, all on one side.
  const most = Math.min(first.length, lookedAtBytes) / 4
  if (even === 0 && odd > 0 && odd >= most) return new TextDecoder('utf-16le')
  return odd === 0 && even > 0 && even >= most ? new TextDecoder('utf-16be') : null
}

/** Zeros at every second byte. */
function zeros(bytes: Buffer, from: number): number {
  let count = 0
  for (let at = from; at < bytes.length; at += 2) if (bytes[at] === 0) count += 1
  return count
}

/** Bytes as Latin-1; UTF-16 comes as UTF-8. null: it is no text. */
export function textOf(content: Buffer): string | null {
  const wide = wideDecoder(content)
  if (wide !== null) return Buffer.from(wide.decode(content)).toString('latin1')
  return content.subarray(0, lookedAtBytes).includes(0) ? null : content.toString('latin1')
}

/** Reads a file piece by piece, never through a link, and never writes. */
export async function readText(path: string, { buffer, mostBytes, onText, onBytes }: TextParts): Promise<TextOutcome> {
  try {
    // Without waiting for the other end, should it have become a pipe.
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
