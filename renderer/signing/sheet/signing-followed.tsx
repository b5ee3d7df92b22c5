import type { RefObject } from 'react'
import { fillExtent, placesOrder } from '../../../shared/ipc/intents/intent-states.ts'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import iconStyles from '../../kit/icons/icon.module.css'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { State } from '../../kit/layout/state.tsx'
import { shorten } from '../../kit/number.tsx'
import { ScrollPart, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { signingText } from '../../text/en/signing.en.tsx'
import { Confirmations } from '../parts/confirmations.tsx'
import { PhoneAnswer } from '../parts/phone-picture.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { confirmedBlocks, finalConfirmations, isTerminal, type SigningEnd, type SigningTimes } from '../progress/intent-path.ts'
import { FillResult } from './signing-fill.tsx'
import { type SigningWords, WaitSteps } from './wait-frame.tsx'

/** How a failed end state ends the steps of the signing. */
const endOfState = (state: Intent['state']): SigningEnd => (state === 'REVERTED' ? 'reverted' : state === 'EXPIRED' ? 'expired' : 'not_executed')

interface FollowedProps {
  readonly message: SigningMessage
  readonly times: SigningTimes
  readonly words: SigningWords
  readonly intent: Intent
  readonly onOpenTransaction: () => void
  readonly onOpenActivity: () => void
  readonly focus: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

export interface FollowedHead {
  readonly title: string
  readonly icon: IconName
  readonly tone: 'accent' | 'warn' | 'danger'
}

/**
 * The sheet's heading for the state of an accepted intent. An intent that places an order becomes “placed” when it is final, because the order
 * itself may still be open. Any other order becomes “filled” once the app has seen its trades.
 */
export function followedHead(intent: Intent, { thing, transaction }: Pick<SigningMessage, 'thing' | 'transaction'>): FollowedHead {
  if (transaction?.more === true) return stepHead(intent)
  switch (intent.state) {
    case 'FINAL':
      return finalHead(intent)
    case 'REVERTED':
      return { title: signingText.itReverted, icon: 'x', tone: 'danger' }
    case 'UNKNOWN':
      return { title: thing === 'transaction' ? signingText.sendingUnknown : signingText.responseLost, icon: 'unknown', tone: 'warn' }
    case 'EXPIRED':
      return { title: signingText.itExpired, icon: 'hourglass', tone: 'warn' }
    case 'REFUSED':
    case 'CANCELLED':
      return { title: signingText.itWasNotExecuted, icon: 'x', tone: 'danger' }
    default:
      return { title: signingText.sentWaitingForBlocks, icon: 'block', tone: 'accent' }
  }
}

/** The heading of a final intent. It says the same as `intentLook`, the intent's state everywhere else. */
function finalHead({ title, reason, fill }: Intent): FollowedHead {
  if (reason?.code === 'partly_executed') return { title: signingText.partlyDone, icon: 'warn', tone: 'warn' }
  if (placesOrder(title)) return { title: signingText.orderPlaced, icon: 'check', tone: 'accent' }
  if (fill === undefined) return { title: signingText.doneAndFinal, icon: 'check', tone: 'accent' }
  const extent = fillExtent(title, fill)
  if (extent === 'part') return { title: signingText.orderPartlyFilled, icon: 'warn', tone: 'warn' }
  return { title: extent === 'whole' ? signingText.orderFilled : signingText.orderTraded, icon: 'check', tone: 'accent' }
}

/** The heading for one transaction's status while the same action still needs more transactions. */
function stepHead({ state }: Intent): FollowedHead {
  switch (state) {
    case 'CONFIRMING':
    case 'FINAL':
    case 'PREPARED':
      return { title: signingText.stepInBlock, icon: 'check', tone: 'accent' }
    case 'REVERTED':
      return { title: signingText.stepReverted, icon: 'x', tone: 'danger' }
    case 'UNKNOWN':
      return { title: signingText.stepUnknown, icon: 'unknown', tone: 'warn' }
    case 'EXPIRED':
      return { title: signingText.stepsExpired, icon: 'hourglass', tone: 'warn' }
    case 'REFUSED':
    case 'CANCELLED':
      return { title: signingText.stepNotExecuted, icon: 'x', tone: 'danger' }
    default:
      return { title: signingText.stepSent, icon: 'block', tone: 'accent' }
  }
}

const followedText = (intent: Intent, { thing, transaction }: SigningMessage): string => {
  if (intent.state === 'UNKNOWN') return [...(intent.reason === null ? [] : [reasonText(intent.reason)]), signingText.unknownHelp].join(' ')
  if (intent.reason !== null) return reasonText(intent.reason)
  if (transaction?.more === true && !isTerminal(intent.state)) return signingText.stepHelp
  if (intent.state === 'FINAL') {
    if (placesOrder(intent.title)) return signingText.placedHelp
    return thing === 'transaction' ? signingText.finalHelp : signingText.finalHelpOfOrder
  }
  return signingText.trackedHelp
}

/** Shows the on-chain progress of an accepted intent until it is final, or why it failed. */
export function SigningFollowed({ message, times, words, intent, onOpenTransaction, onOpenActivity, focus, onClose }: FollowedProps) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  const bad = isTerminal(intent.state) && intent.state !== 'FINAL'
  const head = followedHead(intent, message)
  return (
    <>
      <ScrollPart className={cx(styles.waitBody, styles.followed, isTerminal(intent.state) ? styles.ended : undefined)}>
        {/* Once the phone has answered, the picture of the phone is no longer needed. */}
        {intent.txHash === null && message.transaction !== null ? <PhoneAnswer tone="off" icon="unknown" text={signingText.noAnswer} /> : null}
        <div className={styles.waitMiddle}>
          <h3>{signingText.onBase}</h3>
          <div className={styles.waitTransaction} data-part="transaction">
            <Confirmations intent={intent} />
            <p className={styles.blocksSay} role="status">
              {signingText.confirmationState(
                count,
                finalConfirmations,
                <span className={textStyles.muted}>
                  {intent.state === 'FINAL'
                    ? signingText.final
                    : intent.state === 'REVERTED'
                      ? signingText.reverted
                      : intent.finality === null || /^[A-Z_]+$/.test(intent.finality)
                        ? signingText.notFinalYet
                        : intent.finality}
                </span>,
              )}
            </p>
            <p className={styles.id}>
              {intent.txHash === null ? (
                <span>{signingText.noHashYet}</span>
              ) : (
                <>
                  <span>{signingText.transaction}</span>
                  <code title={intent.txHash}>{shorten(intent.txHash, 8, 6)}</code>
                  <CopyButton text={intent.txHash} what={signingText.transactionHash} />
                  <Button size="xs" variant="ghost" icon="external" onClick={onOpenTransaction}>
                    {signingText.explorer}
                  </Button>
                </>
              )}
            </p>
          </div>
          <p className={styles.waitNote}>{followedText(intent, message)}</p>
        </div>
        <div className={styles.waitMiddle}>
          <WaitSteps message={message} times={times} words={words} end={bad ? endOfState(intent.state) : null} />
        </div>
        {message.transaction?.more === true ? null : <FillResult intent={intent} finalAtMs={times.afterMs.at(-1) ?? intent.updatedAtMs} />}
      </ScrollPart>
      <SheetFoot
        verdict={
          <p className={styles.signingVerdict}>
            {intent.reason?.code === 'partly_executed' ? (
              <State tone="warn" icon="warn">
                {head.title}
              </State>
            ) : intent.state === 'FINAL' ? (
              <State tone="ok" icon="check">
                {intent.reason === null ? signingText.finalOnBase : signingText.final}
              </State>
            ) : bad ? (
              <State tone="danger" icon={head.icon}>
                {head.title}
              </State>
            ) : (
              <>
                <Icon name="doc" className={iconStyles.dim} />
                <span className={textStyles.muted}>{signingText.keptInJournal}</span>
              </>
            )}
          </p>
        }
      >
        <Button size="lg" icon="activity" onClick={onOpenActivity}>
          {signingText.openInActivity}
        </Button>
        <Button ref={focus} size="lg" variant="primary" onClick={onClose}>
          {isTerminal(intent.state) ? signingText.done : signingText.close}
        </Button>
      </SheetFoot>
    </>
  )
}
