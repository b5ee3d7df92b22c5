import type { RefObject } from 'react'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import iconStyles from '../../kit/icons/icon.module.css'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { State } from '../../kit/layout/state.tsx'
import { shorten } from '../../kit/number.tsx'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import countdownRingStyles from '../../kit/time/countdown-ring.module.css'
import { signingText } from '../../text/en/signing.en.tsx'
import { Confirmations } from '../parts/confirmations.tsx'
import { PhoneAnswer } from '../parts/phone-picture.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { confirmedBlocks, finalConfirmations, isTerminal, type SigningTimes } from '../progress/intent-path.ts'
import { type SigningWords, WaitFrame, WaitSteps } from './wait-frame.tsx'

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

export function followedHead(intent: Intent, { thing, transaction }: SigningMessage): FollowedHead {
  if (transaction?.more === true) return stepHead(intent)
  switch (intent.state) {
    case 'FINAL':
      return { title: signingText.doneAndFinal, icon: 'check', tone: 'accent' }
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

/** The heading for the status of one transaction while more transactions of the same action are still to come. */
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
  if (intent.reason !== null) return reasonText(intent.reason)
  if (intent.state === 'UNKNOWN') return signingText.unknownHelp
  if (transaction?.more === true && !isTerminal(intent.state)) return signingText.stepHelp
  if (intent.state === 'FINAL') return thing === 'transaction' ? signingText.finalHelp : signingText.finalHelpOfOrder
  return signingText.trackedHelp
}

/** Follows an accepted intent block by block until it is final, or shows why it failed. */
export function SigningFollowed({ message, times, words, intent, onOpenTransaction, onOpenActivity, focus, onClose }: FollowedProps) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  const bad = isTerminal(intent.state) && intent.state !== 'FINAL'
  const head = followedHead(intent, message)
  return (
    <WaitFrame
      phone={
        intent.txHash === null && message.transaction !== null ? (
          <PhoneAnswer tone="off" icon="unknown" text={signingText.noAnswer} />
        ) : (
          <PhoneAnswer tone="ok" icon="check" text={signingText.approved} />
        )
      }
      middle={
        <>
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
          <WaitSteps message={message} times={times} words={words} stopped={bad} />
        </>
      }
      ring={
        <>
          <span
            className={
              intent.state === 'FINAL'
                ? cx(countdownRingStyles.ringBox, iconStyles.big, styles.big, styles.ok)
                : intent.state === 'REVERTED'
                  ? cx(countdownRingStyles.ringBox, iconStyles.big, styles.big, iconStyles.bad, styles.bad)
                  : cx(countdownRingStyles.ringBox, iconStyles.big, styles.big)
            }
          >
            <span>
              <b>{count}</b>
              <small>{signingText.ofBlocks(finalConfirmations)}</small>
            </span>
            <svg className={cx(countdownRingStyles.ring, styles.blocksRing)} width="132" height="132" viewBox="0 0 132 132" aria-hidden="true">
              {Array.from({ length: finalConfirmations }, (_, index) => (
                <circle
                  // biome-ignore lint/suspicious/noArrayIndexKey: a segment of the ring has no identity but its place
                  key={index}
                  className={index < count ? countdownRingStyles.ringLeft : countdownRingStyles.ringTrack}
                  cx="66"
                  cy="66"
                  r="63"
                  strokeWidth="6"
                  pathLength={finalConfirmations * 12}
                  strokeDasharray={`11 ${finalConfirmations * 12 - 11}`}
                  strokeDashoffset={-index * 12}
                  transform="rotate(-90 66 66)"
                />
              ))}
            </svg>
          </span>
          <p>{followedText(intent, message)}</p>
        </>
      }
      foot={
        <SheetFoot
          verdict={
            <p className={styles.signingVerdict}>
              {intent.state === 'FINAL' ? (
                <State tone="ok" icon="check">
                  {signingText.final}
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
      }
    />
  )
}
