import type { z } from 'zod'

/**
 * Whether an answer depends on the wallet. wallet: the answer belongs to the shown wallet, and the app drops it when the wallet changes (AUTH-03).
 * app: the answer is the same for every wallet. If in doubt, use wallet.
 */
type Scope = 'wallet' | 'app'

/** A call that only reads, so it is safe to repeat. */
export interface QueryDefinition<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, Of extends Scope = Scope> {
  readonly kind: 'query'
  readonly input: I
  readonly output: O
  readonly of: Of
}

/** A call that changes something, so the app never repeats it automatically. `invalidates`: the queries whose answers are stale afterwards. */
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

/** A type check that `invalidates` contains only names of queries in the contract. Any other name is a compile error. */
export type NamesItsQueries<C> = {
  readonly [N in keyof C]: C[N] extends CommandDefinition<z.ZodType, z.ZodType, infer Old>
    ? [Exclude<Old, QueryIn<C>>] extends [never]
      ? C[N]
      : Exclude<Old, QueryIn<C>>
    : C[N]
}
