import type { z } from 'zod'
import type { Contract, Name, Output } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'

/** Takes the parsed input; gives the output or an expected failure. Anything thrown is a bug, but for `ExpectedFailure`. */
export type Handler<N extends Name> = (input: z.output<Contract[N]['input']>) => Promise<Result<Output<N>, Failure>> | Result<Output<N>, Failure>

/** Of some calls: a name outside the contract, a wrong input or a wrong output does not type-check. */
export type Handlers<N extends Name = Name> = { readonly [K in N]: Handler<K> }

/** What a domain contributes: all calls of the contract under its name, so that a new one is written there and as a handler, and nowhere else. */
export type HandlersOf<Domain extends string> = Handlers<Extract<Name, `${Domain}.${string}`>>
