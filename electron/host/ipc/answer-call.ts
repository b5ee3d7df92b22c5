import type { Answer, AppEvent } from '../../../shared/ipc/contract.ts'
import type { Definition } from '../../../shared/ipc/define.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { ExpectedFailure, newReference } from '../../kernel/failures.ts'

/** Logs unexpected errors, each under the reference that the user sees. */
export interface ErrorLog {
  error(reference: string, what: string, error: unknown): void
}

/** A handler without static types. Types are checked where the handler is defined. */
export type AnyHandler = (input: unknown) => unknown
export type HandlerTable = Readonly<Record<string, AnyHandler>>

export interface CallParts {
  /** The contract of the calling window: all calls that it may make. */
  readonly definitions: Readonly<Record<string, Definition>>
  /** Returns the current handlers for a call; they change with the profile. If there is no handler for `name`, no profile is open. */
  readonly handlers: (name: string) => HandlerTable | Promise<HandlerTable>
  readonly log: ErrorLog
}

export type AnswerCall = (name: unknown, input: unknown) => Promise<Answer<unknown>>

/**
 * Answers one call from a window. Looks up the name only among own properties, so `toString` and `__proto__` are unknown. Checks input and output by
 * schema. Returns every error as a failure of the contract, so that no exception reaches the window.
 */
export function createAnswerCall({ definitions, handlers, log }: CallParts): AnswerCall {
  return async (name, input) => {
    if (typeof name !== 'string' || !Object.hasOwn(definitions, name)) return answer(fail({ kind: 'not_found', what: 'call' }))
    const definition = definitions[name]
    if (definition === undefined) return answer(fail({ kind: 'not_found', what: 'call' }))

    const parsed = definition.input.safeParse(input)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return answer(
        fail({
          kind: 'bad_input',
          field: issue === undefined || issue.path.length === 0 ? null : issue.path.join('.'),
          issue: `schema ${issue?.message ?? 'unreadable'}`,
        }),
      )
    }

    const offered = handlers(name)
    const table = offered instanceof Promise ? await offered : offered
    const handler = Object.hasOwn(table, name) ? table[name] : undefined
    if (handler === undefined) return answer(fail({ kind: 'no_profile' }))

    const invalidates = definition.kind === 'command' ? definition.invalidates : []
    try {
      const result = (await handler(parsed.data)) as Result<unknown, Failure>
      return answer(result.ok ? ok(definition.output.parse(result.value)) : result, invalidates)
    } catch (error) {
      if (error instanceof ExpectedFailure) return answer(fail(error.failure), invalidates)
      const reference = newReference()
      log.error(reference, name, error)
      return answer(fail({ kind: 'internal', reference }), invalidates)
    }
  }
}

const answer = (result: Result<unknown, Failure>, invalidates: readonly string[] = []): Answer<unknown> => ({ result, invalidates })

export interface LateNotices {
  /** Shows the notice when the next page is ready to receive events. */
  add(notice: Extract<AppEvent, { type: 'notice' }>): void
  /** Wraps the calls of a window to detect when a page is ready to receive events. */
  watch(answerCall: AnswerCall): AnswerCall
}

/** The first call of every page, made once it can receive events, even if the app is locked. */
const firstCall = 'lock.state'

/** Keeps notices until a page is ready, because events sent to a loading page are lost. */
export function createLateNotices(emit: (event: AppEvent) => void): LateNotices {
  let waiting: AppEvent[] = []
  return {
    add: (notice) => void waiting.push(notice),
    watch: (answerCall) => async (name, input) => {
      const answer = await answerCall(name, input)
      if (name === firstCall) {
        const due = waiting
        waiting = []
        for (const notice of due) emit(notice)
      }
      return answer
    },
  }
}
