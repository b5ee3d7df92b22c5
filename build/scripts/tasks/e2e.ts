import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { runTool } from '../project.ts'

const inside = await inPrivateDesktop({ inMemory: true })
if (inside !== null) process.exit(inside)
await ensureBuilt('product')
await ensureBuilt('hooks')
process.exit((await runTool('playwright', ['test', '--config', 'build/config/playwright.config.ts', ...process.argv.slice(2)])).code)
