import type { ReactNode } from 'react'
import { fillExtent, placesOrder } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent, IntentState as IntentStateName } from '../../../shared/ipc/intents/orders.ts'
import { partsText } from '../../text/en/parts.en.tsx'
import { cx } from '../cx.ts'
import { Icon, type IconName } from '../icons/icon.tsx'
import { serviceWord } from '../visible-text.tsx'
import styles from './notes.module.css'

export type StateTone = 'ok' | 'busy' | 'warn' | 'danger' | 'off'

interface StateProps {
  readonly tone: StateTone
  readonly icon: IconName
  readonly title?: string | undefined
  readonly children: ReactNode
}

/** Shows the state of a thing as an icon and a word. The colour only repeats their meaning. */
export function State({ tone, icon, title, children }: StateProps) {
  return (
    <span className={cx(styles.state, styles[tone])} title={title}>
      <Icon name={icon} />
      {children}
    </span>
  )
}

interface IntentLook {
  readonly tone: StateTone
  readonly icon: IconName
  readonly word: string
  /** The tooltip with the transaction's finality; absent if the word already states it. */
  readonly detail?: string | undefined
}

const shown: Readonly<Record<IntentStateName, IntentLook>> = {
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

const isIntentState = (state: string): state is IntentStateName => Object.hasOwn(shown, state)

/** The word for an intent's state, for use in sentences and filters. An unknown state appears under the service's name, in lower case. */
export const stateWord = (state: string): string => (isIntentState(state) ? shown[state].word : state.toLowerCase().replaceAll('_', ' '))

/** How a final order is shown whose trades the app has seen. Only a size in the order's own unit proves that it was filled. */
const filledLooks: Readonly<Record<ReturnType<typeof fillExtent>, Partial<IntentLook>>> = {
  whole: { word: partsText.filled, detail: partsText.finalOnBase },
  part: { tone: 'warn', icon: 'warn', word: partsText.partlyFilled, detail: partsText.finalOnBase },
  some: { word: partsText.traded, detail: partsText.fillUnproven },
}

/** How a final batch is shown. `state`: the batch's state in the service's words. */
const batchLook = (state: string): IntentLook =>
  state.toLowerCase() === 'executed'
    ? { tone: 'ok', icon: 'check', word: partsText.done, detail: partsText.finalOnBase }
    : { tone: 'off', icon: 'unknown', word: serviceWord(state), detail: partsText.finalOnBase }

/**
 * How an intent's state is shown. A final intent that places an order is “Placed”, because the order may still be open. Any other order is “Traded”,
 * “Partly filled” or “Filled” once the app has seen its trades. A batch is “Done” if the service executed it, and “Partly done” if an action failed.
 */
export function intentLook({ title, state, reason, fill, batchState }: Pick<Intent, 'title' | 'state' | 'reason' | 'fill' | 'batchState'>): IntentLook {
  const look = shown[state]
  if (state !== 'FINAL') return look
  if (reason?.code === 'partly_executed') return { tone: 'warn', icon: 'warn', word: partsText.partlyDone, detail: partsText.finalOnBase }
  if (batchState !== undefined) return batchLook(batchState)
  if (!placesOrder(title)) return fill === undefined ? look : { ...look, ...filledLooks[fillExtent(title, fill)] }
  // If the intent has a reason, it may have ended without a transaction that the app could follow. Then the tooltip must not claim a final
  // transaction.
  return { ...look, word: partsText.placed, detail: reason === null ? partsText.finalOnBase : undefined }
}

/** The state of an intent. While confirming, shows how many of the 8 blocks are confirmed. */
export function IntentState({ intent }: { readonly intent: Pick<Intent, 'title' | 'state' | 'reason' | 'fill' | 'batchState' | 'confirmations'> }) {
  const { state, confirmations } = intent
  const { tone, icon, word, detail } = intentLook(intent)
  return (
    <State tone={tone} icon={icon} title={detail}>
      {state === 'CONFIRMING' && confirmations !== null ? partsText.confirmingOf(Math.min(confirmations, 8), 8) : word}
    </State>
  )
}
