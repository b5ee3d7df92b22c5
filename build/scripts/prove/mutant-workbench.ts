import { mutants } from '../../config/mutants.ts'
import { copyProject } from '../mutants.ts'
import { nameOf, withoutBreak } from './mutant-proof.ts'
import type { Workbench } from './proof.ts'

export async function open(): Promise<Workbench> {
  const copy = copyProject()
  const outcomeOf = async (item: string) => {
    if (item.startsWith(withoutBreak)) return (await copy.areGreen([item.slice(withoutBreak.length + 2)])) ? 'green' : 'red'
    const mutant = mutants.find((one) => nameOf(one) === item)
    if (mutant === undefined) throw new Error(`There is no planted break ${item}`)
    return copy.tryOut(mutant)
  }
  return {
    run: async (item) => {
      const started = performance.now()
      const outcome = await outcomeOf(item)
      return { outcome, seconds: (performance.now() - started) / 1_000 }
    },
    close: async () => copy.remove(),
  }
}
