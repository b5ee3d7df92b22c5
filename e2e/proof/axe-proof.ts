import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import { sets } from '../shots/shots.ts'

/** `problem`: the end of the test's output; null if axe found nothing. */
export interface AxeResult {
  readonly problem: string | null
}

/** Scans the states of every set of pictures with axe. The end-to-end tests scan the most important sets. */
export const axeProof: Proof<AxeResult> = {
  name: 'axe',
  workbench: join(import.meta.dirname, 'axe-workbench.ts'),
  workers: 2,
  limitMs: 20 * 60_000,
  items: (chosen) => sets.map(({ name }) => name).filter((name) => chosen.length === 0 || chosen.includes(name)),
  line: (name, { problem }) => (problem === null ? null : `${name}: ${problem}`),
  sum: (results) => {
    const misses = [...results].flatMap(([name, { problem }]) => (problem === null ? [] : [name]))
    return { line: `${results.size} sets of pictures, ${misses.length} with findings`, misses }
  },
}
