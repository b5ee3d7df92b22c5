import type { AppEvent } from '../../../shared/ipc/contract.ts'
import type { AnswerCall } from '../ipc/answer-call.ts'

export interface LateNotices {
  /** Shows it once the next page listens. */
  add(notice: Extract<AppEvent, { type: 'notice' }>): void
  /** Answers as `answerCall` does, and hears from each page when it listens. */
  watch(answerCall: AnswerCall): AnswerCall
}

/** The first that a page asks when it has drawn its frame, by when it listens; also while it is locked. */
const firstCall = 'lock.state'

/** Keeps notices for a page that is not there yet: what is sent to a window that loads is lost. */
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
