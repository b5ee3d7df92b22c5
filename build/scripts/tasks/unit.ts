import { inPrivateDesktop } from '../desktop.ts'
import { runTool } from '../project.ts'

const inside = await inPrivateDesktop({ inMemory: true })
process.exit(inside ?? (await runTool('vitest', ['run', '--config', 'build/config/vitest.config.ts', ...process.argv.slice(2)])).code)
