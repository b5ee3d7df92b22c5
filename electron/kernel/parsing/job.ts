import { z } from 'zod'

/**
 * Describes work on untrusted bytes in a separate process. The main process loads only this description, never the code that does the work. It
 * validates the results, because a hostile file may have taken over that process.
 */
export interface Job<Given, Gives, News = never> {
  readonly name: string
  readonly gives: z.ZodType<Gives>
  /** The schema of progress messages; undefined if the job reports no progress. */
  readonly news?: z.ZodType<News>
  /** Maximum time between two messages, in ms. After that, the app kills the process. */
  readonly quietMs: number
  /** Exists only for type checking: the type of the job’s input. Structured clone must be able to copy the input. */
  readonly given?: (given: Given) => void
}

/**
 * Creates a job: `job<Given>()({ … })`. The caller names the type of the input. The schemas determine the types of the result and of the progress
 * messages.
 */
export const job =
  <Given>() =>
  <Gives, News = never>(described: Omit<Job<Given, Gives, News>, 'given'>): Job<Given, Gives, News> =>
    described

export const resultOf = <T, F>(value: z.ZodType<T>, failure: z.ZodType<F>) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), failure })])

/** The message that starts a job. The parsing process receives no other message. */
export interface JobCall {
  readonly name: string
  readonly given: unknown
}

/** A message from the parsing process: progress (`news`) or the result (`gives`). */
export type JobMessage = { readonly news: unknown } | { readonly gives: unknown }

/** Exit code of a parsing process that exceeded its memory limit. */
export const outOfMemory = 86
