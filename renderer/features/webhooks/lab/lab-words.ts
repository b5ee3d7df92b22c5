import type { LabAnswer, LabRow, LabState, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../../shared/time.ts'
import { kitText } from '../../../text/en/kit.en.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'

export const subjectOf = ({ kind, id, number }: LabRow): LabSubject => (kind === 'event' ? { kind, id: id ?? '' } : { kind, number })

export const rowKey = ({ kind, number }: LabRow): string => `${kind} ${number}`

export interface AnswerWords {
  readonly strong: string
  readonly rest: string
  readonly tone: 'plain' | 'warn' | 'danger'
}

export const lengthText = (ms: number): string => (ms < second ? webhooksText.milliseconds(ms) : webhooksText.seconds((ms / second).toFixed(1)))

export function answerWords({ answer, attempts, revokedBy }: LabRow): AnswerWords {
  if (revokedBy.length > 0) return { strong: webhooksText.revoked, rest: '', tone: 'warn' }
  switch (answer.kind) {
    case 'taken': {
      const rest = answer.nth > 1 ? webhooksText.nthAttempt(answer.nth) : attempts > 1 ? webhooksText.onceOfAttempts(attempts) : lengthText(answer.ms)
      return { strong: String(answer.status), rest, tone: 'plain' }
    }
    case 'waiting':
      return { strong: '', rest: webhooksText.waitingShort, tone: 'plain' }
    case 'given_up':
      return { strong: webhooksText.givenUp, rest: '', tone: 'danger' }
    case 'failed':
      return { strong: answer.status === null ? webhooksText.noResponse : String(answer.status), rest: webhooksText.nthAttempt(attempts), tone: 'danger' }
    case 'refused':
      return { strong: answer.status === null ? webhooksText.noResponse : String(answer.status), rest: webhooksText.refusedShort, tone: 'plain' }
  }
}

export const failedWords: Readonly<Record<NonNullable<LabRow['failed']>, string>> = {
  headers: webhooksText.headerMissing,
  timestamp: webhooksText.noTimestamp,
  age: webhooksText.tooOld,
  'signature form': webhooksText.noSignature,
  signature: webhooksText.signatureShort,
  body: webhooksText.bodyShort,
  'event id': webhooksText.otherId,
  'event type': webhooksText.otherType,
}

/**
 * The label of a refused delivery. Only a wrong signature is called a forgery; other faults may be mistakes, so those deliveries are called refused.
 */
export const refusedWord = (failed: LabRow['failed']): string =>
  failed === 'signature' || failed === 'signature form' ? webhooksText.forged : webhooksText.refused

export const countWords = ({ rows, attempts }: LabState): string => webhooksText.eventsAndAttempts(rows, attempts)

export function answerChoice(answer: LabAnswer): string {
  if (answer.kind === 'forwarded') return webhooksText.answersAsEndpoint
  return answer.delayS === 0 ? webhooksText.answersStatus(answer.status) : webhooksText.answersStatusAfter(answer.status, answer.delayS)
}

/** Explains that the lab cannot continue because its webhook's secret is gone. */
export const goneWords = ({ settings }: Pick<LabState, 'settings'>): string => webhooksText.secretGoneOf(settings?.webhookUrl ?? webhooksText.unnamedWebhook)

export const standInWords = webhooksText.standInWebhook

/** Describes the lab's stored settings: how it responds, and where it forwards deliveries. */
export function settingsWords({ answer, forwardTo }: NonNullable<LabState['settings']>): string {
  const host = forwardTo === null ? null : (URL.parse(forwardTo)?.host ?? forwardTo)
  const answered =
    answer.kind === 'forwarded'
      ? webhooksText.answeredAsEndpoint
      : answer.delayS === 0
        ? webhooksText.answeredStatus(answer.status)
        : webhooksText.answeredStatusAfter(answer.status, answer.delayS)
  return kitText.listed([host === null ? webhooksText.notForwarded : webhooksText.forwardedToHost(host), answered])
}

export const shortAddress = (url: string): string => url.replace(/^https?:\/\//, '')
