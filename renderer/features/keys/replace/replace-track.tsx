import type { ReactNode } from 'react'
import type { Replacement, ReplacementState } from '../../../../shared/ipc/keys/replacements.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import styles from './replace.module.css'
import { currentStep, stepsOf, type TrackStep, type TrackStepId, trackOf } from './replacement-track.ts'

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

type Stuck = Extract<ReplacementState, { state: 'stuck' }>['reason']

interface StuckWords {
  readonly title: string
  readonly text: string
  /** Where it is settled, if not here. */
  readonly elsewhere: { readonly label: string; readonly to: (replacement: Replacement) => string } | null
  /** The step that goes on once it is settled; null where only leaving is left. */
  readonly step: 'retry' | 'check' | null
}

const ofNewKey =
  (action: string) =>
  ({ newKey }: Replacement): string =>
    newKey === null ? 'keys' : `keys/${newKey.id}/${action}`

/** Why a replacement cannot go on, what it means, and what helps. */
export const stuckWords: Readonly<Record<Stuck, StuckWords>> = {
  no_room: {
    title: 'There is no room for another key.',
    text: 'As many keys are active as the service allows. Revoke one that you do not need, then go on.',
    elsewhere: { label: 'See the keys', to: () => 'keys' },
    step: 'retry',
  },
  creation_unknown: {
    title: 'The answer to making the new key was lost.',
    text: 'The service may have made it. It is not made again by itself: settle it under Keys, by a fresh secret or by revoking it, then look again.',
    elsewhere: { label: 'Settle it', to: () => 'keys' },
    step: 'check',
  },
  creation_unnamed: {
    title: 'A lost creation was left without knowing what came of it.',
    text: 'A request that was cut may still arrive for some minutes. Go on after that: the list then tells whether a key came of it.',
    elsewhere: { label: 'See the keys', to: () => 'keys' },
    step: 'retry',
  },
  old_key_gone: {
    title: 'The old key is revoked already.',
    text: 'There is nothing left to replace. Abandon this; a new key by itself can be made at any time.',
    elsewhere: { label: 'New key', to: () => 'keys/new' },
    step: null,
  },
  new_key_gone: {
    title: 'The new key has ended or was revoked.',
    text: 'The old one still works. Go on to make another in its place.',
    elsewhere: null,
    step: 'retry',
  },
  new_key_dead: {
    title: 'The service refuses the new key’s secret.',
    text: 'Rotate the new key for a fresh one, then go on. The old key still works.',
    elsewhere: { label: 'Rotate the new key', to: ofNewKey('rotate') },
    step: 'retry',
  },
  secret_lost: {
    title: 'The new key’s secret is not on this computer.',
    text: 'Rotate the new key for a fresh one, then look again. The old key still works.',
    elsewhere: { label: 'Rotate the new key', to: ofNewKey('rotate') },
    step: 'check',
  },
}

const stepTitles: Readonly<Record<TrackStepId, string>> = {
  plan: 'Plan it',
  key: 'Make the new key',
  agent: 'Grant its agent',
  probe: 'Try the new key',
  handover: 'Hand it to the bot',
  revoke: 'Revoke the old key',
}

/** What a note on the list says of one that is under way. */
export function progressWords(replacement: Replacement): { readonly title: string; readonly text: string } {
  const { oldKey, newKey, now, plan } = replacement
  if (now.state === 'stuck') return { title: `The replacement of ${oldKey.label} is stuck.`, text: stuckWords[now.reason].title }
  if (now.state === 'planned') return { title: `It is time to replace ${oldKey.label}.`, text: `${plan.label} gets its scopes, addresses and limits.` }
  const step = currentStep(replacement)
  return {
    title: `${oldKey.label} is being replaced${newKey === null ? '' : ` by ${newKey.label}`}.`,
    text: `${step === null ? '' : `Next: ${stepTitles[step].charAt(0).toLowerCase()}${stepTitles[step].slice(1)}. `}${newKey === null ? '' : 'Both keys work.'}`.trim(),
  }
}
