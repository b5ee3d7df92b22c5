import type { Workbench } from '../proof.ts'

/**
 * Opens a workbench for tests. The item’s text determines what its run does: `double 4` returns 8, `throw` throws, `die` exits, `hang` never
 * finishes.
 */
export async function open(): Promise<Workbench> {
  return {
    run: async (item) => {
      const [verb, number] = item.split(' ')
      if (verb === 'throw') throw new Error('on purpose')
      if (verb === 'die') process.exit(3)
      if (verb === 'hang') return new Promise(() => {})
      return { pid: process.pid, value: 2 * Number(number) }
    },
    close: async () => {},
  }
}
