import type { Dirent } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { bytesOf } from './glob.ts'
import { isIgnored, type Layer } from './ignore-rules.ts'
import { outcomeOf, type TextOutcome } from './read-text.ts'
import { readRules, workTreeOf } from './work-tree.ts'

export interface WalkedFile {
  readonly path: string
  /** Whether a `.gitignore` names it or a folder that it is in. */
  readonly ignored: boolean
}

export interface WalkParts {
  readonly root: string
  /** Also what a `.gitignore` names. */
  readonly ignoredToo: boolean
  /** Case does not matter to rules. */
  readonly fold: boolean
  readonly onFolder: (path: string) => void
  /** Every name that no rule left out, of whatever it is. */
  readonly onName?: (path: string, ignored: boolean) => void
  readonly onSkipped: (what: 'ignored' | 'link' | 'git' | 'special', path: string) => void
  readonly onUnread: (path: string, why: TextOutcome) => void
}

/** A folder with the rules that hold in it; `names` lead to it from the top of its work tree. */
interface OpenFolder {
  readonly path: string
  readonly names: readonly string[]
  readonly layers: readonly Layer[]
  readonly ignored: boolean
}

const rulesAtTop = (top: string, fold: boolean): Promise<Layer[]> => readRules(join(top, '.git', 'info', 'exclude'), 0, fold)

/** The root with the rules of the folders above it in its work tree. A folder that was chosen is read though a rule names it. */
async function openRoot(root: string, fold: boolean): Promise<OpenFolder> {
  // Where it is in no work tree, the folder itself is the top.
  const top = (await workTreeOf(root)) ?? root
  const names = relative(top, root).split(sep).filter(Boolean).map(bytesOf)
  let layers = await rulesAtTop(top, fold)
  let folder = top
  for (const [depth, name] of relative(top, root).split(sep).filter(Boolean).entries()) {
    layers = [...layers, ...(await readRules(join(folder, '.gitignore'), depth, fold))]
    if (isIgnored(layers, names.slice(0, depth + 1), true)) return { path: root, names: [], layers: [], ignored: false }
    folder = join(folder, name)
  }
  return { path: root, names, layers, ignored: false }
}

/** Every file below a folder, by name, without following links and without git's own store. Gives files one by one, so it holds no long list. */
export async function* walk({ root, ignoredToo, fold, onFolder, onName, onSkipped, onUnread }: WalkParts): AsyncGenerator<WalkedFile, void, undefined> {
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
    const above = nested ? await rulesAtTop(path, fold) : folder.layers
    const own = entries.some(({ name }) => name === '.gitignore') ? await readRules(join(path, '.gitignore'), names.length, fold) : []
    const layers = [...above, ...own]
    const folders: OpenFolder[] = []
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const inside = join(path, entry.name)
      const isFolder = entry.isDirectory()
      if (isFolder && entry.name === '.git') onSkipped('git', inside)
      else {
        const inner = [...names, bytesOf(entry.name)]
        const named = ignored || isIgnored(layers, inner, isFolder)
        if (named && !ignoredToo) {
          onSkipped(entry.isSymbolicLink() ? 'link' : isFolder || entry.isFile() ? 'ignored' : 'special', inside)
          continue
        }
        onName?.(inside, named)
        if (entry.isSymbolicLink()) onSkipped('link', inside)
        else if (!isFolder && !entry.isFile()) onSkipped('special', inside)
        else if (isFolder) folders.push({ path: inside, names: inner, layers, ignored: named })
        else yield { path: inside, ignored: named }
      }
    }
    waiting.push(...folders.reverse())
  }
}
