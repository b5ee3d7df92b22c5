import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { second } from '../../shared/time.ts'

/** How git looks at a file: outside of any work tree, ignored, not ignored (it could be committed, or is), or unknown. */
export type GitView = { readonly state: 'outside' | 'ignored' } | { readonly state: 'not_ignored' | 'unknown'; readonly workTree: string }

export type AskGit = (path: string) => Promise<GitView>

/** `path` in a folder whose links are resolved. Git's own settings of the user count; what surrounds this process does not. */
export function createAskGit(env: NodeJS.ProcessEnv): AskGit {
  const plain = Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_')))
  return async (path) => {
    const workTree = await workTreeOf(dirname(path))
    if (workTree === null) return { state: 'outside' }
    const code = await new Promise<number | null>((resolve) => {
      const child = execFile(
        'git',
        ['-C', dirname(path), '-c', 'core.fsmonitor=false', 'check-ignore', '--quiet', '--', `./${basename(path)}`],
        { env: { ...plain, GIT_OPTIONAL_LOCKS: '0' }, timeout: 10 * second, windowsHide: true },
        () => resolve(child.exitCode),
      )
    })
    if (code === 0) return { state: 'ignored' }
    return { state: code === 1 ? 'not_ignored' : 'unknown', workTree }
  }
}

async function workTreeOf(folder: string): Promise<string | null> {
  for (let at = folder; ; at = dirname(at)) {
    // A folder, or in a linked work tree a file.
    if ((await lstat(join(at, '.git')).catch(() => null)) !== null) return at
    if (dirname(at) === at) return null
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
