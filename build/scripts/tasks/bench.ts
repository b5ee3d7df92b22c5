import { parseArgs } from 'node:util'
import { runBench } from '../../../e2e/bench/bench.ts'
import { ensureBuilt } from '../app-build.ts'
import { inPrivateDesktop } from '../desktop.ts'

const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)
await ensureBuilt('hooks')
const { values } = parseArgs({ options: { short: { type: 'boolean', default: false }, only: { type: 'string' }, seed: { type: 'string' } } })
process.exit(
  await runBench({
    rounds: values.short ? 1 : 7,
    ...(values.only === undefined ? {} : { only: values.only }),
    ...(values.seed === undefined ? {} : { seed: Number(values.seed) }),
  }),
)
