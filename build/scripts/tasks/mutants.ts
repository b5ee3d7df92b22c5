import { mutants } from '../../config/mutants.ts'
import { inPrivateDesktop } from '../desktop.ts'
import { hunt } from '../mutants.ts'

const inside = await inPrivateDesktop()
if (inside !== null) process.exit(inside)

const wanted = process.argv.slice(2)
const chosen = mutants.filter(({ rule }) => wanted.length === 0 || wanted.includes(rule))
const counts = { caught: 0, missed: 0, stale: 0 }
await hunt(chosen, ({ mutant, outcome, seconds }) => {
  counts[outcome] += 1
  process.stdout.write(`${outcome.padEnd(6)} ${mutant.rule} ${mutant.what} (${seconds.toFixed(1)} s)\n`)
})
process.stdout.write(`${counts.caught} caught, ${counts.missed} missed, ${counts.stale} stale\n`)
process.exit(chosen.length > 0 && counts.missed + counts.stale === 0 ? 0 : 1)
