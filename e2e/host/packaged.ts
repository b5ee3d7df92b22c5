import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { extractFile, listPackage, statFile } from '@electron/asar'
import { readSwitch } from './invocation.ts'

/**
 * Electron reads a package’s archive in place; Node cannot. Copies the archive into the user data folder, once per content, and returns the copy.
 * Compares each file with the hash in the archive, as Electron does on macOS and Windows. Throws if one differs.
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
    // A second instance copied it at the same time.
    rmSync(draft, { recursive: true, force: true })
  }
  return target
}

/** The switches by which Playwright drives Electron. */
const drives = (word: string): boolean => /^--(inspect|remote-debugging-port)=/.test(word)

/**
 * The arguments that a packaged app sees. It refuses the switches by which a test drives Electron, so the stand-in keeps them to itself if the test
 * asks for this with `SVC_DESK_HOST_DRIVEN=1`.
 */
export const seenByApp = (argv: readonly string[], env: NodeJS.ProcessEnv): string[] => argv.filter((word) => env.SVC_DESK_HOST_DRIVEN !== '1' || !drives(word))
