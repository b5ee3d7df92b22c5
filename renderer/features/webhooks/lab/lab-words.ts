import type { LabAnswer, LabRow, LabState, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../../shared/time.ts'

export const subjectOf = ({ kind, id, number }: LabRow): LabSubject => (kind === 'event' ? { kind, id: id ?? '' } : { kind, number })

export const rowKey = ({ kind, number }: LabRow): string => `${kind} ${number}`

/** What stands in the answer column: the first word stands out. */
export interface AnswerWords {
  readonly strong: string
  readonly rest: string
  readonly tone: 'plain' | 'warn' | 'danger'
}

const ordinal = (n: number): string => `${n}${n === 1 ? 'st' : n === 2 ? 'nd' : n === 3 ? 'rd' : 'th'}`

export const lengthText = (ms: number): string => (ms < second ? `${ms} ms` : `${(ms / second).toFixed(1)} s`)

export function answerWords({ answer, attempts, revokedBy }: LabRow): AnswerWords {
  if (revokedBy.length > 0) return { strong: 'Revoked', rest: '', tone: 'warn' }
  switch (answer.kind) {
    case 'taken': {
      const rest = answer.nth > 1 ? `${ordinal(answer.nth)} try` : attempts > 1 ? `once of ${attempts}` : lengthText(answer.ms)
      return { strong: String(answer.status), rest, tone: 'plain' }
    }
    case 'waiting':
      return { strong: '', rest: 'waiting', tone: 'plain' }
    case 'given_up':
      return { strong: 'Given up', rest: '', tone: 'danger' }
    case 'failed':
      return { strong: answer.status === null ? 'No answer' : String(answer.status), rest: `${ordinal(attempts)} try`, tone: 'danger' }
    case 'refused':
      return { strong: answer.status === null ? 'No answer' : String(answer.status), rest: 'refused', tone: 'plain' }
  }
}

/** Why a delivery was refused, in two words. */
export const failedWords: Readonly<Record<NonNullable<LabRow['failed']>, string>> = {
  headers: 'header missing',
  timestamp: 'no timestamp',
  age: 'too old',
  'signature form': 'no signature',
  signature: 'signature',
  body: 'body',
  'event id': 'other id',
  'event type': 'other type',
}

/** A wrong signature is a forgery; what else is wrong may be a slip. */
export const refusedWord = (failed: LabRow['failed']): string => (failed === 'signature' || failed === 'signature form' ? 'Forged' : 'Refused')

const count = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

export const countWords = ({ rows, attempts }: LabState): string => `${count(rows, 'event')}, ${count(attempts, 'attempt')}`

export function answerChoice(answer: LabAnswer): string {
  if (answer.kind === 'forwarded') return 'Answers as endpoint'
  return `Answers ${answer.status}${answer.delayS === 0 ? '' : ` after ${answer.delayS} s`}`
}

/** Why it cannot go on as it was. */
export const goneWords = ({ settings }: Pick<LabState, 'settings'>): string =>
  `The signing secret of ${settings?.webhookUrl ?? 'its webhook'} is not on this computer any more. Choose another webhook, or make one.`

export const standInWords = 'The signing secret of the one before is not on this computer any more. This one has the same address.'

/** With what it would go on. */
export function settingsWords({ answer, forwardTo }: NonNullable<LabState['settings']>): string {
  const host = forwardTo === null ? null : (URL.parse(forwardTo)?.host ?? forwardTo)
  const answered = answer.kind === 'forwarded' ? 'answered as the endpoint answers' : answerChoice(answer).replace('Answers', 'answered')
  return `forwarded to ${host ?? 'nobody'}, ${answered}`
}

/** Without its scheme, as it is narrow. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '')
