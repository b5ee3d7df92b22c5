import type { RefObject } from 'react'
import { leavesUnknown } from '../../../shared/ipc/intents/intent-states.ts'
import { comparisonText, lineName, lineValueText } from '../../../shared/text/comparison-text.ts'
import { remarkText } from '../../../shared/text/intent-text.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { AddressText } from '../../parts/line-value.tsx'
import type { Naming } from '../../parts/name-offer.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { ComparisonLines } from '../parts/comparison-lines.tsx'
import { BigCountdown, PhoneAnswer } from '../parts/phone-picture.tsx'
import { RouterEvidence, speaksAgainst } from '../parts/router-evidence.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { endTexts, type SigningTimes } from '../progress/intent-path.ts'
import { endOfStop, type SigningStop, stopText } from './signing-stop.ts'
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
  if (stop.kind === 'refused') {
    const end = endOfStop(stop, message)
    return { title: end === 'stopped' || end === 'rejected' ? signingText.notSentToWallet : endTexts[end], icon: 'x', tone: 'danger' }
  }
  return { title: stopText(stop, message).title, icon: stop.kind === 'too_late' || stop.kind === 'late_answer' ? 'hourglass' : 'x', tone: 'warn' }
}

/** Whether the phone has answered: it rejected, signed or sent. */
const hasAnswered = (stop: SigningStop): boolean =>
  stop.kind === 'rejected' || stop.kind === 'late_answer' || (stop.kind === 'refused' && (stop.signed || leavesUnknown(stop.failure)))

/** The wallet did not sign, or the signature was not accepted: what happened, what it means, what to do. */
export function SigningStopped({ message, times, words, stop, busy, naming, onSendAgain, onPrepareAgain, focus, onClose }: StoppedProps) {
  const text = stop.kind === 'refused' ? null : stopText(stop, message)
  const over = stop.kind === 'too_late'
  return (
    <WaitFrame
      // Once the phone has answered, the picture of the phone is no longer needed.
      phone={
        hasAnswered(stop) ? null : (
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
          <WaitSteps
            message={message}
            times={stop.kind === 'late_answer' ? { ...times, signedAtMs: stop.atMs } : times}
            words={words}
            end={endOfStop(stop, message)}
          />
        </>
      }
      ring={
        message.deadlineMs === null || onSendAgain === undefined ? null : (
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

interface SigningRefusedProps {
  readonly message: SigningMessage
  readonly focus: RefObject<HTMLButtonElement | null>
  readonly onOpenActivity?: () => void
  readonly onClose: () => void
}

/** Shown if a signing rule is broken. The app sends nothing to the wallet, and the user cannot override this. */
export function SigningRefused({ message, focus, onOpenActivity, onClose }: SigningRefusedProps) {
  const { comparison } = message
  const against = message.contracts.find(speaksAgainst)
  const report = JSON.stringify(
    {
      intent: message.intentId,
      request: message.requestId,
      sentence: comparisonText(comparison),
      layout: comparison.formatHash,
      digest: comparison.digest,
      lines: comparison.lines.map(({ asked, signed, remark, ...line }) => ({
        ...{ ...line, name: lineName(line), remark: remarkText(remark) },
        ...{ asked: asked && lineValueText(asked), signed: signed && lineValueText(signed) },
      })),
      contracts: message.contracts,
      message: comparison.raw,
    },
    null,
    2,
  )
  return (
    <>
      <ComparisonLines comparison={comparison} sends={message.transaction !== null} />
      {against === undefined ? null : (
        <section className={styles.signingFound} aria-labelledby="sign-found">
          <h3 id="sign-found">{signingText.contractFindings}</h3>
          <RouterEvidence router={against.check} what={against.what} />
        </section>
      )}
      <div className={styles.signingWhy}>
        <div>
          <h3>{signingText.whatHappened}</h3>
          <p>
            <AddressText
              text={comparisonText(comparison) ?? (message.transaction === null ? signingText.messageDiffers : signingText.transactionDiffers)}
              picture={false}
            />
          </p>
        </div>
        <div>
          <h3>{signingText.whatItMeans}</h3>
          <p>{signingText.nothingChanged}</p>
        </div>
        <div>
          <h3>{signingText.whatToDo}</h3>
          <p>{signingText.refusedHelp}</p>
        </div>
      </div>
      <SheetFoot
        verdict={
          <p className={cx(styles.signingVerdict, styles.small)}>
            {message.requestId === null ? null : (
              <>
                <span className={textStyles.muted}>{signingText.request}</span> <code>{message.requestId}</code>
                <CopyButton text={message.requestId} what={signingText.requestId} />
              </>
            )}
            {message.intentId === null ? null : (
              <>
                <span className={textStyles.muted}>{signingText.intent}</span> <code>{message.intentId}</code>
              </>
            )}
          </p>
        }
      >
        <CopyButton text={report} what={signingText.report} words={signingText.copyReport} icon="doc" size="lg" />
        {onOpenActivity === undefined ? null : (
          <Button size="lg" icon="activity" onClick={onOpenActivity}>
            {signingText.openInActivity}
          </Button>
        )}
        <Button ref={focus} size="lg" variant="primary" onClick={onClose}>
          {signingText.close}
        </Button>
      </SheetFoot>
    </>
  )
}
