import { demonstrate } from '../../../e2e/demo.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { ensureHost } from '../electron-binary.ts'

// Runs with a private keyring, because the demo’s key is only for play money and must not remain in the user’s keychain.
const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)
await ensureBuilt('product')
const host = await ensureHost()
process.stdout.write(host.kind === 'electron' ? 'on Electron\n' : 'on the stand-in for Electron (no binary could be had)\n')
process.exit(await demonstrate(host))
