import type { Workbench } from '../proof.ts'

/** Tries items as a test commands: `double 4`, `throw`, `die`, `hang`. */
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
