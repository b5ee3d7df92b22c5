import type { Workbench } from '../../build/scripts/prove/proof.ts'
import { fuzz } from './fuzz.ts'
import { itemMs, parsed } from './fuzz-proof.ts'
import { targets } from './fuzz-targets.ts'

export async function open(): Promise<Workbench> {
  return {
    run: async (item) => {
      const { target, part } = parsed(item)
      const open = targets[target]
      if (open === undefined) throw new Error(`There is no reader ${target}`)
      return fuzz(open, { from: part * 10_000_000, inputs: Number.POSITIVE_INFINITY, forMs: itemMs })
    },
    close: async () => {},
  }
}
