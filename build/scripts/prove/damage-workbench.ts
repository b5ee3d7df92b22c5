import { createDamageBench } from '../../../e2e/support/journal/damages.ts'
import { perItem } from './damage-proof.ts'
import type { Workbench } from './proof.ts'

export async function open(): Promise<Workbench> {
  const bench = createDamageBench()
  return {
    run: async (item) => Array.from({ length: perItem }, (_none, index) => bench.run(Number(item) * perItem + index)),
    close: async () => bench.remove(),
  }
}
