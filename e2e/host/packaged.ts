import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { readSwitch } from './invocation.ts'

/**
 * Electron reads a package’s archive directly; Node cannot. So this function copies the archive into the user data folder, once for each version of
 * the archive, and returns the copy. As Electron does on macOS and Windows, it compares each file with its hash in the archive and throws if they
 * differ.
 */
export function openArchive(resources: string, argv: readonly string[]): string {
  const data = readSwitch(argv, 'user-data-dir')
  if (data === undefined) throw new Error('stand-in: a packaged app needs --user-data-dir')
  const archive = join(resources, 'app.asar')
  const target = join(data, `stand-in-app-${createHash('sha256').update(readFileSync(archive)).digest('hex').slice(0, 16)}`)
  if (existsSync(target)) return target
  const draft = `${target}.${process.pid}`
  for (const path of listPackage(archive, { isPack: false })) {
    const file = path.replace(/^\//, '')
    const entry = statFile(archive, file, false)
    if ('files' in entry) continue
    const content = extractFile(archive, file)
    if (!('integrity' in entry) || createHash('sha256').update(content).digest('hex') !== entry.integrity?.hash)
      throw new Error(`stand-in: ${file} is not what was packaged`)
    mkdirSync(dirname(join(draft, file)), { recursive: true })
    writeFileSync(join(draft, file), content)
  }
  try {
    renameSync(draft, target)
  } catch {
    // Another instance copied the archive at the same time, so this copy is not needed.
    rmSync(draft, { recursive: true, force: true })
  }
  return target
}

/** Whether an argument is one of the switches with which Playwright controls Electron. */
const drives = (word: string): boolean => /^--(inspect|remote-debugging-port)=/.test(word)

/**
 * The arguments that a packaged app sees. The app refuses the switches with which tests control Electron. If a test sets `SVC_DESK_HOST_DRIVEN=1`,
 * the stand-in for Electron therefore hides these switches from the app.
 */
export const seenByApp = (argv: readonly string[], env: NodeJS.ProcessEnv): string[] => argv.filter((word) => env.SVC_DESK_HOST_DRIVEN !== '1' || !drives(word))
