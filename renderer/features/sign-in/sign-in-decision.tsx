import { useEffect, useRef, useState } from 'react'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { challengeSentence } from '../../../shared/text/signing-text.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
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
import styles from './session.module.css'

const gets = [
  { icon: 'clock', strong: '4 hours', text: ' of managing keys and webhooks' },
  { icon: 'x', strong: '', text: 'Cannot trade or move collateral' },
  { icon: 'lock', strong: '', text: 'Kept in the keychain until it ends' },
] as const

/** Main is asked, or the phone, or the service. */
export const isWithPhone = ({ phase }: SigningFlow): boolean => phase.kind === 'waiting' || (phase.kind === 'review' && phase.busy)

/** After these the text is of no use any more. */
const ends: ReadonlySet<SigningStop['kind']> = new Set<SigningStop['kind']>(['request_expired', 'too_late', 'late_answer'])

interface DecisionProps {
  readonly flow: SigningFlow
  readonly challenge: ChallengeView
  readonly onSend: (acceptLayout: boolean) => void
  readonly onRead: () => void
  readonly onClose: () => void
}

/** Under the message: what the sign-in gives, or what stands in its way; then the decision. */
export function SignInDecision({ flow, challenge, onSend, onRead, onClose }: DecisionProps) {
  const [accepted, setAccepted] = useState(false)
  const { phase, times } = flow
  const stop = phase.kind === 'stopped' ? phase.stop : null
  const failure = phase.kind === 'review' ? phase.failure : stop?.kind === 'refused' ? stop.failure : null
  const isOver = challenge.expiresAtMs <= useNow() || (stop !== null && ends.has(stop.kind))
  const practice = useDeskQuery('practice.status', {})
  const showPhone = useDeskCommand('practice.showPhone')
  const { switchChain } = useWalletActions()
  const navigate = useNavigate()
  const leave = (
    <Button size="lg" variant="ghost" kbd={['Esc']} onClick={onClose}>
      Cancel
    </Button>
  )
  const renew = (
    <Button size="lg" variant="primary" icon="refresh" onClick={onRead}>
      Take a new text
    </Button>
  )
  if (isWithPhone(flow)) {
    const isFinishing = times.signedAtMs !== null
    return (
      <SheetFoot
        verdict={
          practice.data?.state === 'running' ? (
            <Button size="lg" icon="phone" onClick={() => showPhone.mutate({})}>
              Show the phone
            </Button>
          ) : null
        }
      >
        {leave}
        <Button size="lg" icon="send" busy={isFinishing} onClick={() => onSend(accepted)}>
          {isFinishing ? 'Signing in' : 'Send again'}
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
          <Note tone="danger" icon="shield-x" title={challengeSentence(challenge) ?? 'The message does not say what it has to.'} live>
            It was not sent to the wallet. Do not sign it anywhere else.
          </Note>
        </div>
        <SheetFoot
          verdict={
            <>
              <Icon name="shield-x" className={textStyles.danger} />
              <b>
                {challenge.passed} of {challenge.checks.length} checks pass.
              </b>
            </>
          }
        >
          <Button size="lg" onClick={onRead} icon="refresh">
            Take a new text
          </Button>
          <Button size="lg" variant="primary" kbd={['Esc']} onClick={onClose}>
            Close
          </Button>
        </SheetFoot>
      </>
    )
  }
  if (isOver) {
    return (
      <>
        <div className={styles.signInNote}>
          <Note tone="warn" icon="hourglass" title="The text ran out." live>
            It is good for five minutes. Nothing was signed.
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
          {gets.map(({ icon, strong, text }) => (
            <p key={text}>
              <Icon name={icon} />
              <span>
                {strong === '' ? null : <b>{strong}</b>}
                {text}
              </span>
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
                  Switch to Base
                </Button>
              ) : stop?.kind === 'no_wallet' ? (
                <Button size="xs" onClick={() => navigate('connect')}>
                  Connect
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
          <Note tone="warn" icon="shield" title={challengeSentence(challenge) ?? 'This form of message is new to this app.'}>
            <div className={styles.signInAccept}>
              <Checkbox checked={accepted} onChange={setAccepted}>
                I have read the whole message and it asks only for a sign-in
              </Checkbox>
            </div>
          </Note>
        </div>
      ) : null}
      <SheetFoot
        verdict={
          <>
            <Icon name={confirm ? 'shield' : 'shield-check'} className={confirm ? textStyles.warn : textStyles.ok} />
            <b>
              {challenge.passed} of {challenge.checks.length} checks pass.
            </b>
          </>
        }
      >
        {leave}
        <SendButton disabled={confirm && !accepted} again={unsigned !== null} onPress={() => onSend(accepted)} />
      </SheetFoot>
    </>
  )
}

/** Has the focus as soon as it is there: pressing it sends nothing but a question to the phone. */
function SendButton({ disabled, again, onPress }: { readonly disabled: boolean; readonly again: boolean; readonly onPress: () => void }) {
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => button.current?.focus(), [])
  return (
    <Button ref={button} size="lg" variant="primary" icon="send" disabled={disabled} onClick={onPress}>
      {again ? 'Send again' : 'Send to wallet'}
    </Button>
  )
}

/** Why there is no signature, and what can be done, for the sign-in sheet. */
function unsignedText(stop: SigningStop): { readonly title: string; readonly text: string } {
  switch (stop.kind) {
    case 'rejected':
      return { title: 'You rejected it on the phone.', text: 'Nothing was signed. Send it again while its time lasts.' }
    case 'unreachable':
      return { title: 'The wallet relay is out of reach.', text: 'Nothing reached the phone. Send it again when the relay is back.' }
    case 'wrong_chain':
      return { title: 'The wallet is on another chain.', text: 'Nothing was sent to it. Switch it to Base, then send again.' }
    case 'wrong_wallet':
      return {
        title: 'Another account is active in the wallet.',
        text: 'Nothing was sent to it. Choose the account of this sign-in, or take a new text for the other one.',
      }
    case 'no_wallet':
      return { title: 'The wallet is not connected any more.', text: 'Nothing was signed. Connect it again.' }
    case 'wallet_failed':
      return {
        title: 'The wallet gave no signature.',
        text: stop.detail === null || stop.detail === '' ? 'Send it again, or look at the wallet.' : `It said: ${stop.detail}`,
      }
    default:
      return { title: 'The phone did not answer in time.', text: 'Nothing was signed. Take a new text and send that.' }
  }
}
