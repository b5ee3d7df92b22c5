import type { z } from 'zod'
import type { Contract, Name, Output } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'

/** Takes the parsed input. Returns the output or an expected failure. Any thrown error except `ExpectedFailure` is a bug. */
export type Handler<N extends Name> = (input: z.output<Contract[N]['input']>) => Promise<Result<Output<N>, Failure>> | Result<Output<N>, Failure>

/** Handlers for some calls. A name outside the contract, a wrong input or a wrong output does not compile. */
export type Handlers<N extends Name = Name> = { readonly [K in N]: Handler<K> }

/** The handlers of a domain: all calls of the contract under its name. A new call therefore needs only an entry in the contract and a handler. */
export type HandlersOf<Domain extends string> = Handlers<Extract<Name, `${Domain}.${string}`>>
