// Downloads and installs an update in its own process, so that a test can kill the process. Prints each step. Arguments: the AppImage, the server’s
// address, the release’s file as JSON, and optionally a number. With a number, the process kills itself just before that file operation.
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { Agent } from 'undici'
import { ReleaseFile } from '../../../electron/host/updates/release-statement.ts'
import { createFeed, download, install } from '../../../electron/host/updates/update-files.ts'

const [, , file = '', address = '', described = '{}', killAt] = process.argv
const wanted = ReleaseFile.parse(JSON.parse(described))
const feed = createFeed(address, new Agent(), '0.1.0')

/** From now on, counts the file operations and kills the process just before operation `at`. */
function killBefore(at: number): void {
  let count = 0
  for (const name of ['chmod', 'copyFile', 'link', 'open', 'rename', 'rm', 'stat', 'unlink', 'writeFile'] as const) {
    const original: (...args: never[]) => unknown = promises[name]
    const counting = (...args: never[]): unknown => {
      count += 1
      if (count === at) process.kill(process.pid, 'SIGKILL')
      return original(...args)
    }
    Object.assign(promises, { [name]: counting })
  }
  syncBuiltinESMExports()
}

process.stdout.write('downloads\n')
const got = await download({ feed, file, wanted, progress: () => undefined })
process.stdout.write(`installs ${got.ok ? 'it' : got.failure}\n`)
if (killAt !== undefined) killBefore(Number(killAt))
const put = await install(file, wanted)
process.stdout.write(`done ${put.ok ? 'well' : put.failure}\n`)
await feed.close()
