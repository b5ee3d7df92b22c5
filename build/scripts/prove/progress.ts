import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { root } from '../project.ts'

interface Kept {
  readonly tree: string
  readonly results: Readonly<Record<string, unknown>>
}

export interface Progress {
  readonly results: ReadonlyMap<string, unknown>
  /** Stores the result of one item of the proof on disk before it returns. A crash then loses only unfinished items. */
  keep(item: string, result: unknown): void
}

/** Returns one git hash of the whole source tree, uncommitted changes included, ignored files excluded. Does not change git’s index. */
export function codeTree(folder = root): string {
  const scratch = mkdtempSync(join(tmpdir(), 'svc-desk-tree-'))
  const git = (...args: string[]) =>
    execFileSync('git', args, { cwd: folder, encoding: 'utf8', env: { ...process.env, GIT_INDEX_FILE: join(scratch, 'index') } }).trim()
  try {
    git('add', '--all')
    return git('write-tree')
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** Reads the results that an earlier run stored in `file`. Discards results for other source code, because they prove nothing about this code. */
export function openProgress(file: string, tree: string): Progress {
  const results = new Map(Object.entries(read(file, tree)))
  return {
    results,
    keep: (item, result) => {
      results.set(item, result)
      const kept: Kept = { tree, results: Object.fromEntries(results) }
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(`${file}.new`, JSON.stringify(kept))
      renameSync(`${file}.new`, file)
    },
  }
}

function read(file: string, tree: string): Kept['results'] {
  if (!existsSync(file)) return {}
  try {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as Kept // written by `keep`
    return kept.tree === tree ? kept.results : {}
  } catch {
    // A damaged results file counts as empty. The proof then only repeats the items.
    return {}
  }
}
