import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import type { Fuzzed } from './fuzz.ts'
import { targets } from './fuzz-targets.ts'

/** Minutes a reader, unless told. Each is a part that an interrupted proof does not try again. */
const usual = 10
export const itemMs = 60_000

export const parsed = (item: string): { readonly target: string; readonly part: number } => {
  const cut = item.lastIndexOf(' ')
  return { target: item.slice(0, cut), part: Number(item.slice(cut + 1)) }
}

/** Every reader of foreign bytes, over drawn inputs: it throws nothing, costs no more than it may, and holds no memory. Chosen by names of readers, and by a number of minutes for each. */
export const fuzzProof: Proof<Fuzzed> = {
  name: 'fuzz',
  workbench: join(import.meta.dirname, 'fuzz-workbench.ts'),
  workers: 2,
  limitMs: 5 * 60_000,
  items: (chosen) => {
    const minutes = chosen.find((one) => /^\d{1,3}$/.test(one))
    const names = chosen.filter((one) => one !== minutes)
    const parts = Array.from({ length: minutes === undefined ? usual : Number(minutes) }, (_none, part) => part)
    return parts.flatMap((part) =>
      Object.keys(targets)
        .filter((name) => names.length === 0 || names.includes(name))
        .map((name) => `${name} ${part}`),
    )
  },
  line: (item, { inputs, dearest, grownMiB, faults }) =>
    `${item}: ${inputs} inputs, dearest ${dearest.ms} ms (${dearest.seed}), ${grownMiB} MiB${faults.length === 0 ? '' : `, ${faults.length} faults`}`,
  sum: (results) => {
    const all = [...results.values()]
    const inputs = all.reduce((sum, one) => sum + one.inputs, 0)
    const misses = all.flatMap(({ target, faults }) => faults.map((fault) => `${target} ${fault}`))
    return { line: `${inputs} inputs to ${new Set(all.map(({ target }) => target)).size} readers, ${misses.length} faults`, misses }
  },
}
