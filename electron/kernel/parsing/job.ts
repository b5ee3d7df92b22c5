import { z } from 'zod'

/**
 * Describes work on untrusted bytes that a separate process does. The main process requests it by this description and never loads its code. Results
 * are checked against the schemas, because a hostile file may have taken over that process.
 */
export interface Job<Given, Gives, News = never> {
  readonly name: string
  readonly gives: z.ZodType<Gives>
  /** The progress that the job reports. */
  readonly news?: z.ZodType<News>
  /** The longest time without a message, ms. After that, the process is ended. */
  readonly quietMs: number
  /** Only for the compiler: the job's input, which structured clone must be able to carry. */
  readonly given?: (given: Given) => void
}

/** `job<Given>()({ … })`: infers results and progress from the schemas. */
export const job =
  <Given>() =>
  <Gives, News = never>(described: Omit<Job<Given, Gives, News>, 'given'>): Job<Given, Gives, News> =>
    described

export const resultOf = <T, F>(value: z.ZodType<T>, failure: z.ZodType<F>) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), failure })])

/** The only message that the main process sends to the parsing process. */
export interface JobCall {
  readonly name: string
  readonly given: unknown
}

/** A message from the parsing process: progress, or finally the result. */
export type JobMessage = { readonly news: unknown } | { readonly gives: unknown }

/** Exit code of a process that needed more memory than a job may use. */
export const outOfMemory = 86
