import { findHost } from '../electron-binary.ts'
import { runTool } from '../project.ts'

const host = findHost({ mayDownload: true })
process.stderr.write(`dev: on ${host.kind === 'electron' ? 'Electron' : 'the stand-in over Chromium'}\n`)
process.exit((await runTool('electron-vite', ['dev', '--mode', 'hooks', ...process.argv.slice(2)], { env: { ELECTRON_EXEC_PATH: host.executable } })).code)
