import type { ReactNode } from 'react'
import { Button } from '../../kit/button.tsx'
import { Chip } from '../../kit/chip.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import marksStyles from '../../kit/marks.module.css'
import { ScrollPart, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { fineDurationText, Time, useNow } from '../../kit/time/time.tsx'
import { WholeHex } from '../../parts/line-value.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { digestGroups, phoneChecks } from '../parts/phone-checks.ts'
import { BigCountdown, PhoneAnswer, PhonePicture } from '../parts/phone-picture.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { type ProgressStep, progressSteps, type SigningEnd, type SigningTimes } from '../progress/intent-path.ts'

export interface SigningWords {
  /** Labels of the steps after the signature. */
  readonly after: readonly string[]
}

interface WaitFrameProps {
  readonly phone: ReactNode
  readonly middle: ReactNode
  readonly ring: ReactNode
  readonly foot: ReactNode
}

/** The shared layout of all phases from the wallet request to the phone's answer. Sharing one layout keeps the sheet from jumping. */
export function WaitFrame({ phone, middle, ring, foot }: WaitFrameProps) {
  return (
    <>
      <ScrollPart className={styles.waitBody}>
        {phone}
        <div className={styles.waitMiddle}>{middle}</div>
        {ring === null ? null : <div className={styles.waitRing}>{ring}</div>}
      </ScrollPart>
      {foot}
    </>
  )
}

/** The result of the comparison, shown at the end of the header. */
export function MatchChip({ message }: { readonly message: SigningMessage }) {
  const { matched, total } = message.comparison
  return (
    <Chip tone={matched === total ? 'ok' : 'warn'} icon="shield-check">
      {signingText.linesMatch(matched, total)}
    </Chip>
  )
}

interface WaitStepsProps {
  readonly message: SigningMessage
  readonly times: SigningTimes
  readonly words: SigningWords
  readonly end?: SigningEnd
}

export function WaitSteps({ message, times, words, end = null }: WaitStepsProps) {
  const steps: readonly ProgressStep[] = progressSteps({ source: message.thing === 'order' ? 'ticket' : 'request', after: words.after }, times, end)
  return (
    <>
      <h3>{signingText.progress}</h3>
      <ProgressList steps={steps} />
    </>
  )
}

function Took({ sinceMs }: { readonly sinceMs: number }) {
  const now = useNow(1_000)
  return <span className={styles.took}>{fineDurationText(now - sinceMs)}</span>
}

function ProgressList({ steps }: { readonly steps: readonly ProgressStep[] }) {
  return (
    <ol className={styles.steps} aria-label={signingText.progress}>
      {steps.map((step, index) => {
        const since = steps[index - 1]?.atMs ?? null
        return (
          <li key={step.label} className={styles[step.state]} aria-current={step.state === 'now' ? 'step' : undefined}>
            <span className={styles.waitStepMark}>{step.state === 'done' ? <Icon name="check" /> : step.state === 'failed' ? <Icon name="x" /> : null}</span>
            <span>{step.label}</span>
            {step.state === 'done' ? <Time ms={step.atMs} form="clock" /> : step.state === 'now' && since !== null ? <Took sinceMs={since} /> : null}
          </li>
        )
      })}
    </ol>
  )
}

function LookFor({ message }: { readonly message: SigningMessage }) {
  const checks = phoneChecks(message.comparison)
  const groups = digestGroups(message.comparison.digest)
  return (
    <>
      <h3>{signingText.checkOnPhone(checks.length)}</h3>
      <ol className={styles.look}>
        {checks.map((check, index) => (
          <li key={check.field}>
            <em>{index + 1}</em>
            <span>{check.label}</span>
            {check.code ? <WholeHex hex={check.value} /> : <b>{check.unit === null ? check.value : `${check.value} ${check.unit}`}</b>}
          </li>
        ))}
      </ol>
      {message.transaction === null ? (
        <p className={styles.waitNote}>{signingText.rejectDifferentSignature(<code>{groups[0]}</code>, <code>{groups.at(-1)}</code>)}</p>
      ) : (
        <p className={styles.waitNote}>{signingText.rejectDifferentTransaction}</p>
      )}
    </>
  )
}

interface WaitProps {
  readonly message: SigningMessage
  readonly times: SigningTimes
  readonly words: SigningWords
  /** Whether the app can reach the relay that connects it to the phone. */
  readonly relay: 'reached' | 'lost'
  /** Brings the practice phone's window to the front. Set only in a practice profile, where a separate window simulates the phone. */
  readonly onShowPhone?: () => void
  readonly onSendAgain: () => void
  readonly onCancel: () => void
}

/** Shows the wait for the phone's answer, then the wait while main verifies and submits the signature. */
export function SigningWait({ message, times, words, relay, onShowPhone, onSendAgain, onCancel }: WaitProps) {
  const signed = times.signedAtMs !== null
  const broadcast = message.transaction !== null
  return (
    <WaitFrame
      phone={
        signed ? (
          <PhoneAnswer tone="ok" icon="check" text={signingText.approved} />
        ) : (
          <PhonePicture checks={phoneChecks(message.comparison)} thing={message.thing} />
        )
      }
      middle={
        <>
          <LookFor message={message} />
          <WaitSteps message={message} times={times} words={words} />
        </>
      }
      ring={
        <>
          {message.deadlineMs === null ? null : (
            <BigCountdown
              untilMs={message.deadlineMs}
              totalMs={message.deadlineMs - message.preparedAtMs}
              words={signed ? signingText.leftToSend : signingText.leftToApprove}
            />
          )}
          <p>{signed ? (broadcast ? signingText.broadcastHelp : signingText.signatureHelp) : signingText.phoneHelp}</p>
        </>
      }
      foot={
        <SheetFoot
          verdict={
            <p className={styles.signingVerdict}>
              <span className={relay === 'reached' ? cx(marksStyles.dot, marksStyles.ok) : cx(marksStyles.dot, marksStyles.bad)} />
              <span className={textStyles.muted}>{relay === 'reached' ? signingText.relayReached : signingText.relayLost}</span>
            </p>
          }
        >
          {signed ? null : (
            <Button size="lg" variant="ghost" kbd={[signingText.esc]} onClick={onCancel}>
              {broadcast ? signingText.stopWaiting : signingText.cancelRequest}
            </Button>
          )}
          {onShowPhone === undefined || signed ? null : (
            <Button size="lg" icon="phone" onClick={onShowPhone}>
              {signingText.showPhone}
            </Button>
          )}
          {/* For a transaction, hide this button: a second request could become a second transaction. */}
          {signed || broadcast ? null : (
            <Button size="lg" icon="refresh" onClick={onSendAgain}>
              {signingText.sendAgain}
            </Button>
          )}
        </SheetFoot>
      }
    />
  )
}
