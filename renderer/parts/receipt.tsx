import type { ReceiptState } from '../../shared/ipc/intents/receipts.ts'
import type { IconName } from '../kit/icons/icon.tsx'
import { State, type StateTone } from '../kit/layout/state.tsx'

interface ReceiptLook {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
  /** What it means for webhooks (HOOK-09). */
  readonly meaning: string
}

const looks: Readonly<Record<ReceiptState, ReceiptLook>> = {
  due: {
    tone: 'busy',
    icon: 'hourglass',
    word: 'Being reported',
    meaning: 'The service is told its hash, again and again if it must be. No transaction.* event comes before.',
  },
  reported: { tone: 'ok', icon: 'check', word: 'Reported', meaning: 'The service knows its hash, so transaction.* events come.' },
  refused: { tone: 'danger', icon: 'x', word: 'Refused', meaning: 'The service did not take the report: no transaction.* event comes of it.' },
  given_up: { tone: 'warn', icon: 'unknown', word: 'Given up', meaning: 'The service was not reached in time: no transaction.* event comes of it.' },
}

/** A report that is over without success may be made again. */
export const mayReportAgain = (receipt: ReceiptState): boolean => receipt === 'refused' || receipt === 'given_up'

export const receiptMeaning = (receipt: ReceiptState): string => looks[receipt].meaning

/** Whether the service was told the hash of a transaction. */
export function ReceiptMark({ receipt }: { readonly receipt: ReceiptState }) {
  const { tone, icon, word } = looks[receipt]
  return (
    <State tone={tone} icon={icon}>
      {word}
    </State>
  )
}

/** `2 of 2, approval`: which transaction of its intent it is. */
export const transactionWords = ({ index, of, kind }: { readonly index: number; readonly of: number; readonly kind: string | null }): string =>
  [of > 1 ? `${index + 1} of ${of}` : null, kind?.replaceAll('_', ' ') ?? null].filter((word) => word !== null).join(', ')
