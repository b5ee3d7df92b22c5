import { execFileSync } from 'node:child_process'
import { realpathSync } from 'node:fs'

/**
 * The hash of the commit being built, with `-dirty` appended if tracked files were changed. null if the folder is not its own git repository or git
 * is missing.
 */
export function commitOf(root: string): string | null {
  const git = (...words: string[]): string => execFileSync('git', words, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim()
  try {
    if (realpathSync(git('rev-parse', '--show-toplevel')) !== realpathSync(root)) return null
    return git('describe', '--always', '--dirty', '--abbrev=12', '--exclude', '*')
  } catch {
    return null
  }
}

/**
 * The time of the commit being built, in seconds. Packages use it as file time, so that their bytes do not depend on the time of packaging.
 * `SOURCE_DATE_EPOCH` overrides it.
 */
export function commitTime(root: string): number {
  const given = process.env.SOURCE_DATE_EPOCH
  return Number(given ?? execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: root, encoding: 'utf8' }))
}

/** The fields of package.json that say where to report problems. */
export interface Reportable {
  readonly bugs?: string | { readonly url?: string; readonly email?: string }
  readonly repository?: string | { readonly url?: string }
}

/** Where to report problems according to package.json: `bugs`, else the repository; null if it names neither. */
export function reportsTo({ bugs, repository }: Reportable): string | null {
  if (typeof bugs === 'string') return bugs
  const asked = bugs?.url ?? bugs?.email
  if (asked !== undefined) return asked
  const url = typeof repository === 'string' ? repository : repository?.url
  return url?.replace(/^git\+/, '').replace(/\.git$/, '') ?? null
}
