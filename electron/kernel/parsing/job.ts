import { z } from 'zod'

/**
 * Describes work on untrusted bytes for a separate process. The main process never loads the code that does the work, only this description. Results
 * are validated, because a hostile file may have taken over that process.
 */
export interface Job<Given, Gives, News = never> {
  readonly name: string
  readonly gives: z.ZodType<Gives>
  /** The schema of progress messages; missing if the job reports no progress. */
  readonly news?: z.ZodType<News>
  /** Maximum time without a message, in ms. After that, the process is killed. */
  readonly quietMs: number
  /** Only for type checking: the job’s input. It must be cloneable by structured clone. */
  readonly given?: (given: Given) => void
}

/** Creates a job: `job<Given>()({ … })`. The caller names the type of the input; the types of the result and of progress follow from the schemas. */
export const job =
  <Given>() =>
  <Gives, News = never>(described: Omit<Job<Given, Gives, News>, 'given'>): Job<Given, Gives, News> =>
    described

export const resultOf = <T, F>(value: z.ZodType<T>, failure: z.ZodType<F>) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), failure })])

/** The message that starts a job. It is the only message that the parsing process receives. */
export interface JobCall {
  readonly name: string
  readonly given: unknown
}

/** A message from the parsing process: progress (`news`) or the result (`gives`). */
export type JobMessage = { readonly news: unknown } | { readonly gives: unknown }

/** Exit code of a parsing process that exceeded its memory limit. */
export const outOfMemory = 86
