import { constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { foldsCase } from '../../kernel/files/folds-case.ts'
import type { Parsing } from '../../kernel/parsing/parsing.ts'
import { type GitView, gitViewJob } from './git-view-job.ts'

export type AskGit = (path: string) => Promise<GitView>

/**
 * How git looks at `path`, in a folder whose links are resolved. Git's files are read in a process of their own; where that fails, the answer is unknown.
 * `core.excludesFile` is not read: where only that file ignores `path`, the app asks although it need not.
 */
export function createAskGit(parsing: Parsing, env: NodeJS.ProcessEnv): AskGit {
  const globalRules = join(env.XDG_CONFIG_HOME || join(homedir(), '.config'), 'git', 'ignore')
  return async (path) => {
    const view = await parsing.run(gitViewJob, { path, globalRules, fold: foldsCase(process.platform) })
    return view.ok ? view.value : { state: 'unknown', workTree: dirname(path) }
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
