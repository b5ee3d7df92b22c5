import { useState } from 'react'
import { type AmountFormat, formatCount } from '../../../shared/decimal.ts'
import type { Intent, OrderEvidence } from '../../../shared/ipc/intents/orders.ts'
import { notSentPhrase } from '../../../shared/phrases.ts'
import { reasonText } from '../../../shared/text/reason-text.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { CopyButton } from '../../kit/copy-button.tsx'
import { useNavigate } from '../../kit/layout/navigation.tsx'
import { Note } from '../../kit/layout/note.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { shorten, useAmountText } from '../../kit/number.tsx'
import textStyles from '../../kit/text.module.css'
import { exactTime, useNow } from '../../kit/time/time.tsx'
import { ServiceWord } from '../../kit/visible-text.tsx'
import { ConfirmName } from '../../parts/confirm-name.tsx'
import { ExecutionItems } from '../../parts/execution-items.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { WholeHex } from '../../parts/line-value.tsx'
import { MoreFields } from '../../parts/more-fields.tsx'
import { activityText } from '../../text/en/activity.en.tsx'
import styles from './activity.module.css'

/** Shown if the wallet's signature is stored but was not sent: the user sends or discards it. */
export function Unsent({ intent }: { readonly intent: Intent }) {
  const resume = useIpcCommand('intents.resume')
  const now = useNow(1_000)
  const over = intent.deadlineMs !== null && now >= intent.deadlineMs
  return (
    <div className={styles.listAsk}>
      <Note tone="warn" icon="pen" title={activityText.unsent}>
        <p>{over ? activityText.unsentExpired : activityText.unsentHelp}</p>
        <span className={textStyles.actions}>
          <Button
            size="sm"
            variant="primary"
            icon="send"
            busy={resume.isPending}
            disabled={over}
            onClick={() => resume.mutate({ ref: intent.ref, action: 'relay' })}
          >
            {activityText.sendNow}
          </Button>
          <Button size="sm" variant="danger" onClick={() => resume.mutate({ ref: intent.ref, action: 'drop' })}>
            {activityText.discardSignature}
          </Button>
        </span>
      </Note>
      {resume.error === null ? null : <FailureNote failure={failureOf(resume.error)} />}
    </div>
  )
}

/** Shown if the response to a request was lost. The app looks up the outcome; if it cannot find one, the user resolves the intent. */
export function Unknown({ intent }: { readonly intent: Intent }) {
  const lookUp = useIpcCommand('intents.lookUp')
  return (
    <div className={styles.listAsk}>
      <Note
        tone="warn"
        icon="unknown"
        title={activityText.responseLost}
        end={
          <Button size="sm" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
            {activityText.checkAgain}
          </Button>
        }
      >
        {intent.reason === null ? activityText.unknownHelp : activityText.unknownBecause(reasonText(intent.reason))}
      </Note>
      {intent.way === 'transactions' && intent.action !== 'execution_payment' ? <ContractSending intent={intent} /> : null}
      {intent.action === 'execution_payment' ? null : <ResolveUnknown intent={intent} />}
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </div>
  )
}

/**
 * Whether the user can sign or send a prepared intent on the activity page.
 * Excludes execution payments, which continue on the key's page, and delegated intents, which their executor carries out.
 */
export const mayContinue = ({ state, way, action }: Intent): boolean =>
  state === 'PREPARED' && way !== null && way !== 'executor' && action !== 'execution_payment'

/** Shown if the intent waits for the user to start a signature or the next transaction. Draws nothing for other intents. */
export function Unfinished({ intent }: { readonly intent: Intent }) {
  const navigate = useNavigate()
  const now = useNow(1_000)
  if (!mayContinue(intent)) return null
  if (intent.deadlineMs !== null && now >= intent.deadlineMs) return null
  return (
    <div className={styles.listAsk}>
      <Note
        tone="warn"
        icon={intent.way === 'transactions' ? 'send' : 'pen'}
        title={intent.way === 'transactions' ? activityText.waitsForTransaction : activityText.waitsForSignature}
        end={
          <Button size="sm" variant="primary" onClick={() => navigate(`trade/continue/${encodeURIComponent(intent.ref)}`)}>
            {activityText.continue}
          </Button>
        }
      >
        {intent.reason === null ? activityText.reviewFirst : activityText.reviewFirstBecause(reasonText(intent.reason))}
      </Note>
    </div>
  )
}

/**
 * Shows what the chain reports about a contract wallet's transaction whose hash is unknown, and lets the user resolve the intent. Draws nothing
 * without evidence.
 */
function ContractSending({ intent: { ref } }: { readonly intent: Intent }) {
  const [giving, setGiving] = useState(false)
  const read = useIpcQuery('intents.evidence', { ref }, { every: 10 * second })
  const sent = useIpcCommand('intents.answered')
  const notSent = useIpcCommand('intents.notSent')
  const evidence = read.data?.evidence ?? null
  if (evidence === null) return null
  const { hashes, fromBlock, upTo, over } = evidence
  const checked = [formatCount(fromBlock + 1), formatCount(upTo)] as const
  return (
    <>
      <Note
        tone="neutral"
        icon="search"
        title={hashes.length === 0 ? activityText.nothingOnChain : activityText.foundOnChain(hashes.length)}
        end={
          over ? (
            <Button size="sm" variant="danger" onClick={() => setGiving(true)}>
              {activityText.markNotSent}
            </Button>
          ) : undefined
        }
      >
        <p>{over ? activityText.contractExpired(...checked) : activityText.contractPending(...checked)}</p>
        {hashes.length < 2 ? null : (
          <ul className={styles.foundHashes}>
            {hashes.map((txHash) => (
              <li key={txHash}>
                <WholeHex hex={txHash} />
                <Button size="sm" busy={sent.isPending} onClick={() => sent.mutate({ ref, answer: txHash })}>
                  {activityText.itWasThis(shorten(txHash, 10, 6))}
                </Button>
              </li>
            ))}
          </ul>
        )}
      </Note>
      {sent.error === null ? null : <FailureNote failure={failureOf(sent.error)} />}
      {giving ? (
        <ConfirmName
          title={activityText.markNotSentQuestion}
          effect={hashes.length === 0 ? activityText.notSentNoneFound(...checked) : activityText.notSentSomeFound(...checked, hashes.length)}
          name={notSentPhrase}
          confirmLabel={activityText.markNotSent}
          keepLabel={activityText.keepLooking}
          busy={notSent.isPending}
          failure={notSent.error === null ? null : failureOf(notSent.error)}
          onConfirm={() => notSent.mutate({ ref, typed: notSentPhrase }, { onSuccess: () => setGiving(false) })}
          onClose={() => setGiving(false)}
        />
      ) : null}
    </>
  )
}

/** Shows an intent that a key's executor carries out: each action that the executor was asked for, and its outcome. */
export function Delegated({ intent }: { readonly intent: Intent }) {
  const replay = useIpcCommand('intents.replay')
  const known = useIpcQuery('intents.execution', { ref: intent.ref }, { every: 2_000 })
  const execution = known.data
  const lost = intent.state === 'UNKNOWN'
  return (
    <div className={styles.listAsk}>
      {lost ? (
        <Note
          tone="warn"
          icon="unknown"
          title={activityText.responseLost}
          end={
            <Button
              size="sm"
              icon="refresh"
              busy={replay.isPending}
              disabled={execution?.replayUntilMs == null}
              onClick={() => replay.mutate({ ref: intent.ref })}
            >
              {activityText.askAgain}
            </Button>
          }
        >
          {intent.reason === null ? activityText.askAgainHelp : activityText.askAgainBecause(reasonText(intent.reason))}
        </Note>
      ) : null}
      {lost ? <ResolveUnknown intent={intent} /> : null}
      {replay.error === null ? null : <FailureNote failure={failureOf(replay.error)} />}
      {execution === undefined ? null : (
        <>
          <Rows>
            <Row name={activityText.executedBy}>
              {execution.keyLabel === null ? activityText.executorOfUnnamedKey : activityText.executorOfKey(execution.keyLabel)}
            </Row>
            {execution.executor === null ? null : (
              <Row name={activityText.executor}>
                <code>{execution.executor}</code>
              </Row>
            )}
            <Row name={activityText.command}>
              {execution.commandId === null ? (
                <span className={textStyles.muted}>{activityText.noCommand}</span>
              ) : (
                <span className={styles.id}>
                  <code>{execution.commandId}</code>
                  <CopyButton text={execution.commandId} what={activityText.commandIdCopied} />
                </span>
              )}
            </Row>
            {execution.state === null ? null : (
              <Row name={activityText.serviceSays}>
                <ServiceWord word={execution.state} />
              </Row>
            )}
          </Rows>
          <ExecutionItems items={execution.items} />
          <MoreFields of={activityText.executionFields} fields={execution.unknownFields} />
        </>
      )}
    </div>
  )
}

/** Shows the evidence about an order whose outcome is UNKNOWN, and lets the user resolve the order if the app cannot. */
function ResolveUnknown({ intent }: { readonly intent: Intent }) {
  const { ref } = intent
  const now = useNow(second)
  const amount = useAmountText()
  const [asked, setAsked] = useState<'carried_out' | 'not_carried_out' | null>(null)
  const known = useIpcQuery('intents.unknown', { ref }, { every: 15 * second })
  const resolve = useIpcCommand('intents.resolve')
  if (known.data === undefined) return known.error === null ? null : <FailureNote failure={failureOf(known.error)} onRetry={() => void known.refetch()} />
  const { resolvableFromMs, passed } = known.data
  const open = now >= resolvableFromMs
  const say = (outcome: 'carried_out' | 'not_carried_out' | 'pass') => resolve.mutate({ ref, outcome }, { onSettled: () => setAsked(null) })
  return (
    <>
      <Note tone="neutral" icon="search" title={activityText.knownFacts}>
        <ul aria-label={activityText.knownFacts}>
          {evidenceLines(known.data, intent, now, amount).map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
        {open ? (
          asked === null ? (
            <span className={textStyles.actions}>
              <Button size="sm" onClick={() => setAsked('carried_out')}>
                {activityText.wasExecuted}
              </Button>
              <Button size="sm" onClick={() => setAsked('not_carried_out')}>
                {activityText.wasNotExecuted}
              </Button>
              {passed ? null : (
                <Button size="sm" variant="ghost" busy={resolve.isPending} onClick={() => say('pass')}>
                  {activityText.allowNewOrders}
                </Button>
              )}
            </span>
          ) : (
            <>
              <p>{asked === 'carried_out' ? activityText.executedEffect : activityText.notExecutedEffect}</p>
              <span className={textStyles.actions}>
                <Button size="sm" variant="danger" busy={resolve.isPending} onClick={() => say(asked)}>
                  {asked === 'carried_out' ? activityText.yesExecuted : activityText.yesNotExecuted}
                </Button>
                <Button size="sm" onClick={() => setAsked(null)}>
                  {activityText.keepLooking}
                </Button>
              </span>
            </>
          )
        ) : (
          <p>{activityText.resolveFrom(exactTime(resolvableFromMs))}</p>
        )}
      </Note>
      {resolve.error === null ? null : <FailureNote failure={failureOf(resolve.error)} />}
    </>
  )
}

const listedText = (listed: OrderEvidence['listed']): string =>
  listed === null
    ? activityText.noServiceId
    : !listed.read
      ? activityText.notInReadableList
      : listed.state === null
        ? activityText.notListed
        : activityText.listedAs(listed.state)

const shownText: Readonly<Record<OrderEvidence['shownAs'], string>> = {
  trade: activityText.inTrades,
  order: activityText.inOrders,
  nothing: activityText.inNeither,
  unread: activityText.notInReadableRows,
}

function positionLines(positions: OrderEvidence['positions'], { symbol, side }: Pick<Intent, 'symbol' | 'side'>, amount: AmountFormat): readonly string[] {
  const market = symbol ?? activityText.thisMarket
  if (positions === null) return []
  if (positions.length === 0)
    return [side === null ? activityText.noPosition(market) : side === 'long' ? activityText.noLong(market) : activityText.noShort(market)]
  return positions.map((one) => {
    if (one.size === null) return one.side === 'long' ? activityText.longOfUnknownSize(market) : activityText.shortOfUnknownSize(market)
    const size = amount(one.size)
    return one.side === 'long' ? activityText.long(size, market) : activityText.short(size, market)
  })
}

/** The facts about an order whose outcome is UNKNOWN, one per line. */
function evidenceLines(evidence: OrderEvidence, intent: Pick<Intent, 'symbol' | 'side'>, nowMs: number, amount: AmountFormat): readonly string[] {
  const { usableUntilMs } = evidence
  return [
    listedText(evidence.listed),
    shownText[evidence.shownAs],
    ...positionLines(evidence.positions, intent, amount),
    usableUntilMs === null
      ? activityText.neverExpires
      : usableUntilMs > nowMs
        ? activityText.executableUntil(exactTime(usableUntilMs))
        : activityText.wasExecutableUntil(exactTime(usableUntilMs)),
    evidence.passed ? activityText.newOrdersAllowed : activityText.newOrdersHeldBack,
  ]
}
