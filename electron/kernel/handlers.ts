import type { z } from 'zod'
import type { Contract, Name, Output } from '../../shared/ipc/contract.ts'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { Result } from '../../shared/result.ts'

/** Handles a call: gets the validated input, and returns the output or an expected failure. Any thrown error except `ExpectedFailure` is a bug. */
export type Handler<N extends Name> = (input: z.output<Contract[N]['input']>) => Promise<Result<Output<N>, Failure>> | Result<Output<N>, Failure>

/** Handlers for some calls of the contract. Unknown names and wrong input or output types do not compile. */
export type Handlers<N extends Name = Name> = { readonly [K in N]: Handler<K> }

/** The handlers of all calls in one domain of the contract, such as `keys.…`. A new call needs only an entry in the contract and a handler. */
export type HandlersOf<Domain extends string> = Handlers<Extract<Name, `${Domain}.${string}`>>
