import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react'
import type { Check } from '../../../shared/ipc/intents/signing.ts'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { checkText } from '../../../shared/text/challenge-text.ts'
import { useDeskCall, useDeskQuery } from '../../ipc/use-desk.ts'
import buttonStyles from '../../kit/button.module.css'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Loading, Skeleton } from '../../kit/layout/skeleton.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import marksStyles from '../../kit/marks.module.css'
import { shorten } from '../../kit/number.tsx'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { fineDurationText, useNow } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import signingStyles from '../../signing/parts/signing.module.css'
import { useConnectedWallet, useSign } from '../../signing/wallet/wallet-provider.tsx'
import { messagePieces, type Piece } from './message-pieces.ts'
import styles from './session.module.css'
import { SignInDecision } from './sign-in-decision.tsx'
import { readChallenge, type Stage, signIn } from './sign-in-flow.ts'

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
      className={styles.signIn}
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
          <div className={styles.signInB}>
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
        <div className={styles.signInNone}>
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
        <div className={styles.signInB}>
          <div className={cx(styles.message, styles.signInLoad)}>
            {[180, 270, 330, 0, 170, 190, 240].map((width) => (
              <Skeleton key={width} width={width} />
            ))}
          </div>
          <div className={cx(styles.checks, styles.signInLoad)}>
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

/** While the phone has the request: what it must show. Its display is the last defence, so the user is told what to look for. */
function PhoneLook({ challenge, peerName, asked }: { readonly challenge: ChallengeView; readonly peerName: string; readonly asked: boolean }) {
  const hostCheck = challenge.checks.find(({ id }) => id === 'host')
  const host = hostCheck === undefined ? null : checkText(hostCheck).value
  const firstLine = challenge.message.split('\n')[0] ?? ''
  const looks = [
    { title: 'Svc Desk asks', text: `A message to sign, not a transaction, in ${peerName}` },
    { title: host ?? 'The same host', text: `The first line: “${firstLine.slice(0, 80)}”` },
    { title: 'Nothing to pay', text: 'No amount, no fee, no approval of tokens' },
  ]
  return (
    <section className={cx(styles.checks, signingStyles.look)} aria-label="What to look for on the phone">
      <h3>
        <Icon name="phone" size={14} />
        What to look for on the phone
      </h3>
      <ol>
        {looks.map(({ title, text }, index) => (
          <li key={title}>
            <em aria-hidden="true">{index + 1}</em>
            <div>
              <p>
                <b>{title}</b>
              </p>
              <p className={tableStyles.sub}>{text}</p>
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.lookState} role="status">
        <span className={buttonStyles.spin} aria-hidden="true" />
        {asked ? 'The phone has it. Waiting for your word there.' : 'On its way to the phone.'}
      </p>
    </section>
  )
}

function drawn(pieces: readonly Piece[]): readonly ReactNode[] {
  return pieces.map((piece, index) => {
    // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no identity but its place
    if (piece.type === 'text') return <span key={index}>{piece.text}</span>
    if (piece.type === 'hidden') {
      return (
        // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no identity but its place
        <b key={index} className={marksStyles.hiddenChar} title="A character that cannot be seen">
          {piece.text}
        </b>
      )
    }
    return (
      <mark key={`mark-${piece.number}`} className={piece.verdict === 'fail' ? styles.bad : undefined}>
        <em aria-hidden="true">{piece.number}</em>
        {drawn(piece.inside)}
      </mark>
    )
  })
}

/** The text exactly as received, with the places that were checked. Text nodes only: nothing in it can be markup. */
function MessageText({ challenge }: { readonly challenge: ChallengeView }) {
  return (
    <section className={styles.message} aria-label="The message">
      <h3>
        <Icon name="doc" size={14} />
        The message
        <span>{challenge.bytes} bytes, plain text</span>
      </h3>
      <pre>{drawn(messagePieces(challenge.message, challenge.checks))}</pre>
    </section>
  )
}

const verdicts: Readonly<Record<Check['verdict'], { readonly icon: IconName; readonly word: string; readonly tone: string | undefined }>> = {
  pass: { icon: 'check', word: 'passes', tone: textStyles.ok },
  fail: { icon: 'x', word: 'does not pass', tone: textStyles.danger },
  missing: { icon: 'unknown', word: 'not found in the message', tone: textStyles.warn },
}

function Value({ value }: { readonly value: string }) {
  const now = useNow()
  const moment = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(moment)) return <span title={value}>{moment > now ? `in ${fineDurationText(moment - now)}` : 'over'}</span>
  const wire = /^(0x)?[0-9a-fA-F]{8,}$/.test(value) || /^[\w.-]+(:\d+)?$/.test(value)
  const shown = value.length > 24 ? shorten(value) : value
  return wire ? <code title={value}>{shown}</code> : <span title={value}>{shown}</span>
}

/** Each check with its number in the message, what was found, and what it says. */
function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <section className={styles.checks} aria-label="What was checked">
      <h3>
        <Icon name="shield-check" size={14} />
        What was checked
      </h3>
      <ol>
        {checks.map((check, index) => {
          const { icon, word, tone } = verdicts[check.verdict]
          const { label, value, note } = checkText(check)
          return (
            <li key={check.id} className={styles[check.verdict]} data-check={check.id}>
              <em aria-hidden="true">{index + 1}</em>
              <div>
                <p>
                  <b>{label}</b>
                  {value === null ? null : <Value value={value} />}
                </p>
                <p className={tableStyles.sub}>{note}</p>
              </div>
              <Icon name={icon} className={tone} label={word} />
            </li>
          )
        })}
      </ol>
    </section>
  )
}
