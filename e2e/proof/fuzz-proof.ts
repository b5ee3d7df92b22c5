import { join } from 'node:path'
import type { Proof } from '../../build/scripts/prove/proof.ts'
import type { Fuzzed } from './fuzz.ts'
import { targets } from './fuzz-targets.ts'

/** Default number of minutes for each parser. Each minute is a separate item, so an interrupted proof repeats only unfinished minutes. */
const usual = 10
export const itemMs = 60_000

export const parsed = (item: string): { readonly target: string; readonly part: number } => {
  const cut = item.lastIndexOf(' ')
  return { target: item.slice(0, cut), part: Number(item.slice(cut + 1)) }
}

/**
 * Runs every parser of untrusted bytes with random inputs. A parser must not throw, exceed its time limit or leak memory. Command-line words: names
 * of parsers, and the number of minutes for each.
 */
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
