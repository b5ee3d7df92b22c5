import { join } from 'node:path'
import { mutants } from '../../config/mutants.ts'
import type { Mutant, Outcome } from '../mutants.ts'
import type { Proof } from './proof.ts'

/** The name of the test case that runs the tests without a mutant. If a test already fails then, its failures prove nothing about mutants. */
export const withoutBreak = 'without any break'

export const nameOf = ({ rule, what }: Mutant): string => `${rule} ${what}`

/**
 * Tries every mutant: each must make a test fail. Words on the command line choose mutants by rule or by folder of the product: `FLOW-02
 * shared/signing`.
 */
export const mutantProof: Proof<{ readonly outcome: Outcome | 'green' | 'red'; readonly seconds: number }> = {
  name: 'mutants',
  workbench: join(import.meta.dirname, 'mutant-workbench.ts'),
  workers: 2,
  limitMs: 20 * 60_000,
  items: (chosen) => {
    const wanted = mutants.filter(({ rule, file }) => chosen.length === 0 || chosen.some((one) => one === rule || file.startsWith(`${one}/`)))
    return wanted.length === 0 ? [] : [...new Set(wanted.flatMap(({ tests }) => tests))].map((test) => `${withoutBreak}: ${test}`).concat(wanted.map(nameOf))
  },
  line: (item, { outcome, seconds }) => (outcome === 'green' ? null : `${outcome.padEnd(6)} ${item} (${seconds.toFixed(1)} s)`),
  sum: (results) => {
    const of = (wanted: string) => [...results].filter(([, { outcome }]) => outcome === wanted).map(([item]) => item)
    const [caught, missed, stale, red] = [of('caught'), of('missed'), of('stale'), of('red')]
    return {
      line: `${caught.length} caught, ${missed.length} missed, ${stale.length} stale${red.length === 0 ? '' : `, ${red.length} tests red without any break: nothing is proven`}`,
      misses: [...missed.map((item) => `missed ${item}`), ...stale.map((item) => `stale ${item}`), ...red.map((item) => `red ${item}`)],
    }
  },
}
