import { useEffect, useRef } from 'react'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Chip } from '../../kit/chip.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { ShownAmounts } from '../../kit/number.tsx'
import { Sheet } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { signingTime, useNow } from '../../kit/time/time.tsx'
import { HelpButton } from '../../parts/help/help-link.tsx'
import type { Naming } from '../../parts/name-offer.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import styles from '../parts/signing.module.css'
import type { SigningMessage, SigningStep } from '../parts/signing-message.ts'
import { useWallet, useWalletActions } from '../wallet/wallet-provider.tsx'
import type { SigningFlow, SigningPhase } from './signing-flow.ts'
import { followedHead, SigningFollowed } from './signing-followed.tsx'
import { SigningReview } from './signing-review.tsx'
import { SigningRefused, SigningStopped, stoppedHead } from './signing-stopped.tsx'
import type { Signing } from './use-signing.ts'
import { MatchChip, SigningWait, type SigningWords } from './wait-frame.tsx'

interface SigningSheetProps {
  readonly message: SigningMessage
  readonly flow: SigningFlow
  readonly words: SigningWords
  readonly signing: Pick<Signing<never>, 'send' | 'sendAgain' | 'close' | 'leave'>
  /** The intent that the sheet shows; null for a grant. */
  readonly intentRef: string | null
  readonly onPrepareAgain: () => void
  /** Whether a replacement message is being prepared. */
  readonly preparing?: boolean
  /** What the user can do when the service expects the signature under another field name; see `Naming`. */
  readonly naming?: Naming
}

interface Head {
  readonly title: string
  readonly lead: string
  readonly icon: Parameters<typeof Sheet>[0]['icon']
  readonly tone: 'accent' | 'warn' | 'danger'
}

function headOf(message: SigningMessage, phase: SigningPhase, signed: boolean, late: boolean): Head {
  const blocked = message.comparison.verdict === 'block'
  const plain = message.comparison.verdict === 'pass' && message.contracts.every(({ check }) => check.state === 'pinned')
  switch (phase.kind) {
    case 'review':
      if (blocked)
        return {
          title: signingText.notSentToWallet,
          lead: message.transaction === null ? signingText.askedToSignOther : signingText.askedToSendOther,
          icon: 'shield-x',
          tone: 'danger',
        }
      if (late) return { ...stoppedHead({ kind: 'too_late' }, message), lead: message.summary }
      return { title: message.title, lead: message.lead, icon: plain ? 'shield-check' : 'shield', tone: plain ? 'accent' : 'warn' }
    case 'waiting':
      return {
        title: !signed ? signingText.approveOnPhone : message.transaction === null ? signingText.checkingSignature : signingText.lookingForTransaction,
        lead: message.summary,
        icon: 'phone',
        tone: 'accent',
      }
    case 'stopped':
      return { ...stoppedHead(phase.stop, message), lead: message.summary }
    case 'followed':
      return { ...followedHead(phase.intent, message), lead: message.summary }
  }
}

function HeadEnd({ message, phase }: { readonly message: SigningMessage; readonly phase: SigningPhase }) {
  if (phase.kind !== 'review') return <MatchChip message={message} />
  if (message.comparison.verdict === 'block') {
    return (
      <Chip tone="danger" icon="stop">
        {signingText.refusedAt(signingTime(message.preparedAtMs))}
      </Chip>
    )
  }
  return message.deadlineMs === null ? null : <CountdownRing untilMs={message.deadlineMs} totalMs={message.deadlineMs - message.preparedAtMs} />
}

/**
 * The signing sheet for orders, grants and payments. It compares the message with the request, sends the message to the wallet when the user presses
 * the button, waits for the phone, and shows the result.
 */
export function SigningSheet({ message, flow, words, signing, intentRef, onPrepareAgain, preparing = false, naming }: SigningSheetProps) {
  const { phase, times } = flow
  const navigate = useNavigate()
  const profiles = useIpcQuery('profiles.list', {}).data
  const showPhone = useIpcCommand('practice.showPhone')
  const openExternal = useIpcCommand('app.openExternal')
  const relay = useWallet((state) => state.relay)
  const { switchChain } = useWalletActions()
  // In a practice profile, a separate window simulates the user's phone.
  const isPractice = profiles?.profiles.find(({ id }) => id === profiles.activeId)?.kind === 'practice'
  const openActivity = () => {
    signing.leave()
    navigate(`activity/${intentRef}`)
  }
  const focus = useRef<HTMLButtonElement>(null)
  const signed = times.signedAtMs !== null
  const blocked = message.comparison.verdict === 'block'
  const now = useNow()
  const late = message.deadlineMs !== null && now >= message.deadlineMs
  const { title, lead, icon, tone } = headOf(message, phase, signed, late)
  const first = useRef(phase.kind)
  useEffect(() => {
    if (phase.kind === first.current) return
    first.current = phase.kind
    focus.current?.focus()
  }, [phase.kind])
  return (
    <ShownAmounts>
      <Sheet
        title={title}
        lead={lead}
        {...(icon === undefined ? {} : { icon })}
        tone={tone}
        alert={blocked}
        className={phase.kind === 'review' ? styles.signingSheet : cx(styles.signingSheet, styles.signingWait)}
        onClose={signing.close}
        initialFocus={focus}
        end={
          <>
            <HeadEnd message={message} phase={phase} />
            <HelpButton topic="signing" over />
          </>
        }
      >
        <StepList steps={message.transaction?.steps ?? []} />
        {phase.kind === 'review' && blocked ? (
          <SigningRefused message={message} focus={focus} onClose={signing.close} {...(intentRef === null ? {} : { onOpenActivity: openActivity })} />
        ) : phase.kind === 'review' ? (
          <SigningReview
            message={message}
            focus={focus}
            late={late}
            busy={phase.busy || preparing}
            failure={phase.failure}
            onSend={signing.send}
            onPrepareAgain={onPrepareAgain}
            onSwitchChain={() => void switchChain()}
            onClose={signing.close}
          />
        ) : phase.kind === 'waiting' ? (
          <SigningWait
            message={message}
            times={times}
            words={words}
            relay={relay === 'down' ? 'lost' : 'reached'}
            onSendAgain={signing.sendAgain}
            onCancel={signing.close}
            {...(isPractice ? { onShowPhone: () => showPhone.mutate({}) } : {})}
          />
        ) : phase.kind === 'stopped' ? (
          <SigningStopped
            message={message}
            times={times}
            words={words}
            stop={phase.stop}
            busy={preparing}
            {...(naming === undefined ? {} : { naming })}
            onClose={signing.close}
            focus={focus}
            {...(phase.again === 'send' ? { onSendAgain: signing.sendAgain } : {})}
            {...(phase.again === 'prepare' ? { onPrepareAgain } : {})}
          />
        ) : (
          <SigningFollowed
            message={message}
            times={times}
            words={words}
            intent={phase.intent}
            focus={focus}
            onOpenTransaction={() => openExternal.mutate({ page: 'transaction', id: phase.intent.txHash })}
            onOpenActivity={openActivity}
            onClose={signing.close}
          />
        )}
      </Sheet>
    </ShownAmounts>
  )
}

const said: Readonly<Record<SigningStep['state'], string>> = {
  done: signingText.stepDone,
  now: signingText.stepNow,
  next: signingText.stepNext,
  failed: signingText.stepFailed,
}

function StepList({ steps }: { readonly steps: readonly SigningStep[] }) {
  if (steps.length < 2) return null
  return (
    <ol className={styles.signingSteps} aria-label={signingText.transactions}>
      {steps.map((step, index) => (
        <li key={step.label} className={styles[step.state]} aria-current={step.state === 'now' ? 'step' : undefined}>
          <span className={styles.stepMark}>
            {step.state === 'done' ? <Icon name="check" size={12} /> : step.state === 'failed' ? <Icon name="x" size={12} /> : index + 1}
          </span>
          <span className={styles.stepTitle}>
            {step.label}
            <span className={textStyles.screenReaderOnly}>, {said[step.state]}</span>
          </span>
          {step.note === null ? null : <span className={styles.stepNote}>{step.note}</span>}
        </li>
      ))}
    </ol>
  )
}
