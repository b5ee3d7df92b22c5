import type { RefObject } from 'react'
import type { Intent } from '../../../shared/ipc/intents/orders.ts'
import { reasonText } from '../../../shared/text/intent-text.ts'
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
import { Confirmations } from '../parts/confirmations.tsx'
import { PhoneAnswer } from '../parts/phone-picture.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { confirmedBlocks, finalConfirmations, isTerminal, type SigningTimes } from '../progress/intent-way.ts'
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
      return { title: 'Done. It is final on Base', icon: 'check', tone: 'accent' }
    case 'REVERTED':
      return { title: 'It reverted on Base', icon: 'x', tone: 'danger' }
    case 'UNKNOWN':
      return { title: thing === 'transaction' ? 'It is not known whether it was sent' : 'The answer was lost', icon: 'unknown', tone: 'warn' }
    case 'EXPIRED':
      return { title: 'It ran out before it was executed', icon: 'hourglass', tone: 'warn' }
    case 'REFUSED':
    case 'CANCELLED':
      return { title: 'It was not executed', icon: 'x', tone: 'danger' }
    default:
      return { title: 'Sent. Waiting for eight blocks', icon: 'block', tone: 'accent' }
  }
}

/** Of a step that another one follows. */
function stepHead({ state }: Intent): FollowedHead {
  switch (state) {
    case 'CONFIRMING':
    case 'FINAL':
    case 'PREPARED':
      return { title: 'In a block. The next step is made ready', icon: 'check', tone: 'accent' }
    case 'REVERTED':
      return { title: 'This step reverted on Base', icon: 'x', tone: 'danger' }
    case 'UNKNOWN':
      return { title: 'It is not known whether this step was sent', icon: 'unknown', tone: 'warn' }
    case 'EXPIRED':
      return { title: 'The time ran out before the next step', icon: 'hourglass', tone: 'warn' }
    case 'REFUSED':
    case 'CANCELLED':
      return { title: 'This step was not executed', icon: 'x', tone: 'danger' }
    default:
      return { title: 'Sent. Waiting for its block', icon: 'block', tone: 'accent' }
  }
}

const followedText = (intent: Intent, { thing, transaction }: SigningMessage): string => {
  if (intent.reason !== null) return reasonText(intent.reason)
  if (intent.state === 'UNKNOWN') return 'The app looks it up until it is known. You can close this; Activity shows what it finds.'
  if (transaction?.more === true && !isTerminal(intent.state))
    return 'The next step comes here as soon as this one is in a block. You can close this and continue in Activity.'
  if (intent.state === 'FINAL') return thing === 'transaction' ? 'Eight blocks lie on it.' : 'Eight blocks lie on it. Your positions are read anew.'
  return 'You can close this. It is followed in Activity, and a notice tells when it is final.'
}

/** After the relay took it: block by block until it is final, or what became of it instead. */
export function SigningFollowed({ message, times, words, intent, onOpenTransaction, onOpenActivity, focus, onClose }: FollowedProps) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  const bad = isTerminal(intent.state) && intent.state !== 'FINAL'
  const head = followedHead(intent, message)
  return (
    <WaitFrame
      phone={
        intent.txHash === null && message.transaction !== null ? (
          <PhoneAnswer tone="off" icon="unknown" text="No answer" />
        ) : (
          <PhoneAnswer tone="ok" icon="check" text="Approved" />
        )
      }
      middle={
        <>
          <h3>On Base</h3>
          <div className={styles.waitTransaction} data-part="transaction">
            <Confirmations intent={intent} />
            <p className={styles.blocksSay} role="status">
              <b>
                {count} of {finalConfirmations}
              </b>
              confirmations
              <span className={textStyles.muted}>
                {intent.state === 'FINAL'
                  ? 'Final'
                  : intent.state === 'REVERTED'
                    ? 'Reverted'
                    : intent.finality === null || /^[A-Z_]+$/.test(intent.finality)
                      ? 'Not final yet'
                      : intent.finality}
              </span>
            </p>
            <p className={styles.id}>
              {intent.txHash === null ? (
                <span>No transaction hash yet</span>
              ) : (
                <>
                  <span>Transaction</span>
                  <code title={intent.txHash}>{shorten(intent.txHash, 8, 6)}</code>
                  <CopyButton text={intent.txHash} what="transaction hash" />
                  <Button size="xs" variant="ghost" icon="external" onClick={onOpenTransaction}>
                    Explorer
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
              <small>of {finalConfirmations} blocks</small>
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
                  Final
                </State>
              ) : bad ? (
                <State tone="danger" icon={head.icon}>
                  {head.title}
                </State>
              ) : (
                <>
                  <Icon name="doc" className={iconStyles.dim} />
                  <span className={textStyles.muted}>Kept in the journal whatever happens</span>
                </>
              )}
            </p>
          }
        >
          <Button size="lg" icon="activity" onClick={onOpenActivity}>
            Open in Activity
          </Button>
          <Button ref={focus} size="lg" variant="primary" onClick={onClose}>
            {isTerminal(intent.state) ? 'Done' : 'Close'}
          </Button>
        </SheetFoot>
      }
    />
  )
}
