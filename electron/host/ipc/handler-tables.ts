import type { Handlers } from '../../kernel/handlers.ts'
import type { CallParts, HandlerTable } from './answer-call.ts'

interface OpenProfile {
  readonly handlers: Partial<Handlers>
}

export interface HandlerTablesParts {
  /** Of what belongs to no profile: there at any time. */
  readonly always: Partial<Handlers>
  readonly desk: {
    /** null while none is open, or one is being exchanged for another. */
    current(): OpenProfile | null
    settled(): Promise<OpenProfile | null>
  }
}

/** Where a call finds its handler: at the app, else at the open profile; while profiles are exchanged it waits for the next one. */
export function createHandlerTables({ always, desk }: HandlerTablesParts): CallParts['handlers'] {
  const own = tableOf(always)
  return (name) => {
    if (Object.hasOwn(own, name)) return own
    const open = desk.current()
    return open === null ? desk.settled().then((settled) => tableOf(settled?.handlers ?? {})) : tableOf(open.handlers)
  }
}

/** Each name's handler takes its own input, checked by `createAnswerCall`; as one table they share a signature. */
export const tableOf = (handlers: Partial<Handlers>): HandlerTable => handlers as HandlerTable
