import type { Answer, AppEvent } from '../../../shared/ipc/contract.ts'
import type { Definition } from '../../../shared/ipc/define.ts'
import { askedWhileLocked } from '../../../shared/ipc/host/carried-over.ts'
import { fail } from '../../../shared/result.ts'
import type { Confirm, FileDialogs } from '../../kernel/files/dialogs.ts'
import type { SecretClipboard } from '../../keys/delivery/clipboard.ts'
import type { SecretOutlets } from '../../keys/delivery/secret-handlers.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

const refusal: Answer<unknown> = { result: fail({ kind: 'locked' }), invalidates: [] }

/**
 * While the app is locked, allows only the calls that the lock page needs. If the app locks during a read, withholds the result. If the app locks
 * during a change, still returns the result.
 */
export function guardCalls(answerCall: AnswerCall, definitions: Readonly<Record<string, Definition>>, locked: () => boolean): AnswerCall {
  const free = (name: unknown) => typeof name === 'string' && askedWhileLocked.has(name)
  const reads = (name: unknown) => typeof name === 'string' && Object.hasOwn(definitions, name) && definitions[name]?.kind === 'query'
  return async (name, input) => {
    if (locked() && !free(name)) return refusal
    const answer = await answerCall(name, input)
    return locked() && reads(name) && !free(name) ? refusal : answer
  }
}

/** Maximum number of notices to keep while the app is locked. If there are more, the app drops the oldest ones. */
const mostHeld = 20

export interface GuardedEvents {
  /**
   * Sends an event to the windows. While the app is locked, sends only the events that a locked window may receive. Keeps notices until the app is
   * unlocked, because they contain amounts and labels.
   */
  send(event: AppEvent): void
  waiting(): number
  release(): void
}

export function guardEvents(emit: (event: AppEvent) => void, locked: () => boolean): GuardedEvents {
  let held: AppEvent[] = []
  return {
    send(event) {
      if (!locked()) {
        emit(event)
        return
      }
      if (event.type === 'reload') emit(event)
      if (event.type === 'invalidate') {
        const queries = event.queries.filter((name) => askedWhileLocked.has(name))
        if (queries.length > 0) emit({ type: 'invalidate', queries })
      }
      if (event.type === 'notice') {
        held = [...held, event].slice(-mostHeld)
        emit({ type: 'invalidate', queries: ['lock.state'] })
      }
    },
    waiting: () => held.length,
    release() {
      const events = held
      held = []
      for (const event of events) emit(event)
    },
  }
}

interface Outlets {
  readonly confirm: Confirm
  readonly files: FileDialogs
  readonly reveal: SecretOutlets['reveal']
  readonly clipboard: SecretClipboard
}

/**
 * While the app is locked, ignores the user’s answers in dialogs, and neither shows nor copies a secret. A dialog that was open before the lock has
 * no effect either.
 */
export function guardOutlets({ confirm, files, reveal, clipboard }: Outlets, locked: () => boolean): Outlets {
  const whileOpen = (path: string | null) => (locked() ? null : path)
  return {
    confirm: async (question) => (await confirm(question)) && !locked(),
    files: {
      ...files,
      chooseFolder: async (question) => whileOpen(await files.chooseFolder(question)),
      chooseToOpen: async (question) => whileOpen(await files.chooseToOpen(question)),
      chooseToSave: async (question) => whileOpen(await files.chooseToSave(question)),
    },
    reveal: (label, secret) => (locked() ? { closesInMs: 0 } : reveal(label, secret)),
    clipboard: { ...clipboard, copySecret: async (secret) => (locked() ? { clearsInMs: 0 } : clipboard.copySecret(secret)) },
  }
}
