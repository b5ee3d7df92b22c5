import type { ReactNode } from 'react'
import { Chip } from '../../kit/chip.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { ScrollPart } from '../../kit/overlay/sheet.tsx'
import { fineDurationText, Time, useNow } from '../../kit/time/time.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage } from '../parts/signing-message.ts'
import { type ProgressStep, progressSteps, type SigningTimes } from '../progress/intent-path.ts'

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
        <div className={styles.waitRing}>{ring}</div>
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
  readonly stopped?: boolean
}

export function WaitSteps({ message, times, words, stopped = false }: WaitStepsProps) {
  const steps: readonly ProgressStep[] = progressSteps({ source: message.thing === 'order' ? 'ticket' : 'request', after: words.after }, times, stopped)
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
