import { type RefObject, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import type { Spending } from '../../../shared/ipc/intents/signing.ts'
import { spendingText, spendingTitle } from '../../../shared/text/signing-text.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { cx } from '../../kit/cx.ts'
import { Icon, type IconName } from '../../kit/icons/icon.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { FailureNote } from '../../parts/failure-note.tsx'
import { AddressText } from '../../parts/line-value.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import { signingText } from '../../text/en/signing.en.tsx'
import { ComparisonLines } from '../parts/comparison-lines.tsx'
import { emptyHand, HandQuestionList, handConfirmation, handQuestions, isAcceptedBySending, mayAsk } from '../parts/hand-questions.tsx'
import { digestGroups } from '../parts/phone-checks.ts'
import { thenText, type VerdictTone, verdictTone, verdictWords } from '../parts/review-text.ts'
import styles from '../parts/signing.module.css'
import type { HandConfirmation, SigningMessage } from '../parts/signing-message.ts'

function Facts({ message, rawShown, onRaw }: { readonly message: SigningMessage; readonly rawShown: boolean; readonly onRaw: () => void }) {
  const size = (new TextEncoder().encode(message.comparison.raw).length / 1024).toFixed(1)
  return (
    <div className={styles.signingFacts}>
      {message.facts.length === 0 ? null : (
        <dl aria-label={signingText.costs}>
          {message.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>
                {fact.value} {fact.unit === null ? null : <span className={textStyles.muted}>{fact.unit}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className={styles.signingRawToggle}>
        <button type="button" aria-expanded={rawShown} onClick={onRaw}>
          <Icon name="chevron-right" size={14} />
          {signingText.rawDataOf(<span className={textStyles.muted}>{signingText.kilobytes(size)}</span>)}
        </button>
      </div>
    </div>
  )
}

function Digest({ digest }: { readonly digest: string }) {
  const groups = digestGroups(digest)
  return (
    <div className={styles.signingDigest}>
      <span>
        <b>{signingText.digest}</b> <span className={textStyles.muted}>{signingText.digestHelp}</span>
      </span>
      <code data-digest={digest}>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group has no identity but its place
          <span key={`${index}:${group}`} className={index === 0 || index === groups.length - 1 ? styles.edge : undefined}>
            {group}
          </span>
        ))}
      </code>
      <CopyButton text={digest} what={signingText.digestToCopy} />
    </div>
  )
}

const verdictLooks: Readonly<Record<VerdictTone, { readonly className: string | undefined; readonly icon: IconName }>> = {
  ok: { className: cx(styles.signingVerdict, styles.ok), icon: 'shield-check' },
  neutral: { className: styles.signingVerdict, icon: 'shield' },
  warn: { className: cx(styles.signingVerdict, styles.warn), icon: 'warn' },
}

interface SigningReviewProps {
  readonly message: SigningMessage
  readonly focus: RefObject<HTMLButtonElement | null>
  /** Whether the deadline has passed. The sheet then still shows the message but no longer offers to sign it. */
  readonly late: boolean
  readonly busy: boolean
  /** Why main refused the last attempt. */
  readonly failure: Failure | null
  readonly onSend: (confirmation: HandConfirmation) => void
  /** Prepares the message again at the current price, after the price moved too far or the deadline passed. */
  readonly onPrepareAgain?: () => void
  /** Called when the user asks to switch the wallet to the exchange's chain. */
  readonly onSwitchChain: () => void
  readonly onClose: () => void
}

/** Compares the request with the message that the wallet would sign. One button sends the message to the wallet. */
export function SigningReview({ message, focus, late, busy, failure, onSend, onPrepareAgain, onSwitchChain, onClose }: SigningReviewProps) {
  const { comparison } = message
  const [hand, setHand] = useState(emptyHand)
  const [rawShown, setRawShown] = useState(false)
  const questions = handQuestions(message)
  const obstacle = message.transaction?.obstacle ?? null
  const pressable = obstacle === null && mayAsk(questions, hand)
  const verdict = verdictLooks[verdictTone(comparison, questions)]
  return (
    <>
      <ComparisonLines comparison={comparison} sends={message.transaction !== null} over={late} />
      <Facts message={message} rawShown={rawShown} onRaw={() => setRawShown(!rawShown)} />
      {rawShown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className={styles.signingRaw} tabIndex={0} aria-label={signingText.rawData}>
          {comparison.raw}
        </section>
      ) : null}
      <MoreFields className={styles.signingMore} of={signingText.thePreparation} fields={message.unknownFields} />
      {late ? null : <HandQuestionList message={message} questions={questions} draft={hand} onChange={setHand} />}
      <SpendingNote spending={message.spending} sends={message.transaction !== null} />
      {message.contractWallet === null ? null : (
        <div className={styles.signingSpending}>
          <Note tone={message.spending === null ? 'neutral' : 'warn'} icon="shield" title={signingText.contractWallet}>
            {message.contractWallet}
          </Note>
        </div>
      )}
      {comparison.digest === '' ? null : <Digest digest={comparison.digest} />}
      {obstacle === null ? null : (
        <div className={styles.signingFailure}>
          <Note tone="danger" title={signingText.cannotBeSent}>
            {obstacle}
          </Note>
        </div>
      )}
      {message.moved === null || late || onPrepareAgain === undefined ? null : (
        <div className={styles.signingFailure}>
          <Note
            tone="warn"
            live
            title={signingText.priceMoved(formatDecimal(message.moved, { sign: 'always' }))}
            end={
              <Button size="xs" icon="refresh" busy={busy} onClick={onPrepareAgain}>
                {signingText.takeNewPrice}
              </Button>
            }
          >
            {signingText.priceMovedHelp}
          </Note>
        </div>
      )}
      {failure === null || late ? null : (
        <div className={styles.signingFailure}>
          <FailureNote
            failure={failure}
            actions={
              failure.kind === 'wrong_chain' ? (
                <Button size="xs" icon="swap" onClick={onSwitchChain}>
                  {signingText.switchChain}
                </Button>
              ) : undefined
            }
          />
        </div>
      )}
      <SheetFoot
        verdict={
          late ? (
            <p className={cx(styles.signingVerdict, styles.warn)}>
              <Icon name="hourglass" />
              <span>{signingText.nothingSentPrepareAgain(thenText(message))}</span>
            </p>
          ) : (
            <p className={verdict.className}>
              <Icon name={verdict.icon} />
              <span>
                <b>{signingText.linesMatched(comparison.matched, comparison.total)}</b> {verdictWords(message, questions)}
              </span>
            </p>
          )
        }
      >
        <Button size="lg" variant="ghost" kbd={[signingText.esc]} onClick={onClose}>
          {signingText.cancel}
        </Button>
        {late && onPrepareAgain !== undefined ? (
          <Button ref={focus} size="lg" variant="primary" icon="refresh" busy={busy} onClick={onPrepareAgain}>
            {signingText.prepareAgain}
          </Button>
        ) : (
          <Button
            ref={focus}
            size="lg"
            variant="primary"
            icon="send"
            busy={busy}
            disabled={late || !pressable}
            onClick={() => onSend(handConfirmation(questions, hand))}
          >
            {isAcceptedBySending(questions) ? signingText.acceptAndSend : signingText.sendToWallet}
          </Button>
        )}
      </SheetFoot>
    </>
  )
}

function SpendingNote({ spending, sends }: { readonly spending: Spending | null; readonly sends: boolean }) {
  if (spending === null) return null
  const { amount } = spending
  return (
    <div className={styles.signingSpending}>
      <Note tone={amount === null ? 'danger' : 'neutral'} icon="coins" title={spendingTitle(spending)}>
        <AddressText
          text={amount === null ? spendingText(spending) : `${spendingText(spending)} ${sends ? signingText.depositUsesAllAtOnce : signingText.depositUsesAll}`}
          picture={false}
        />
      </Note>
    </div>
  )
}
