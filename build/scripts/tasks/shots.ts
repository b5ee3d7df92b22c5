import { takeShots } from '../../../e2e/shots/shots.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'

const inside = await inPrivateDesktop({ inMemory: true })
if (inside !== null) process.exit(inside)
await ensureBuilt('hooks')
process.exit(await takeShots(process.argv.slice(2)))
