import type { z } from 'zod'

/** Reads something; may be repeated freely. */
export interface QueryDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'query'
  readonly input: I
  readonly output: O
}

/** Changes something; never repeated by itself. `invalidates` names the queries whose answers it makes old. */
export interface CommandDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType> {
  readonly kind: 'command'
  readonly input: I
  readonly output: O
  readonly invalidates: readonly string[]
}

export type Definition = QueryDefinition | CommandDefinition

export const query = <I extends z.ZodType, O extends z.ZodType>(input: I, output: O): QueryDefinition<I, O> => ({
  kind: 'query',
  input,
  output,
})

export const command = <I extends z.ZodType, O extends z.ZodType>(
  input: I,
  output: O,
  effects: { readonly invalidates: readonly string[] } = { invalidates: [] },
): CommandDefinition<I, O> => ({ kind: 'command', input, output, invalidates: effects.invalidates })
