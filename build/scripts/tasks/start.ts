import { ensureBuilt } from '../app-build.ts'
import { ensureHost } from '../electron-binary.ts'
import { root, run } from '../project.ts'

await ensureBuilt('product')
const host = await ensureHost()
process.stderr.write(host.kind === 'electron' ? 'start: on Electron\n' : 'start: no Electron binary could be had; on the stand-in over Chromium (e2e/host)\n')
if (host.kind === 'stand-in' && !process.env.DISPLAY && !process.env.WAYLAND_DISPLAY)
  process.stderr.write('start: there is no display, so the window cannot be seen; `npm run demo` shows pictures\n')
process.exit((await run(host.executable, [root, ...process.argv.slice(2)])).code)
