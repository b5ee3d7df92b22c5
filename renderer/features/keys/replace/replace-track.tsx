import type { ReactNode } from 'react'
import type { Replacement, ReplacementState } from '../../../../shared/ipc/keys/replacements.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from './replace.module.css'
import { currentStep, stepsOf, type TrackStep, type TrackStepId, trackOf } from './replacement-track.ts'

const marks: Readonly<Record<TrackStep['state'], { readonly icon: IconName | null; readonly word: string }>> = {
  done: { icon: 'check', word: keysText.done },
  now: { icon: null, word: keysText.underWay },
  stuck: { icon: 'warn', word: keysText.stuck },
  next: { icon: null, word: keysText.stepNext },
  left: { icon: 'x', word: keysText.abandoned },
}

/** For each step that is still to come, the text that describes it. */
const ahead: Readonly<Record<TrackStepId, string>> = {
  plan: keysText.aheadPlan,
  key: keysText.aheadKey,
  agent: keysText.aheadAgent,
  probe: keysText.aheadProbe,
  handover: keysText.aheadHandOver,
  revoke: keysText.aheadRevoke,
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

/** The steps of a replacement from top to bottom, with the actions in the active one. */
export function ReplaceTrack({ replacement, children }: { readonly replacement: Replacement; readonly children: ReactNode }) {
  const { now, newKey } = replacement
  return (
    <div>
      <ol className={styles.replaceTrack} aria-label={keysText.replacementSteps}>
        {trackOf(replacement).map((step, index) => (
          <Step key={step.id} step={step} position={index + 1}>
            {step.state === 'now' || step.state === 'stuck' ? <div className={styles.replaceDo}>{children}</div> : null}
          </Step>
        ))}
      </ol>
      {now.state === 'abandoned' ? (
        <Note tone="neutral" title={keysText.replacementAbandoned}>
          {now.newKey === 'none'
            ? keysText.noNewKeyCreated
            : now.newKey === 'revoked'
              ? keysText.newKeyRevoked
              : now.newKey === 'unsure'
                ? keysText.oldKeyUnsure
                : newKey === null
                  ? keysText.newKeyAndOldWork
                  : keysText.keyAndOldWork(newKey.label)}
        </Note>
      ) : null}
    </div>
  )
}

/** The steps as shown before a replacement exists. In the first step, the user makes the plan. */
export function PlannedTrack({ agent, children }: { readonly agent: boolean; readonly children: ReactNode }) {
  return (
    <ol className={styles.replaceTrack} aria-label={keysText.replacementSteps}>
      {stepsOf('none').map((id, index) => (
        <Step key={id} step={{ id, state: index === 0 ? 'now' : 'next', atMs: null }} position={index + 1}>
          {index === 0 ? (
            <div className={styles.replaceDo}>{children}</div>
          ) : id === 'key' && agent ? (
            <p className={textStyles.muted}>{keysText.walletSignsGrant}</p>
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
  /** Another page on which the user can resolve the problem; `null` if the replacement sheet itself can resolve it. */
  readonly elsewhere: { readonly label: string; readonly to: (replacement: Replacement) => string } | null
  /** The step to run once the problem is resolved; `null` if the user can only abandon the replacement. */
  readonly step: 'retry' | 'check' | null
}

const ofNewKey =
  (action: string) =>
  ({ newKey }: Replacement): string =>
    newKey === null ? 'keys' : `keys/${newKey.id}/${action}`

/** Why a replacement is stuck, what that means, and what the user can do. */
export const stuckWords: Readonly<Record<Stuck, StuckWords>> = {
  no_room: {
    title: keysText.stuckNoRoom,
    text: keysText.stuckNoRoomAdvice,
    elsewhere: { label: keysText.openKeys, to: () => 'keys' },
    step: 'retry',
  },
  creation_unknown: {
    title: keysText.stuckCreationLost,
    text: keysText.stuckCreationLostAdvice,
    elsewhere: { label: keysText.resolveInKeys, to: () => 'keys' },
    step: 'check',
  },
  creation_unnamed: {
    title: keysText.stuckCreationDismissed,
    text: keysText.stuckCreationDismissedAdvice,
    elsewhere: { label: keysText.openKeys, to: () => 'keys' },
    step: 'retry',
  },
  old_key_gone: {
    title: keysText.stuckOldKeyGone,
    text: keysText.stuckOldKeyGoneAdvice,
    elsewhere: { label: keysText.newKey, to: () => 'keys/new' },
    step: null,
  },
  new_key_gone: {
    title: keysText.stuckNewKeyGone,
    text: keysText.stuckNewKeyGoneAdvice,
    elsewhere: null,
    step: 'retry',
  },
  new_key_dead: {
    title: keysText.stuckSecretRejected,
    text: keysText.stuckSecretRejectedAdvice,
    elsewhere: { label: keysText.rotateNewKey, to: ofNewKey('rotate') },
    step: 'retry',
  },
  secret_lost: {
    title: keysText.stuckSecretMissing,
    text: keysText.stuckSecretMissingAdvice,
    elsewhere: { label: keysText.rotateNewKey, to: ofNewKey('rotate') },
    step: 'check',
  },
}

const stepTitles: Readonly<Record<TrackStepId, string>> = {
  plan: keysText.planReplacement,
  key: keysText.createNewKey,
  agent: keysText.grantItsAgent,
  probe: keysText.testNewKey,
  handover: keysText.handToBot,
  revoke: keysText.revokeOldKey,
}

/** The note about a running replacement in the key list. */
export function progressWords(replacement: Replacement): { readonly title: string; readonly text: string } {
  const { oldKey, newKey, now, plan } = replacement
  if (now.state === 'stuck') return { title: keysText.replacementStuck(oldKey.label), text: stuckWords[now.reason].title }
  if (now.state === 'planned') return { title: keysText.timeToReplace(oldKey.label), text: keysText.getsItsSettings(plan.label) }
  const step = currentStep(replacement)
  return {
    title: newKey === null ? keysText.beingReplaced(oldKey.label) : keysText.beingReplacedBy(oldKey.label, newKey.label),
    text: [...(step === null ? [] : [keysText.nextStep(stepTitles[step])]), ...(newKey === null ? [] : [keysText.bothKeysWork])].join(' '),
  }
}
