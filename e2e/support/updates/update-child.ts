// Downloads and installs an update in its own process, so that a test can kill the process. Prints each step. Arguments: the AppImage, the server's
// address, and the release's file as JSON.
import { Agent } from 'undici'
import { ReleaseFile } from '../../../electron/host/updates/release-statement.ts'
import { createFeed, download, install } from '../../../electron/host/updates/update-files.ts'

const [, , file = '', address = '', described = '{}'] = process.argv
const wanted = ReleaseFile.parse(JSON.parse(described))
const feed = createFeed(address, new Agent(), '0.1.0')
process.stdout.write('downloads\n')
const got = await download({ feed, file, wanted, progress: () => undefined })
process.stdout.write(`installs ${got.ok ? 'it' : got.failure}\n`)
const put = await install(file, wanted)
process.stdout.write(`done ${put.ok ? 'well' : put.failure}\n`)
await feed.close()
