import type { ReceiverGot, ReceiverTestCheck, ReceiverWhy } from '../../../shared/ipc/webhooks/receiver-test.ts'
import type { Attempted } from './driver.ts'

export type Judged = Pick<ReceiverTestCheck, 'result' | 'why'>
type Plain = 'nothing_answered' | 'not_redirected' | 'other_prefix' | 'refused_as_valid' | 'not_tried' | 'stopped' | 'out_of_time' | 'effects_unseen'

const whyOf = (why: ReceiverWhy | Plain): ReceiverWhy => (typeof why === 'string' ? { code: why } : why)

export const passed = (why: ReceiverWhy | Plain): Judged => ({ result: 'passed', why: whyOf(why) })
export const failed = (why: ReceiverWhy | Plain): Judged => ({ result: 'failed', why: whyOf(why) })
export const unknown = (why: ReceiverWhy | Plain): Judged => ({ result: 'unknown', why: whyOf(why) })

/** Whether the receiver accepted the delivery: any 2xx within 4 s. An answer that came later has no status (HOOK-08). */
export const isTaken = ({ answer }: Attempted): boolean => answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300
export const isRedirect = ({ answer }: Attempted): boolean => answer.outcome === 'answered' && answer.status >= 300 && answer.status < 400

export const gotOf = ({ answer }: Pick<Attempted, 'answer'>): ReceiverGot => ({
  outcome: answer.outcome,
  status: answer.outcome === 'answered' ? answer.status : null,
  code: 'code' in answer ? answer.code : '',
})

/** Judges deliveries that the receiver must answer with 2xx. */
export function judgeTaken(all: readonly Attempted[]): Judged {
  const wrong = all.filter((one) => !isTaken(one))
  const [first] = wrong
  const count = all.length
  if (first === undefined) return passed({ code: 'taken', count, retried: all.filter(({ attempt }) => attempt > 1).length })
  return failed({ code: 'not_taken', count, types: [...new Set(wrong.map(({ event }) => event.type))], got: gotOf(first), attempt: first.attempt })
}

/** Judges deliveries that the receiver must answer, but not with 2xx. */
export function judgeRefused(all: readonly Attempted[]): Judged {
  const taken = all.find(isTaken)
  if (taken !== undefined) return failed({ code: 'forged_taken', got: gotOf(taken) })
  const silent = all.find(({ answer }) => answer.outcome !== 'answered')
  return silent === undefined ? passed({ code: 'refused' }) : failed({ code: 'forged_unanswered', got: gotOf(silent) })
}
