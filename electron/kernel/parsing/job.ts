import { z } from 'zod'

/**
 * Work on foreign bytes that a process of its own does. Main asks for it by this description and never loads the code that does it. What comes
 * back is checked against the schemas: a hostile file may have taken that process over.
 */
export interface Job<Given, Gives, News = never> {
  readonly name: string
  readonly gives: z.ZodType<Gives>
  /** What it reports while it works. */
  readonly news?: z.ZodType<News>
  /** The process ends when it says nothing for so long. */
  readonly quietMs: number
  /** For the compiler alone: what the job is given, as structured clone can carry it. */
  readonly given?: (given: Given) => void
}

/** `job<Given>()({ … })`: what it gives and reports follows from the schemas. */
export const job =
  <Given>() =>
  <Gives, News = never>(described: Omit<Job<Given, Gives, News>, 'given'>): Job<Given, Gives, News> =>
    described

export const resultOf = <T, F>(value: z.ZodType<T>, failure: z.ZodType<F>) =>
  z.discriminatedUnion('ok', [z.object({ ok: z.literal(true), value }), z.object({ ok: z.literal(false), failure })])

/** To the process. One is all it gets. */
export interface JobCall {
  readonly name: string
  readonly given: unknown
}

/** From the process: news, or at last the answer. */
export type JobMessage = { readonly news: unknown } | { readonly gives: unknown }

/** Exit code of a process that needed more memory than a job may have. */
export const outOfMemory = 86
