import { inPrivateDesktop } from '../desktop.ts'
import { develop } from '../dev-app.ts'
import { ensureHost } from '../electron-binary.ts'

// Runs with a private keyring and profile, so that experiments in the dev app cannot change the user’s own data.
const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)
const host = await ensureHost()
process.stderr.write(`dev: on ${host.kind === 'electron' ? 'Electron' : 'the stand-in over Chromium'}; end it with Ctrl-C, or by its pid ${process.pid}\n`)
process.exit(await develop(host, process.argv.slice(2)))
