import { useCallback, useEffect, useRef, useState } from 'react'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { useDeskCall, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button } from '../../kit/button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Loading, Skeleton } from '../../kit/layout/skeleton.tsx'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { useConnectedWallet, useSign } from '../../signing/wallet/wallet-provider.tsx'
import { CheckList } from './check-list.tsx'
import { MessageText } from './message-text.tsx'
import { PhoneLook } from './phone-look.tsx'
import { SignInDecision } from './sign-in-decision.tsx'
import { readChallenge, type Stage, signIn } from './sign-in-flow.ts'
import './session.css'

/** Signing in: the text that the wallet will sign, each check of it, then the phone. */
export function SignInSheet({ onClose }: { readonly onClose: () => void }) {
  const call = useDeskCall()
  const sign = useSign()
  const toast = useToast()
  const wallet = useConnectedWallet()
  const session = useDeskQuery('session.status', {})
  const [stage, setStage] = useState<Stage>({ kind: 'reading' })
  const current = useRef<AbortController | null>(null)

  /** Each step ends the one before it. */
  const begin = useCallback((): AbortSignal => {
    current.current?.abort()
    current.current = new AbortController()
    return current.current.signal
  }, [])
  const read = useCallback(() => void readChallenge({ call, show: setStage }, begin()), [call, begin])
  const send = (challenge: ChallengeView, acceptLayout: boolean) => void signIn({ call, sign, show: setStage }, challenge, acceptLayout, begin())

  useEffect(() => {
    read()
    return () => current.current?.abort()
  }, [read])
  useEffect(() => {
    if (stage.kind !== 'done') return
    toast({ tone: 'ok', title: 'Signed in', text: 'Keys can be managed for four hours.', action: null })
    onClose()
  }, [stage, toast, onClose])

  const challenge = 'challenge' in stage ? stage.challenge : null
  const again = session.data?.state === 'active' || session.data?.state === 'ending' || session.data?.state === 'ended'
  const waiting = stage.kind === 'waiting' || stage.kind === 'finishing'
  return (
    <Sheet
      className="si"
      icon="user"
      title={again ? 'Sign in again' : 'Sign in'}
      lead={
        waiting ? 'The text on the left is on your phone now. Approve it there.' : 'Your wallet signs the text on the left, exactly as received. It is free.'
      }
      onClose={onClose}
      end={challenge === null ? undefined : <CountdownRing untilMs={challenge.expiresAtMs} totalMs={challenge.expiresAtMs - challenge.issuedAtMs} />}
    >
      {challenge === null ? (
        <Without stage={stage} onRetry={read} onClose={onClose} />
      ) : (
        <>
          <div className="si-b">
            <MessageText challenge={challenge} />
            {waiting ? (
              <PhoneLook
                challenge={challenge}
                peerName={wallet?.peerName ?? 'the wallet'}
                asked={stage.kind === 'finishing' || (stage.kind === 'waiting' && stage.asked)}
              />
            ) : (
              <CheckList checks={challenge.checks} />
            )}
          </div>
          <SignInDecision stage={stage} challenge={challenge} onSend={send} onRead={read} onClose={onClose} />
        </>
      )}
    </Sheet>
  )
}

function Without({ stage, onRetry, onClose }: { readonly stage: Stage; readonly onRetry: () => void; readonly onClose: () => void }) {
  const navigate = useNavigate()
  if (stage.kind === 'failed') {
    return (
      <>
        <div className="si-none">
          <FailurePanel
            failure={stage.failure}
            {...(stage.failure.kind === 'no_wallet' ? {} : { onRetry })}
            actions={
              stage.failure.kind === 'no_wallet' ? (
                <Button size="sm" variant="primary" onClick={() => navigate('connect')}>
                  Connect a wallet
                </Button>
              ) : undefined
            }
          />
        </div>
        <SheetFoot>
          <Button size="lg" variant="ghost" kbd={['Esc']} onClick={onClose}>
            Close
          </Button>
        </SheetFoot>
      </>
    )
  }
  return (
    <>
      <Loading label="Asking the service for a text to sign">
        <div className="si-b">
          <div className="msg si-load">
            {[180, 270, 330, 0, 170, 190, 240].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
          <div className="cks si-load">
            {[350, 340, 352, 344, 356].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
        </div>
      </Loading>
      <SheetFoot>
        <Button size="lg" variant="ghost" kbd={['Esc']} onClick={onClose}>
          Cancel
        </Button>
      </SheetFoot>
    </>
  )
}
