import { z } from 'zod'
import { job } from '../../../electron/kernel/parsing/job.ts'

/** Simulates attacks of a hostile file on the process that parses it, for example an endless loop, a crash or a malformed result. */
export const rogueJob = job<'answer' | 'loop' | 'heap' | 'buffers' | 'throw' | 'exit' | 'shape' | 'news' | 'prompt' | 'env'>()({
  name: 'rogue',
  gives: z.string(),
  news: z.number().max(10),
  quietMs: 5_000,
})
export const unknownJob = job<null>()({ name: 'unknown', gives: z.string(), quietMs: 5_000 })
