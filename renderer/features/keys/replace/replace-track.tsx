import type { ReactNode } from 'react'
import type { Replacement } from '../../../../shared/ipc/keys/replacements.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import styles from './replace.module.css'
import { stepsOf, type TrackStep, type TrackStepId, trackOf } from './replacement-track.ts'
import { stepTitles } from './replacement-words.ts'

const marks: Readonly<Record<TrackStep['state'], { readonly icon: IconName | null; readonly word: string }>> = {
  done: { icon: 'check', word: 'Done' },
  now: { icon: null, word: 'Under way' },
  stuck: { icon: 'warn', word: 'Stuck' },
  next: { icon: null, word: 'To come' },
  left: { icon: 'x', word: 'Given up' },
}

/** What a step is for, while it lies ahead. */
const ahead: Readonly<Record<TrackStepId, string>> = {
  plan: 'What the new key gets, and when.',
  key: 'Its secret goes into the keychain and is read back.',
  agent: 'Your wallet signs once.',
  probe: 'Binds the executor, then one reading call.',
  handover: 'Your bot starts with it. Both keys work.',
  revoke: 'Only when you say so, by its name.',
}

function Step({ step, position, children }: { readonly step: TrackStep; readonly position: number; readonly children?: ReactNode }) {
  const { icon, word } = marks[step.state]
  return (
    <li className={styles[step.state]} aria-current={step.state === 'now' || step.state === 'stuck' ? 'step' : undefined}>
      <span className={styles.replaceMark}>
        {icon === null ? <span aria-hidden="true">{position}</span> : <Icon name={icon} size={14} />}
        <span className={textStyles.screenReaderOnly}>{word}</span>
      </span>
      <div>
        <p className={styles.replaceHead}>
          <b>{stepTitles[step.id]}</b>
          {step.atMs === null ? null : (
            <span className={textStyles.muted}>
              <Time ms={step.atMs} />
            </span>
          )}
        </p>
        {step.state === 'next' ? <p className={textStyles.muted}>{ahead[step.id]}</p> : null}
        {children}
      </div>
    </li>
  )
}

/** The way of a replacement from top to bottom; what is to be done stands in the step under way. */
export function ReplaceTrack({ replacement, children }: { readonly replacement: Replacement; readonly children: ReactNode }) {
  const { now, newKey } = replacement
  return (
    <div>
      <ol className={styles.replaceTrack} aria-label="Steps of the replacement">
        {trackOf(replacement).map((step, index) => (
          <Step key={step.id} step={step} position={index + 1}>
            {step.state === 'now' || step.state === 'stuck' ? <div className={styles.replaceDo}>{children}</div> : null}
          </Step>
        ))}
      </ol>
      {now.state === 'abandoned' ? (
        <Note tone="neutral" title="It was abandoned.">
          {now.newKey === 'none'
            ? 'No new key was made.'
            : now.newKey === 'kept'
              ? `${newKey?.label ?? 'The new key'} works beside the old one.`
              : 'The new key was revoked.'}
        </Note>
      ) : null}
    </div>
  )
}

/** The same way before there is a replacement: the plan is made in its first step. */
export function PlannedTrack({ agent, children }: { readonly agent: boolean; readonly children: ReactNode }) {
  return (
    <ol className={styles.replaceTrack} aria-label="Steps of the replacement">
      {stepsOf('none').map((id, index) => (
        <Step key={id} step={{ id, state: index === 0 ? 'now' : 'next', atMs: null }} position={index + 1}>
          {index === 0 ? (
            <div className={styles.replaceDo}>{children}</div>
          ) : id === 'key' && agent ? (
            <p className={textStyles.muted}>Your wallet signs the grant of its agent.</p>
          ) : null}
        </Step>
      ))}
    </ol>
  )
}
