import { performJob, performs } from '../../../electron/kernel/parsing/perform.ts'
import { rogueJob } from './rogue-jobs.ts'

const kept: unknown[] = []

await performJob([
  performs(rogueJob, async (given, tell) => {
    switch (given) {
      case 'answer':
        tell(1)
        return 'answered'
      case 'loop':
        for (;;);
      case 'heap':
        for (;;) kept.push(new Array(1_000_000).fill(kept))
      case 'buffers':
        for (;;) {
          kept.push(Buffer.alloc(4 * 1_048_576, 1))
          await new Promise((resolve) => setImmediate(resolve))
        }
      case 'throw':
        throw new Error('as parsers do')
      case 'exit':
        return process.exit(0)
      case 'shape':
        return 7 as unknown as string
      case 'news':
        tell(11)
        return 'answered'
      case 'prompt':
        // Reports progress every second. The whole job takes longer than `quietMs`, the longest allowed silence, but no pause between reports does.
        for (let time = 0; time < 6; time += 1) {
          await new Promise((resolve) => setTimeout(resolve, 1_000))
          tell(time)
        }
        return 'answered'
      case 'env':
        return Object.keys(process.env).join()
    }
  }),
])
