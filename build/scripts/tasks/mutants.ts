import { mutants } from '../../config/mutants.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { hunt } from '../mutants.ts'

const inside = await inPrivateDesktop({ inMemory: true })
if (inside !== null) process.exit(inside)

/** Rules, or folders of the product: `FLOW-02 shared/signing`. None: all. */
const wanted = process.argv.slice(2)
const chosen = mutants.filter(({ rule, file }) => wanted.length === 0 || wanted.some((one) => one === rule || file.startsWith(`${one}/`)))
const counts = { caught: 0, missed: 0, stale: 0 }
await hunt(chosen, ({ mutant, outcome, seconds }) => {
  counts[outcome] += 1
  process.stdout.write(`${outcome.padEnd(6)} ${mutant.rule} ${mutant.what} (${seconds.toFixed(1)} s)\n`)
})
process.stdout.write(`${counts.caught} caught, ${counts.missed} missed, ${counts.stale} stale\n`)
process.exit(chosen.length > 0 && counts.missed + counts.stale === 0 ? 0 : 1)
