import type { ReactNode } from 'react'
import type { IntentState as IntentStateName } from '../../../shared/ipc/intents/orders.ts'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './notes.module.css'

export type StateTone = 'ok' | 'busy' | 'warn' | 'danger' | 'off'

/** How a thing is: icon and word; the colour only repeats it. */
export function State({ tone, icon, children }: { readonly tone: StateTone; readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <span className={cx(styles.state, styles[tone])}>
      <Icon name={icon} />
      {children}
    </span>
  )
}

const shown: Readonly<Record<IntentStateName, { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  PLANNED: { tone: 'off', icon: 'doc', word: 'Planned' },
  PREPARED: { tone: 'busy', icon: 'doc', word: 'Prepared' },
  ASKED: { tone: 'busy', icon: 'phone', word: 'On the phone' },
  SIGNED: { tone: 'busy', icon: 'pen', word: 'Signed' },
  SENT: { tone: 'busy', icon: 'send', word: 'Sent' },
  SUBMITTED: { tone: 'busy', icon: 'send', word: 'Submitted' },
  CONFIRMING: { tone: 'busy', icon: 'block', word: 'Confirming' },
  FINAL: { tone: 'ok', icon: 'check', word: 'Final' },
  REFUSED: { tone: 'danger', icon: 'shield-x', word: 'Refused' },
  EXPIRED: { tone: 'off', icon: 'hourglass', word: 'Expired' },
  REVERTED: { tone: 'danger', icon: 'undo', word: 'Reverted' },
  CANCELLED: { tone: 'off', icon: 'x', word: 'Cancelled' },
  UNKNOWN: { tone: 'warn', icon: 'unknown', word: 'Unknown' },
}

/** The word for a state of the journal, for sentences and filters. */
export const intentStateWord = (state: IntentStateName): string => shown[state].word

export const intentStateLook = (state: IntentStateName): { readonly tone: StateTone; readonly icon: IconName; readonly word: string } => shown[state]

/** The state of an intent. While confirming, how many of the 8 blocks are there. */
export function IntentState({ state, confirmations = null }: { readonly state: IntentStateName; readonly confirmations?: number | null }) {
  const { tone, icon, word } = shown[state]
  return (
    <State tone={tone} icon={icon}>
      {state === 'CONFIRMING' && confirmations !== null ? `${word} ${Math.min(confirmations, 8)} of 8` : word}
    </State>
  )
}
