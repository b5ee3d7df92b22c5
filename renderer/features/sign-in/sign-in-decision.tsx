import { useEffect, useRef, useState } from 'react'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { challengeSentence } from '../../../shared/text/signing-text.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Icon } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { useNow } from '../../kit/time/time.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import type { SigningFlow } from '../../signing/sheet/signing-flow.ts'
import type { SigningStop } from '../../signing/sheet/signing-stop.ts'
import { useWalletActions } from '../../signing/wallet/wallet-provider.tsx'
import { signInText } from '../../text/en/signIn.en.tsx'
import styles from './session.module.css'

const gets = [
  { icon: 'clock', text: signInText.timeToManageKeys(<b>{signInText.fourHours}</b>) },
  { icon: 'x', text: signInText.cannotTradeOrMoveCollateral },
  { icon: 'lock', text: signInText.storedUntilItExpires },
] as const

/** Whether the sign-in is waiting for an answer of the main process, the phone or the service. */
export const isWithPhone = ({ phase }: SigningFlow): boolean => phase.kind === 'waiting' || (phase.kind === 'review' && phase.busy)

/** If the signature is missing for one of these reasons, the user can no longer sign the message and needs a new one. */
const ends: ReadonlySet<SigningStop['kind']> = new Set<SigningStop['kind']>(['request_expired', 'too_late', 'late_answer'])

interface DecisionProps {
  readonly flow: SigningFlow
  readonly challenge: ChallengeView
  readonly onSend: (acceptFormat: boolean) => void
  readonly onRead: () => void
  readonly onClose: () => void
}

export function SignInDecision({ flow, challenge, onSend, onRead, onClose }: DecisionProps) {
  const [accepted, setAccepted] = useState(false)
  const { phase, times } = flow
  const stop = phase.kind === 'stopped' ? phase.stop : null
  const failure = phase.kind === 'review' ? phase.failure : stop?.kind === 'refused' ? stop.failure : null
  const isOver = challenge.expiresAtMs <= useNow() || (stop !== null && ends.has(stop.kind))
  const practice = useIpcQuery('practice.status', {})
  const showPhone = useIpcCommand('practice.showPhone')
  const { switchChain } = useWalletActions()
  const navigate = useNavigate()
  const leave = (
    <Button size="lg" variant="ghost" kbd={[signInText.esc]} onClick={onClose}>
      {signInText.cancel}
    </Button>
  )
  const renew = (
    <Button size="lg" variant="primary" icon="refresh" onClick={onRead}>
      {signInText.getNewMessage}
    </Button>
  )
  if (isWithPhone(flow)) {
    const isFinishing = times.signedAtMs !== null
    return (
      <SheetFoot
        verdict={
          practice.data?.state === 'running' ? (
            <Button size="lg" icon="phone" onClick={() => showPhone.mutate({})}>
              {signInText.showPhone}
            </Button>
          ) : null
        }
      >
        {leave}
        <Button size="lg" icon="send" busy={isFinishing} onClick={() => onSend(accepted)}>
          {isFinishing ? signInText.signingIn : signInText.sendAgain}
        </Button>
      </SheetFoot>
    )
  }
  if (failure !== null) {
    return (
      <>
        <div className={styles.signInNote}>
          <FailureNote failure={failure} />
        </div>
        <SheetFoot>
          {leave}
          {renew}
        </SheetFoot>
      </>
    )
  }
  if (challenge.verdict === 'block') {
    return (
      <>
        <div className={styles.signInNote}>
          <Note tone="danger" icon="shield-x" title={challengeSentence(challenge) ?? signInText.messageFailsChecks} live>
            {signInText.notSentToWallet}
          </Note>
        </div>
        <SheetFoot
          verdict={
            <>
              <Icon name="shield-x" className={textStyles.danger} />
              <b>{signInText.checksPassed(challenge.passed, challenge.checks.length)}</b>
            </>
          }
        >
          <Button size="lg" onClick={onRead} icon="refresh">
            {signInText.getNewMessage}
          </Button>
          <Button size="lg" variant="primary" kbd={[signInText.esc]} onClick={onClose}>
            {signInText.close}
          </Button>
        </SheetFoot>
      </>
    )
  }
  if (isOver) {
    return (
      <>
        <div className={styles.signInNote}>
          <Note tone="warn" icon="hourglass" title={signInText.messageExpired} live>
            {signInText.messageExpiredHelp}
          </Note>
        </div>
        <SheetFoot>
          {leave}
          {renew}
        </SheetFoot>
      </>
    )
  }
  const unsigned = stop === null ? null : unsignedText(stop)
  const confirm = challenge.verdict === 'confirm'
  return (
    <>
      {unsigned === null ? (
        <div className={styles.gets}>
          {gets.map(({ icon, text }) => (
            <p key={icon}>
              <Icon name={icon} />
              <span>{text}</span>
            </p>
          ))}
        </div>
      ) : (
        <div className={styles.signInNote}>
          <Note
            tone="warn"
            title={unsigned.title}
            live
            end={
              stop?.kind === 'wrong_chain' ? (
                <Button size="xs" onClick={() => void switchChain()}>
                  {signInText.switchToBase}
                </Button>
              ) : stop?.kind === 'no_wallet' ? (
                <Button size="xs" onClick={() => navigate('connect')}>
                  {signInText.connect}
                </Button>
              ) : undefined
            }
          >
            {unsigned.text}
          </Note>
        </div>
      )}
      {confirm ? (
        <div className={styles.signInNote}>
          <Note tone="warn" icon="shield" title={challengeSentence(challenge) ?? signInText.newMessageForm}>
            <div className={styles.signInAccept}>
              <Checkbox checked={accepted} onChange={setAccepted}>
                {signInText.messageReadConfirmation}
              </Checkbox>
            </div>
          </Note>
        </div>
      ) : null}
      <SheetFoot
        verdict={
          <>
            <Icon name={confirm ? 'shield' : 'shield-check'} className={confirm ? textStyles.warn : textStyles.ok} />
            <b>{signInText.checksPassed(challenge.passed, challenge.checks.length)}</b>
          </>
        }
      >
        {leave}
        <SendButton disabled={confirm && !accepted} again={unsigned !== null} onPress={() => onSend(accepted)} />
      </SheetFoot>
    </>
  )
}

/** The button that sends the request to the phone. It takes the focus at once, which is safe: pressing it signs nothing yet. */
function SendButton({ disabled, again, onPress }: { readonly disabled: boolean; readonly again: boolean; readonly onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <Button ref={button} size="lg" variant="primary" icon="send" disabled={disabled} onClick={onPress}>
      {again ? signInText.sendAgain : signInText.sendToWallet}
    </Button>
  )
}

/** The text of the sign-in sheet if the phone returned no signature: why, and what to do. */
function unsignedText(stop: SigningStop): { readonly title: string; readonly text: string } {
  switch (stop.kind) {
    case 'rejected':
      return { title: signInText.rejectedOnPhone, text: signInText.rejectedHelp }
    case 'unreachable':
      return { title: signInText.relayUnreachable, text: signInText.relayUnreachableHelp }
    case 'wrong_chain':
      return { title: signInText.walletOnOtherChain, text: signInText.switchToBaseThenSend }
    case 'wrong_wallet':
      return {
        title: signInText.walletOnOtherAccount,
        text: signInText.chooseAccountOrNewMessage,
      }
    case 'no_wallet':
      return { title: signInText.walletDisconnected, text: signInText.walletDisconnectedHelp }
    case 'wallet_failed':
      return {
        title: signInText.noSignature,
        text: stop.detail === null || stop.detail === '' ? signInText.noSignatureHelp : signInText.walletSaid(stop.detail),
      }
    default:
      return { title: signInText.phoneTooLate, text: signInText.phoneTooLateHelp }
  }
}
