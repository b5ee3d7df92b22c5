import { type RefObject, useState } from 'react'
import { formatDecimal } from '../../../shared/decimal.ts'
import type { Failure } from '../../../shared/ipc/failure.ts'
import { Button } from '../button.tsx'
import { CopyButton } from '../copy-button.tsx'
import { FailureNote } from '../failure-note.tsx'
import { Icon } from '../icon.tsx'
import { Note } from '../note.tsx'
import { useNow } from '../now.tsx'
import { SheetFoot } from '../sheet.tsx'
import { ComparisonLines } from './comparison-lines.tsx'
import { emptyHand, type HandQuestions, handConfirmation, handQuestions, mayAsk } from './hand-confirmation.ts'
import { HandQuestionList } from './hand-questions.tsx'
import { digestGroups } from './phone-checks.ts'
import type { HandConfirmation, SigningMessage } from './signing-message.ts'

function Facts({ message, rawShown, onRaw }: { readonly message: SigningMessage; readonly rawShown: boolean; readonly onRaw: () => void }) {
  const size = (new TextEncoder().encode(message.comparison.raw).length / 1024).toFixed(1)
  return (
    <div className="sign-facts">
      {message.facts.length === 0 ? null : (
        <dl aria-label="Costs">
          {message.facts.map((fact) => (
            <div key={fact.label}>
              <dt>{fact.label}</dt>
              <dd>
                {fact.value} {fact.unit === null ? null : <span className="muted">{fact.unit}</span>}
              </dd>
            </div>
          ))}
        </dl>
      )}
      <div className="sign-raw-toggle">
        <button type="button" aria-expanded={rawShown} onClick={onRaw}>
          <Icon name="chevron-right" size={14} />
          Raw data<span className="muted">{size} KB</span>
        </button>
      </div>
    </div>
  )
}

function Digest({ digest }: { readonly digest: string }) {
  const groups = digestGroups(digest)
  return (
    <div className="sign-digest">
      <span>
        <b>Digest</b> <span className="muted">Compare it with your hardware wallet</span>
      </span>
      <code data-digest={digest}>
        {groups.map((group, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a group has no identity but its place
          <span key={`${index}:${group}`} className={index === 0 || index === groups.length - 1 ? 'edge' : undefined}>
            {group}
          </span>
        ))}
      </code>
      <CopyButton text={digest} what="digest" />
    </div>
  )
}

/** What follows "18 of 18 lines match": what is still to be said by hand, if anything. */
function verdictWords({ comparison }: SigningMessage, { phrase, router }: HandQuestions): string {
  // A router that is new is the only line it explains.
  const explained = router === 'none' ? 0 : 1
  if (phrase !== null && comparison.total - comparison.matched > explained) return 'The rest needs your word.'
  const asks = [...(phrase === null ? [] : ['form']), ...(router === 'none' ? [] : ['router'])]
  if (asks.length === 0) return 'The message holds nothing else.'
  return `The ${asks.join(' and the ')} ${asks.length === 1 ? 'needs' : 'need'} your word once.`
}

interface SigningReviewProps {
  readonly message: SigningMessage
  /** The control that has the focus first. */
  readonly focus: RefObject<HTMLButtonElement | null>
  readonly busy: boolean
  /** What main answered to the last try. */
  readonly failure: Failure | null
  readonly onSend: (confirmation: HandConfirmation) => void
  /** For a price that moved or a deadline that passed: prepares again at the price of now. */
  readonly onPrepareAgain?: () => void
  /** For a wallet on another chain. */
  readonly onSwitchChain: () => void
  readonly onClose: () => void
}

/** Compares what was asked for with what the wallet would sign, and sends it to the wallet by one button. */
export function SigningReview({ message, focus, busy, failure, onSend, onPrepareAgain, onSwitchChain, onClose }: SigningReviewProps) {
  const { comparison, deadlineMs } = message
  const [hand, setHand] = useState(emptyHand)
  const [rawShown, setRawShown] = useState(false)
  const now = useNow(1_000)
  const late = deadlineMs !== null && now >= deadlineMs
  const questions = handQuestions(message)
  const pressable = mayAsk(questions, hand, message.router?.candidate ?? null)
  const plain = comparison.verdict === 'pass' && questions.router === 'none'
  return (
    <>
      <ComparisonLines comparison={comparison} />
      <Facts message={message} rawShown={rawShown} onRaw={() => setRawShown(!rawShown)} />
      {rawShown ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        <section className="sign-raw" tabIndex={0} aria-label="Raw data">
          {comparison.raw}
        </section>
      ) : null}
      <HandQuestionList message={message} questions={questions} draft={hand} onChange={setHand} />
      <Digest digest={comparison.digest} />
      {message.moved === null || late || onPrepareAgain === undefined ? null : (
        <div className="sign-failure">
          <Note
            tone="warn"
            live
            title={`The price moved ${formatDecimal(message.moved, { sign: 'always' })} % since you reviewed it.`}
            end={
              <Button size="xs" icon="refresh" busy={busy} onClick={onPrepareAgain}>
                Take the new price
              </Button>
            }
          >
            That is more than your slippage, so as it is it would probably not fill.
          </Note>
        </div>
      )}
      {failure === null ? null : (
        <div className="sign-failure">
          <FailureNote
            failure={failure}
            actions={
              failure.kind === 'wrong_chain' ? (
                <Button size="xs" icon="swap" onClick={onSwitchChain}>
                  Switch the chain
                </Button>
              ) : undefined
            }
          />
        </div>
      )}
      <SheetFoot
        verdict={
          late ? (
            <p className="sign-verdict warn">
              <Icon name="hourglass" />
              <span>
                <b>The time for this {message.thing} is over.</b> Nothing was sent.
              </span>
            </p>
          ) : (
            <p className={plain ? 'sign-verdict ok' : 'sign-verdict warn'}>
              <Icon name={plain ? 'shield-check' : 'warn'} />
              <span>
                <b>
                  {comparison.matched} of {comparison.total} lines match.
                </b>{' '}
                {verdictWords(message, questions)}
              </span>
            </p>
          )
        }
      >
        <Button size="lg" variant="ghost" kbd={['Esc']} onClick={onClose}>
          Cancel
        </Button>
        {late && onPrepareAgain !== undefined ? (
          <Button size="lg" variant="primary" icon="refresh" busy={busy} onClick={onPrepareAgain}>
            Prepare again
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
            Send to wallet
          </Button>
        )}
      </SheetFoot>
    </>
  )
}
