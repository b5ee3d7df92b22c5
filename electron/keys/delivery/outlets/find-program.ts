import { constants } from 'node:fs'
import { access, realpath, stat } from 'node:fs/promises'
import { delimiter, isAbsolute, join } from 'node:path'

export interface ProgramPlace {
  readonly env: NodeJS.ProcessEnv
  readonly platform: NodeJS.Platform
}

/** An app that the desktop started has a short PATH on macOS; tools of the usual package managers are looked for, too. */
const usual: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = { darwin: ['/usr/local/bin', '/opt/homebrew/bin'], linux: ['/usr/local/bin'] }

/**
 * The file that a program's name means, links resolved; null where there is none. Never one of the current folder. On
 * Windows only programs proper: a batch file would be read by a shell.
 */
export async function findProgram(name: string, { env, platform }: ProgramPlace): Promise<string | null> {
  const endings = platform === 'win32' && !/\.(exe|com)$/i.test(name) ? ['.exe', '.com'] : ['']
  const folders = isAbsolute(name) ? [''] : /[\\/]/.test(name) ? [] : [...(env.PATH ?? env.Path ?? '').split(delimiter), ...(usual[platform] ?? [])]
  for (const folder of folders) {
    if (folder !== '' && !isAbsolute(folder)) continue
    for (const ending of endings) {
      const file = join(folder, `${name}${ending}`)
      if (await isProgram(file)) return realpath(file)
    }
  }
  return null
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK)
    return (await stat(file)).isFile()
  } catch {
    return false
  }
}
