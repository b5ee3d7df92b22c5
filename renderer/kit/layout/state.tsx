import type { ReactNode } from 'react'
import type { IntentState as IntentStateName } from '../../../shared/ipc/intents/orders.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import styles from './notes.module.css'

export type StateTone = 'ok' | 'busy' | 'warn' | 'danger' | 'off'

/** The condition of a thing as icon and word; the colour only repeats it. */
export function State({ tone, icon, children }: { readonly tone: StateTone; readonly icon: IconName; readonly children: ReactNode }) {
  return (
    <span className={cx(styles.state, styles[tone])}>
      <Icon name={icon} />
      {children}
    </span>
  )
}

const shown: Readonly<Record<IntentStateName, { readonly tone: StateTone; readonly icon: IconName; readonly word: string }>> = {
  PLANNED: { tone: 'off', icon: 'doc', word: partsText.planned },
  PREPARED: { tone: 'busy', icon: 'doc', word: partsText.prepared },
  ASKED: { tone: 'busy', icon: 'phone', word: partsText.onPhone },
  SIGNED: { tone: 'busy', icon: 'pen', word: partsText.signed },
  SENT: { tone: 'busy', icon: 'send', word: partsText.sent },
  SUBMITTED: { tone: 'busy', icon: 'send', word: partsText.submitted },
  CONFIRMING: { tone: 'busy', icon: 'block', word: partsText.confirming },
  FINAL: { tone: 'ok', icon: 'check', word: partsText.final },
  REFUSED: { tone: 'danger', icon: 'shield-x', word: partsText.refused },
  EXPIRED: { tone: 'off', icon: 'hourglass', word: partsText.expired },
  REVERTED: { tone: 'danger', icon: 'undo', word: partsText.reverted },
  CANCELLED: { tone: 'off', icon: 'x', word: partsText.cancelled },
  UNKNOWN: { tone: 'warn', icon: 'unknown', word: partsText.unknown },
}

/** The word for an intent's state, for sentences and filters. */
export const intentStateWord = (state: IntentStateName): string => shown[state].word

const isIntentState = (state: string): state is IntentStateName => Object.hasOwn(shown, state)

/** Like `intentStateWord`, but for any state: an unknown state is shown under its own name, in lower case. */
export const stateWord = (state: string): string => (isIntentState(state) ? shown[state].word : state.toLowerCase().replaceAll('_', ' '))

export const intentStateLook = (state: IntentStateName): { readonly tone: StateTone; readonly icon: IconName; readonly word: string } => shown[state]

/** The state of an intent. While confirming, shows how many of the 8 blocks are confirmed. */
export function IntentState({ state, confirmations = null }: { readonly state: IntentStateName; readonly confirmations?: number | null }) {
  const { tone, icon, word } = shown[state]
  return (
    <State tone={tone} icon={icon}>
      {state === 'CONFIRMING' && confirmations !== null ? partsText.confirmingOf(Math.min(confirmations, 8), 8) : word}
    </State>
  )
}
