import { outcomeText } from '../subscriptions/post.ts'
import type { Attempted } from './driver.ts'
import type { CheckResult } from './report.ts'

export interface Judged {
  readonly result: CheckResult
  readonly why: string
}

export const passed = (why: string): Judged => ({ result: 'passed', why })
export const failed = (why: string): Judged => ({ result: 'failed', why })
export const unknown = (why: string): Judged => ({ result: 'unknown', why })

/** Any 2xx within 4 s; what came later has no status (HOOK-08). */
export const isTaken = ({ answer }: Attempted): boolean => answer.outcome === 'answered' && answer.status >= 200 && answer.status < 300
export const isRedirect = ({ answer }: Attempted): boolean => answer.outcome === 'answered' && answer.status >= 300 && answer.status < 400

const statusText = ({ answer }: Attempted) => (answer.outcome === 'answered' ? `answered ${answer.status}` : outcomeText(answer))

/** What must be answered 2xx. */
export function judgeTaken(all: readonly Attempted[], what: string): Judged {
  const wrong = all.filter((one) => !isTaken(one))
  const [first] = wrong
  if (first === undefined) {
    const again = all.filter(({ attempt }) => attempt > 1).length
    return passed(`${what}: answered 2xx${again === 0 ? '' : `, ${again} of ${all.length} after a retry`}`)
  }
  const types = [...new Set(wrong.map(({ event }) => event.type))]
  return failed(`${what}: ${types.join(', ')}: ${statusText(first)}${first.attempt > 1 ? ` at attempt ${first.attempt}` : ''}, where 2xx is due`)
}

/** What must be answered otherwise than 2xx, and answered. */
export function judgeRefused(all: readonly Attempted[], what: string): Judged {
  const taken = all.find(isTaken)
  if (taken !== undefined) return failed(`${what}: ${statusText(taken)}, where a refusal such as 401 is due`)
  const silent = all.find(({ answer }) => answer.outcome !== 'answered')
  if (silent !== undefined) return failed(`${what}: ${statusText(silent)}; a refusal is a status such as 401`)
  return passed(`${what}: refused`)
}
