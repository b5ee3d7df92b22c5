import type { LabAnswer, LabRow, LabState, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../../shared/time.ts'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'

export const subjectOf = ({ kind, id, number }: LabRow): LabSubject => (kind === 'event' ? { kind, id: id ?? '' } : { kind, number })

export const rowKey = ({ kind, number }: LabRow): string => `${kind} ${number}`

/** What stands in the answer column: the first word stands out. */
export interface AnswerWords {
  readonly strong: string
  readonly rest: string
  readonly tone: 'plain' | 'warn' | 'danger'
}

const ordinal = (n: number): string => `${n}${n === 1 ? 'st' : n === 2 ? 'nd' : n === 3 ? 'rd' : 'th'}`

export const lengthText = (ms: number): string => (ms < second ? webhooksText.ms(ms) : `${(ms / second).toFixed(1)} s`)

export function answerWords({ answer, attempts, revokedBy }: LabRow): AnswerWords {
  if (revokedBy.length > 0) return { strong: webhooksText.revoked, rest: '', tone: 'warn' }
  switch (answer.kind) {
    case 'taken': {
      const rest = answer.nth > 1 ? webhooksText.try(ordinal(answer.nth)) : attempts > 1 ? webhooksText.onceOf(attempts) : lengthText(answer.ms)
      return { strong: String(answer.status), rest, tone: 'plain' }
    }
    case 'waiting':
      return { strong: '', rest: 'waiting', tone: 'plain' }
    case 'given_up':
      return { strong: webhooksText.givenUp, rest: '', tone: 'danger' }
    case 'failed':
      return { strong: answer.status === null ? webhooksText.noAnswer : String(answer.status), rest: webhooksText.try(ordinal(attempts)), tone: 'danger' }
    case 'refused':
      return { strong: answer.status === null ? webhooksText.noAnswer : String(answer.status), rest: 'refused', tone: 'plain' }
  }
}

/** Why a delivery was refused, in two words. */
export const failedWords: Readonly<Record<NonNullable<LabRow['failed']>, string>> = {
  headers: webhooksText.headerMissing,
  timestamp: webhooksText.noTimestamp,
  age: webhooksText.tooOld,
  'signature form': webhooksText.noSignature,
  signature: 'signature',
  body: 'body',
  'event id': webhooksText.otherId,
  'event type': webhooksText.otherType,
}

/** A wrong signature is a forgery; what else is wrong may be a slip. */
export const refusedWord = (failed: LabRow['failed']): string =>
  failed === 'signature' || failed === 'signature form' ? webhooksText.forged : webhooksText.refused

const count = (n: number, what: string): string => `${n.toLocaleString('en-US')} ${what}${n === 1 ? '' : 's'}`

export const countWords = ({ rows, attempts }: LabState): string => `${count(rows, 'event')}, ${count(attempts, 'attempt')}`

export function answerChoice(answer: LabAnswer): string {
  if (answer.kind === 'forwarded') return webhooksText.answersAsEndpoint
  return webhooksText.answers(answer.status, answer.delayS === 0 ? '' : webhooksText.afterS(answer.delayS))
}

/** Why it cannot go on as it was. */
export const goneWords = ({ settings }: Pick<LabState, 'settings'>): string =>
  webhooksText.theSigningSecretOfIsNotOn(settings?.webhookUrl ?? webhooksText.itsWebhook)

export const standInWords = webhooksText.theSigningSecretOfTheOneBefore

/** With what it would go on. */
export function settingsWords({ answer, forwardTo }: NonNullable<LabState['settings']>): string {
  const host = forwardTo === null ? null : (URL.parse(forwardTo)?.host ?? forwardTo)
  const answered = answer.kind === 'forwarded' ? webhooksText.answeredAsTheEndpointAnswers : answerChoice(answer).replace('Answers', 'answered')
  return webhooksText.forwardedTo(host ?? webhooksText.nobody, answered)
}

/** Without its scheme, as it is narrow. */
export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '')
