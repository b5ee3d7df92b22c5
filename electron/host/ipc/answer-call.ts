import type { Answer, AppEvent } from '../../../shared/ipc/contract.ts'
import type { Definition } from '../../../shared/ipc/define.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { ExpectedFailure, newReference } from '../../kernel/failures.ts'

/** Receives unexpected errors, under the reference that the renderer shows. */
export interface ErrorLog {
  error(reference: string, what: string, error: unknown): void
}

/** A handler without static types. Its types were checked where it was defined. */
export type AnyHandler = (input: unknown) => unknown
export type HandlerTable = Readonly<Record<string, AnyHandler>>

export interface CallParts {
  /** The contract that the calling window may use. */
  readonly definitions: Readonly<Record<string, Definition>>
  /** Returns the handlers for a call, because the services change with the profile. If no handler has this name, no profile is open. */
  readonly handlers: (name: string) => HandlerTable | Promise<HandlerTable>
  readonly log: ErrorLog
}

export type AnswerCall = (name: unknown, input: unknown) => Promise<Answer<unknown>>

/**
 * Answers one call: looks up the name among own properties (so `toString` and `__proto__` are unknown), checks the input by schema, calls the
 * handler, and checks the output by schema. Every error becomes a failure of the closed union; no exception reaches the window.
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
  /** Shows the notice once the next page listens. */
  add(notice: Extract<AppEvent, { type: 'notice' }>): void
  /** Wraps `answerCall` to detect when each page starts to listen. */
  watch(answerCall: AnswerCall): AnswerCall
}

/** The first call of a page once it can receive events. A locked page makes this call too. */
const firstCall = 'lock.state'

/** Keeps notices until a page listens, because an event sent to a loading window is lost. */
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
