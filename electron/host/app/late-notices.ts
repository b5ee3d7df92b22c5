import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

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
