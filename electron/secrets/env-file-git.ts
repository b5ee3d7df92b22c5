import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { foldsCase } from '../leaks/ignore-rules.ts'
import { ignores, workTreeOf } from '../leaks/work-tree.ts'

/** How git looks at a file: outside of any work tree, ignored, not ignored (it could be committed, or is), or unknown. */
export type GitView = { readonly state: 'outside' | 'ignored' } | { readonly state: 'not_ignored' | 'unknown'; readonly workTree: string }

export type AskGit = (path: string) => Promise<GitView>

/**
 * How git looks at `path`, in a folder whose links are resolved. Reads git's files and never starts git, which runs programs that the folder's configuration
 * names. `core.excludesFile` is not read: where only that file ignores `path`, the app asks although it need not.
 */
export function createAskGit(env: NodeJS.ProcessEnv): AskGit {
  const globalRules = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'ignore')
  return async (path) => {
    const workTree = await workTreeOf(dirname(path))
    if (workTree === null) return { state: 'outside' }
    const ignored = await ignores({ top: workTree, path, globalRules, fold: foldsCase(process.platform) })
    if (ignored === true) return { state: 'ignored' }
    return { state: ignored === null ? 'unknown' : 'not_ignored', workTree }
  }
}

/** Adds the file's own name to the `.gitignore` beside it, which must not be a link. Throws as the file system does. */
export async function ignoreInGit(path: string): Promise<void> {
  const file = await open(join(dirname(path), '.gitignore'), constants.O_RDWR | constants.O_CREAT | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0), 0o644)
  try {
    const before = await file.readFile('utf8')
    const pattern = `/${basename(path).replace(/[\\*?[\]!# ]/g, '\\$&')}`
    await file.appendFile(`${before === '' || before.endsWith('\n') ? '' : '\n'}${pattern}\n`)
  } finally {
    await file.close()
  }
}
