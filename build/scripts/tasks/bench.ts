import { runBench } from '../../../e2e/bench/bench.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'

const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)
await ensureBuilt('hooks')
process.exit(await runBench({ rounds: process.argv.includes('--short') ? 1 : 7 }))
