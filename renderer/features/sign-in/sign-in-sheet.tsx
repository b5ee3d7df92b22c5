import { type ReactNode, useCallback, useEffect, useRef } from 'react'
import type { Output } from '../../../shared/ipc/contract.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Check } from '../../../shared/ipc/intents/signing.ts'
import type { ChallengeView } from '../../../shared/ipc/keys/session.ts'
import { checkText } from '../../../shared/text/signing-text.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import buttonStyles from '../../kit/button.module.css'
import { Button } from '../../kit/button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Loading, Skeleton } from '../../kit/layout/placeholders.tsx'
import tableStyles from '../../kit/layout/table.module.css'
import marksStyles from '../../kit/marks.module.css'
import { ScrollPart, Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import { useToast } from '../../kit/overlay/toast.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { fineDurationText, useNow } from '../../kit/time/time.tsx'
import { FailurePanel } from '../../parts/failure-note.tsx'
import { WholeValue } from '../../parts/line-value.tsx'
import type { SigningKind } from '../../signing/sheet/signing-flow.ts'
import { useSigning } from '../../signing/sheet/use-signing.ts'
import { useConnectedWallet } from '../../signing/wallet/wallet-provider.tsx'
import { signInText } from '../../text/en/signIn.en.tsx'
import { messagePieces, type Piece } from './message-pieces.ts'
import styles from './session.module.css'
import { isWithPhone, SignInDecision } from './sign-in-decision.tsx'

/**
 * The signing of a sign-in message. The main process reads and checks the message before it asks the wallet.
 * `boolean` is the type of the user's decision: true accepts a message format that the app doesn't know.
 */
export const signInSigning: SigningKind<ChallengeView, Output<'session.status'>, boolean> = {
  stepsAfter: 0,
  preparedAtMs: ({ issuedAtMs }) => issuedAtMs,
  ask: (call, { id }, acceptFormat) => call('session.ask', { id, acceptFormat }),
  answered: (call, { id }, signature) => call('session.complete', { id, signature }),
}

/** The sign-in sheet: the text to sign, each check of the text, then the request on the phone. */
export function SignInSheet({ onClose }: { readonly onClose: () => void }) {
  const toast = useToast()
  const wallet = useConnectedWallet()
  const session = useIpcQuery('session.status', {})
  const onDone = useCallback(() => {
    toast({ tone: 'ok', title: signInText.signedIn, text: signInText.signedInForFourHours, action: null })
    onClose()
  }, [toast, onClose])
  const { open, start, replace, send, close } = useSigning(signInSigning, onDone)
  const { mutate, isPending, error } = useIpcCommand('session.challenge')
  const read = useCallback(() => {
    replace()
    mutate({}, { onSuccess: start })
  }, [mutate, replace, start])

  const isRead = useRef(false)
  useEffect(() => {
    if (isRead.current) return
    isRead.current = true
    read()
  }, [read])
  useEffect(() => close, [close])

  const { subject: challenge, flow } = isPending || error !== null || open === null ? { subject: null, flow: null } : open
  const again = session.data?.state === 'active' || session.data?.state === 'ending' || session.data?.state === 'ended'
  const waiting = flow !== null && isWithPhone(flow)
  return (
    <Sheet
      className={styles.signIn}
      icon="user"
      title={again ? signInText.signInAgain : signInText.signIn}
      lead={waiting ? signInText.approveOnPhone : signInText.signInLead}
      onClose={onClose}
      end={challenge === null ? undefined : <CountdownRing untilMs={challenge.expiresAtMs} totalMs={challenge.expiresAtMs - challenge.issuedAtMs} />}
    >
      {challenge === null ? (
        <Without failure={isPending || error === null ? null : failureOf(error)} onRetry={read} onClose={onClose} />
      ) : (
        <>
          <ScrollPart className={styles.signInB}>
            <MessageText challenge={challenge} />
            {waiting ? (
              <PhoneLook challenge={challenge} peerName={wallet?.peerName ?? null} asked={flow.phase.kind === 'waiting' && flow.phase.onPhone} />
            ) : (
              <CheckList checks={challenge.checks} />
            )}
          </ScrollPart>
          <SignInDecision flow={flow} challenge={challenge} onSend={send} onRead={read} onClose={onClose} />
        </>
      )}
    </Sheet>
  )
}

function Without({ failure, onRetry, onClose }: { readonly failure: Failure | null; readonly onRetry: () => void; readonly onClose: () => void }) {
  const navigate = useNavigate()
  if (failure !== null) {
    return (
      <>
        <div className={styles.signInNone}>
          <FailurePanel
            failure={failure}
            level={3}
            {...(failure.kind === 'no_wallet' ? {} : { onRetry })}
            actions={
              failure.kind === 'no_wallet' ? (
                <Button size="sm" variant="primary" onClick={() => navigate('connect')}>
                  {signInText.connectWallet}
                </Button>
              ) : undefined
            }
          />
        </div>
        <SheetFoot>
          <Button size="lg" variant="ghost" kbd={[signInText.esc]} onClick={onClose}>
            {signInText.close}
          </Button>
        </SheetFoot>
      </>
    )
  }
  return (
    <>
      <Loading label={signInText.requestingMessage}>
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
        <Button size="lg" variant="ghost" kbd={[signInText.esc]} onClick={onClose}>
          {signInText.cancel}
        </Button>
      </SheetFoot>
    </>
  )
}

/** Shows what the phone should display during the request. The user compares this with the phone, because the phone's display is the last defence. */
function PhoneLook({ challenge, peerName, asked }: { readonly challenge: ChallengeView; readonly peerName: string | null; readonly asked: boolean }) {
  const hostCheck = challenge.checks.find(({ id }) => id === 'host')
  const host = hostCheck === undefined ? null : checkText(hostCheck).value
  const firstLine = challenge.message.split('\n')[0] ?? ''
  const looks = [
    { title: signInText.svcDeskAsks, text: signInText.messageNotTransaction(peerName) },
    { title: host ?? signInText.sameHost, text: signInText.firstLineIs(firstLine.slice(0, 80)) },
    { title: signInText.nothingToPay, text: signInText.noAmountFeeOrApproval },
  ]
  return (
    <section className={cx(styles.checks, styles.phoneLook)} aria-label={signInText.checkOnPhone}>
      <h3>
        <Icon name="phone" size={14} />
        {signInText.checkOnPhone}
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
        {asked ? signInText.waitingForPhone : signInText.sendingToPhone}
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
        <b key={index} className={marksStyles.hiddenChar} title={signInText.invisibleCharacter}>
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

function MessageText({ challenge }: { readonly challenge: ChallengeView }) {
  return (
    <section className={styles.message} aria-label={signInText.message}>
      <h3>
        <Icon name="doc" size={14} />
        {signInText.message}
        <span>{signInText.bytesPlainText(challenge.bytes)}</span>
      </h3>
      <pre>{drawn(messagePieces(challenge.message, challenge.checks))}</pre>
    </section>
  )
}

const verdicts: Readonly<Record<Check['verdict'], { readonly icon: IconName; readonly word: string; readonly tone: string | undefined }>> = {
  pass: { icon: 'check', word: signInText.checkPasses, tone: textStyles.ok },
  fail: { icon: 'x', word: signInText.checkFails, tone: textStyles.danger },
  missing: { icon: 'unknown', word: signInText.checkMissing, tone: textStyles.warn },
}

/** A value that the message was checked against. It is never shortened, because the user compares it with the message and the phone. */
export function Value({ value }: { readonly value: string }) {
  const now = useNow()
  const moment = /^\d{4}-\d{2}-\d{2}T/.test(value) ? Date.parse(value) : Number.NaN
  if (!Number.isNaN(moment)) return <span title={value}>{moment > now ? signInText.timeLeft(fineDurationText(moment - now)) : signInText.timePassed}</span>
  const wire = /^[\w.-]+(:\d+)?$/.test(value)
  return wire ? (
    <code>
      <WholeValue text={value} />
    </code>
  ) : (
    <WholeValue text={value} />
  )
}

function CheckList({ checks }: { readonly checks: readonly Check[] }) {
  return (
    <section className={styles.checks} aria-label={signInText.checks}>
      <h3>
        <Icon name="shield-check" size={14} />
        {signInText.checks}
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
