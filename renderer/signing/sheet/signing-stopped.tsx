import type { RefObject } from 'react'
import { leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import { Button } from '../../kit/button.tsx'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import type { Naming } from '../../parts/name-offer.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { BigCountdown, PhoneAnswer } from '../parts/phone-picture.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import type { SigningTimes } from '../progress/intent-path.ts'
import { type SigningStop, stopText } from './signing-stop.ts'
import { type SigningWords, WaitFrame, WaitSteps } from './wait-frame.tsx'

interface StoppedProps {
  readonly message: SigningMessage
  readonly times: SigningTimes
  readonly words: SigningWords
  readonly stop: SigningStop
  readonly busy: boolean
  readonly naming?: Naming
  readonly onSendAgain?: () => void
  /** Prepares a new message to replace the current message. */
  readonly onPrepareAgain?: () => void
  readonly focus: RefObject<HTMLButtonElement | null>
  readonly onClose: () => void
}

export interface StopHead {
  readonly title: string
  readonly icon: 'hourglass' | 'x'
  readonly tone: 'warn' | 'danger'
}

export function stoppedHead(stop: SigningStop, message: SigningMessage): StopHead {
  if (stop.kind === 'refused' && leavesUnknown(stop.failure))
    return {
      title: stop.failure.kind === 'unreadable' ? signingText.takenResponseUnreadable : signingText.sentResponseLost,
      icon: 'hourglass',
      tone: 'warn',
    }
  const unused = message.thing === 'transaction' ? signingText.sentNotTracked : signingText.signedNotSent
  if (stop.kind === 'refused') return { title: stop.signed ? unused : signingText.notSentToWallet, icon: 'x', tone: 'danger' }
  return { title: stopText(stop, message).title, icon: stop.kind === 'too_late' || stop.kind === 'late_answer' ? 'hourglass' : 'x', tone: 'warn' }
}

/** The wallet did not sign, or the signature was not accepted: what happened, what it means, what to do. */
export function SigningStopped({ message, times, words, stop, busy, naming, onSendAgain, onPrepareAgain, focus, onClose }: StoppedProps) {
  const text = stop.kind === 'refused' ? null : stopText(stop, message)
  const over = stop.kind === 'too_late'
  return (
    <WaitFrame
      phone={
        stop.kind === 'rejected' ? (
          <PhoneAnswer tone="danger" icon="x" text={signingText.rejected} />
        ) : stop.kind === 'refused' && leavesUnknown(stop.failure) ? (
          <PhoneAnswer tone="ok" icon="check" text={signingText.approved} />
        ) : stop.kind === 'refused' && stop.signed ? (
          <PhoneAnswer tone="off" icon="x" text={message.transaction === null ? signingText.signatureNotUsed : signingText.approved} />
        ) : stop.kind === 'late_answer' ? (
          <PhoneAnswer tone="off" icon="hourglass" text={message.transaction === null ? signingText.signatureDropped : signingText.sentTooLate} />
        ) : (
          <PhoneAnswer
            tone="off"
            icon={over ? 'hourglass' : 'phone'}
            text={message.transaction === null ? signingText.nothingSigned : signingText.nothingSent}
          />
        )
      }
      middle={
        <>
          {text === null || stop.kind === 'refused' ? (
            <div className={styles.waitWhy}>
              {stop.kind === 'refused' ? <FailureNote failure={stop.failure} {...(naming === undefined ? {} : { naming })} /> : null}
            </div>
          ) : (
            <div className={styles.waitWhy} role="alert">
              <div>
                <h3>{signingText.whatHappened}</h3>
                <p>{text.happened}</p>
              </div>
              <div>
                <h3>{signingText.whatItMeans}</h3>
                <p>{text.means}</p>
              </div>
              <div>
                <h3>{signingText.whatToDo}</h3>
                <p>{text.todo}</p>
              </div>
            </div>
          )}
          <WaitSteps message={message} times={times} words={words} stopped />
        </>
      }
      ring={
        message.deadlineMs === null ? null : (
          <BigCountdown
            untilMs={message.deadlineMs}
            totalMs={message.deadlineMs - message.preparedAtMs}
            words={message.transaction === null ? signingText.leftToSign : signingText.leftToSend}
          />
        )
      }
      foot={
        <SheetFoot verdict={null}>
          <Button size="lg" variant="ghost" kbd={[signingText.esc]} onClick={onClose}>
            {signingText.close}
          </Button>
          {onSendAgain === undefined ? null : (
            <Button ref={focus} size="lg" variant="primary" icon="send" onClick={onSendAgain}>
              {signingText.sendAgain}
            </Button>
          )}
          {onSendAgain !== undefined || onPrepareAgain === undefined ? null : (
            <Button ref={focus} size="lg" variant="primary" icon="refresh" busy={busy} onClick={onPrepareAgain}>
              {signingText.prepareAgain}
            </Button>
          )}
        </SheetFoot>
      }
    />
  )
}
