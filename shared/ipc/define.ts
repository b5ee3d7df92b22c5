import type { z } from 'zod'

/**
 * Whose an answer is. wallet: it belongs to the wallet that is shown and is dropped with it (AUTH-03); so is one of which nobody is sure. app: it is the
 * same whichever wallet is connected.
 */
type Scope = 'wallet' | 'app'

/** Reads something; may be repeated freely. */
export interface QueryDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, Of extends Scope = Scope> {
  readonly kind: 'query'
  readonly input: I
  readonly output: O
  readonly of: Of
}

/** Changes something; never repeated by itself. `invalidates` names the queries whose answers it makes old. */
export interface CommandDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, Old extends string = string> {
  readonly kind: 'command'
  readonly input: I
  readonly output: O
  readonly invalidates: readonly Old[]
}

export type Definition = QueryDefinition | CommandDefinition

export const query = <I extends z.ZodType, O extends z.ZodType, Of extends Scope>(input: I, output: O, of: Of): QueryDefinition<I, O, Of> => ({
  kind: 'query',
  input,
  output,
  of,
})

export const command = <I extends z.ZodType, O extends z.ZodType, const Old extends string = never>(
  input: I,
  output: O,
  effects: { readonly invalidates: readonly Old[] } = { invalidates: [] },
): CommandDefinition<I, O, Old> => ({ kind: 'command', input, output, invalidates: effects.invalidates })

type QueryIn<C> = { [N in keyof C]: C[N] extends QueryDefinition ? N : never }[keyof C]

/** What a contract must be for each name in `invalidates` to be one of its own queries: a command that names another has the wrong name for its type. */
export type NamesItsQueries<C> = {
  readonly [N in keyof C]: C[N] extends CommandDefinition<z.ZodType, z.ZodType, infer Old>
    ? [Exclude<Old, QueryIn<C>>] extends [never]
      ? C[N]
      : Exclude<Old, QueryIn<C>>
    : C[N]
}
