import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { nothingTracked } from './git-index.ts'
import { bytesOf } from './glob.ts'
import { isIgnored, type Layer } from './ignore-rules.ts'
import { outcomeOf, type TextOutcome } from './read-text.ts'
import { openWorkTree, readRules, type WorkTree, workTreeOf } from './work-tree.ts'

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
