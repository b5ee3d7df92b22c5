import { z } from 'zod'
import { job } from '../../../electron/kernel/parsing/job.ts'

/** The attacks that a hostile file might start in the process that reads the file, for example a loop, a crash or a malformed result. */
export const rogueJob = job<'answer' | 'loop' | 'heap' | 'buffers' | 'throw' | 'exit' | 'shape' | 'news' | 'prompt' | 'env'>()({
  name: 'rogue',
  gives: z.string(),
  news: z.number().max(10),
  quietMs: 3_000,
})
export const unknownJob = job<null>()({ name: 'unknown', gives: z.string(), quietMs: 5_000 })
