import type { TerminalRequest } from '../../shared/ipc/keys/secrets.ts'
import { fail, ok } from '../../shared/result.ts'
import { type Clock, minute } from '../../shared/time.ts'
import type { Handlers } from '../kernel/handlers.ts'
import type { BoundRequest, Grants } from './grants.ts'

/** granted_before: by a grant, without asking. expired: nobody answered. withdrawn: the command ended. busy: too many wait already. */
export type Verdict = 'granted' | 'granted_before' | 'denied' | 'expired' | 'withdrawn' | 'busy'

export interface Approvals {
  /** Asks the user, unless a grant answers. `asking` is called when somebody has to be waited for. */
  ask(request: Omit<BoundRequest, 'id' | 'atMs' | 'expiresAtMs'>, asking: () => void, gone: AbortSignal): Promise<Verdict>
  readonly handlers: Handlers<'terminal.pending' | 'terminal.answer' | 'terminal.grants' | 'terminal.forget'>
}

export interface ApprovalsDeps {
  readonly grants: Grants
  readonly clock: Clock
  readonly newId: () => string
  /** The list of requests is another one now. */
  readonly changed: () => void
  /** Brings the window forward: a question waits there. */
  readonly attract: () => void
}

export const patienceMs = minute
const mostWaiting = 8

export function createApprovals({ grants, clock, newId, changed, attract }: ApprovalsDeps): Approvals {
  const waiting = new Map<string, { readonly request: BoundRequest; readonly settle: (verdict: Verdict) => void }>()

  return {
    async ask(asked, asking, gone) {
      const atMs = clock.now()
      const request: BoundRequest = { ...asked, id: newId(), atMs, expiresAtMs: atMs + patienceMs }
      if (gone.aborted) return 'withdrawn'
      if (grants.use(request) !== null) return 'granted_before'
      if (waiting.size >= mostWaiting) return 'busy'
      const { promise, resolve } = Promise.withResolvers<Verdict>()
      const timer = setTimeout(() => resolve('expired'), patienceMs)
      const withdraw = () => resolve('withdrawn')
      gone.addEventListener('abort', withdraw, { once: true })
      waiting.set(request.id, { request, settle: resolve })
      asking()
      changed()
      attract()
      const verdict = await promise
      clearTimeout(timer)
      gone.removeEventListener('abort', withdraw)
      waiting.delete(request.id)
      changed()
      return verdict
    },
    handlers: {
      'terminal.pending': () => ok([...waiting.values()].map(({ request: { print: _, storedAtMs: __, ...shown } }): TerminalRequest => shown)),
      'terminal.answer'({ id, answer }) {
        const found = waiting.get(id)
        if (found === undefined) return fail({ kind: 'not_found', what: 'request' })
        if (answer === 'always') grants.add(found.request)
        // The next question for it comes with the next answer: this one is over at once.
        waiting.delete(id)
        found.settle(answer === 'deny' ? 'denied' : 'granted')
        return ok({})
      },
      'terminal.grants': () => ok(grants.list()),
      'terminal.forget': ({ id }) => (grants.remove(id) ? ok({}) : fail({ kind: 'not_found', what: 'grant' })),
    },
  }
}
