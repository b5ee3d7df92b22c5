import { useState } from 'react'
import type { Intent, RequestRecord } from '../../../shared/ipc/orders.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { Chip, type ChipTone } from '../../ui/chip.tsx'
import { Coin } from '../../ui/coin.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { CountdownRing } from '../../ui/countdown-ring.tsx'
import { Empty } from '../../ui/empty.tsx'
import { ExecutionItems } from '../../ui/execution-items.tsx'
import { FailureNote, FailurePanel } from '../../ui/failure-note.tsx'
import { Icon } from '../../ui/icon.tsx'
import { MoreFields } from '../../ui/more-fields.tsx'
import { Link, useNavigate } from '../../ui/navigation.tsx'
import { Note } from '../../ui/note.tsx'
import { useNow } from '../../ui/now.tsx'
import { Row, Rows } from '../../ui/panel.tsx'
import { shorten } from '../../ui/short.ts'
import { Confirmations } from '../../ui/signing/confirmations.tsx'
import { confirmedBlocks, finalConfirmations, isTerminal } from '../../ui/signing/intent-way.ts'
import { Loading, Skeleton } from '../../ui/skeleton.tsx'
import { intentStateLook, type StateTone } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { VisibleText } from '../../ui/visible-text.tsx'
import { requestTone, shortPath, sinceText, type TimelineRow, timelineRows } from './intent-timeline.ts'
import { requestPlace } from './request-place.ts'

const chipTone: Readonly<Record<StateTone, ChipTone>> = { ok: 'ok', busy: 'accent', warn: 'warn', danger: 'danger', off: 'neutral' }

function Marker({ mark }: { readonly mark: TimelineRow['mark'] }) {
  return (
    <span className="tl-i">
      {mark === 'done' ? (
        <Icon name="check" size={12} />
      ) : mark === 'bad' ? (
        <Icon name="x" size={12} />
      ) : mark === 'lost' ? (
        <Icon name="unknown" size={12} />
      ) : null}
    </span>
  )
}

function Timeline({ rows, intent }: { readonly rows: readonly TimelineRow[]; readonly intent: Intent }) {
  const openExternal = useDeskCommand('app.openExternal')
  const hash = intent.txHash
  const hashRow = rows.find((row) => row.state === 'SUBMITTED' && row.mark !== 'next') ?? rows.findLast((row) => row.mark !== 'next')
  return (
    <ol className="tl" aria-label="What happened">
      {rows.map((row) => (
        <li key={row.key} className={row.mark} aria-current={row.mark === 'now' ? 'step' : undefined}>
          <Marker mark={row.mark} />
          <div>
            <p>
              <b>{row.word}</b>
              {row.atMs === null ? null : row.sinceFirstMs === null ? (
                <Time ms={row.atMs} form="clock" />
              ) : (
                <time dateTime={new Date(row.atMs).toISOString()}>{sinceText(row.sinceFirstMs)}</time>
              )}
            </p>
            <p className="sub">{row.note}</p>
            {row === hashRow && hash !== null ? (
              <span className="id">
                <code title={hash}>{shorten(hash, 10, 8)}</code>
                <CopyButton text={hash} what="transaction hash" />
                <IconButton icon="external" size="xs" label="Open in the explorer" onClick={() => openExternal.mutate({ page: 'transaction', id: hash })} />
              </span>
            ) : null}
          </div>
        </li>
      ))}
    </ol>
  )
}

export function RequestRows({ requests }: { readonly requests: readonly RequestRecord[] }) {
  return (
    <tbody>
      {requests.map((record) => (
        <tr key={record.id}>
          <td>
            <Link to={requestPlace(record.id)} className="rq-open">
              <code title={record.path}>
                <span className="muted">{record.method}</span> {shortPath(record.path)}
              </code>
            </Link>
            {record.attempt > 1 ? <span className="muted"> try {record.attempt}</span> : null}
          </td>
          <td>
            <Chip tone={requestTone(record)} title={record.outcome}>
              {record.status ?? 'none'}
            </Chip>
          </td>
          <td className="r">{record.ms.toLocaleString('en-US')} ms</td>
          <td className="r">
            {record.requestId === null ? (
              <span className="muted">—</span>
            ) : (
              <span className="id">
                <code title={record.requestId}>{shorten(record.requestId, 12, 4)}</code>
                <CopyButton text={record.requestId} what="request id" />
              </span>
            )}
          </td>
        </tr>
      ))}
    </tbody>
  )
}

/** A signature that is kept and was not sent: the user decides. */
function Unsent({ intent }: { readonly intent: Intent }) {
  const resume = useDeskCommand('orders.resume')
  const now = useNow(1_000)
  const over = intent.deadlineMs !== null && now >= intent.deadlineMs
  return (
    <div className="a-ask">
      <Note tone="warn" icon="pen" title="You signed this, and it was not sent.">
        <p>
          {over
            ? 'Its time is over, so it can no longer be sent. Drop the signature.'
            : 'The app was closed in between. Send it now, or drop the signature; it is kept encrypted until you choose.'}
        </p>
        <span className="acts-r">
          <Button
            size="sm"
            variant="primary"
            icon="send"
            busy={resume.isPending}
            disabled={over}
            onClick={() => resume.mutate({ ref: intent.ref, action: 'relay' })}
          >
            Send it
          </Button>
          <Button size="sm" variant="danger" onClick={() => resume.mutate({ ref: intent.ref, action: 'drop' })}>
            Drop the signature
          </Button>
        </span>
      </Note>
      {resume.error === null ? null : <FailureNote failure={failureOf(resume.error)} />}
    </div>
  )
}

/** What the executor of a key was asked for, and what became of each part of it. */
function Delegated({ intent }: { readonly intent: Intent }) {
  const replay = useDeskCommand('execution.replay')
  const known = useDeskQuery('execution.get', { ref: intent.ref }, { every: 2_000 })
  const execution = known.data
  const lost = intent.state === 'UNKNOWN'
  return (
    <div className="a-ask">
      {lost ? (
        <Note
          tone="warn"
          icon="unknown"
          title="The answer was lost."
          end={
            <Button
              size="sm"
              icon="refresh"
              busy={replay.isPending}
              disabled={execution?.replayUntilMs == null}
              onClick={() => replay.mutate({ ref: intent.ref })}
            >
              Ask again
            </Button>
          }
        >
          {intent.reason ?? 'The executor may have carried it out.'} Asking again sends the very same order: the exchange gives its first answer, and carries it
          out now if it never got it. It is never done twice.
        </Note>
      ) : null}
      {replay.error === null ? null : <FailureNote failure={failureOf(replay.error)} />}
      {execution === undefined ? null : (
        <>
          <Rows>
            <Row name="Way">Executor of {execution.keyLabel ?? 'a key'}; no wallet signed it</Row>
            {execution.executor === null ? null : (
              <Row name="Executor">
                <code>{execution.executor}</code>
              </Row>
            )}
            <Row name="Command">
              {execution.commandId === null ? (
                <span className="muted">none was named</span>
              ) : (
                <span className="id">
                  <code>{execution.commandId}</code>
                  <CopyButton text={execution.commandId} what="command id" />
                </span>
              )}
            </Row>
            {execution.state === null ? null : (
              <Row name="The service says">
                <VisibleText text={execution.state} />
              </Row>
            )}
          </Rows>
          <ExecutionItems items={execution.items} />
          <MoreFields of="the execution" fields={execution.unknownFields} />
        </>
      )}
    </div>
  )
}

function Unknown({ intent }: { readonly intent: Intent }) {
  const lookUp = useDeskCommand('orders.lookUp')
  return (
    <div className="a-ask">
      <Note
        tone="warn"
        icon="unknown"
        title="The answer was lost."
        end={
          <Button size="sm" icon="search" busy={lookUp.isPending} onClick={() => lookUp.mutate({ ref: intent.ref })}>
            Look up now
          </Button>
        }
      >
        {intent.reason ?? 'It may or may not have been executed.'} It is never sent twice; the same order waits until this settles.
      </Note>
      {lookUp.error === null ? null : <FailureNote failure={failureOf(lookUp.error)} />}
    </div>
  )
}

/** Prepared, and neither signed nor sent to its end: one that a key's page or an executor carries out is not taken up here. */
const mayContinue = ({ state, way, action }: Intent): boolean => state === 'PREPARED' && way !== null && way !== 'executor' && action !== 'execution_payment'

/** It waits for a signature or for its next transaction: nothing happens before the user goes on. */
function Unfinished({ intent }: { readonly intent: Intent }) {
  const navigate = useNavigate()
  const now = useNow(1_000)
  const over = intent.deadlineMs !== null && now >= intent.deadlineMs
  return (
    <div className="a-ask">
      <Note
        tone="warn"
        icon={intent.way === 'transactions' ? 'send' : 'pen'}
        title={intent.way === 'transactions' ? 'It waits for a transaction of your wallet.' : 'It waits for your signature.'}
        end={
          <Button size="sm" variant="primary" onClick={() => navigate(`trade/continue/${encodeURIComponent(intent.ref)}`)}>
            Continue
          </Button>
        }
      >
        {over ? 'Its time is over: continued, it is prepared again.' : 'You see it line by line before your wallet is asked.'}
      </Note>
    </div>
  )
}

function Blocks({ intent }: { readonly intent: Intent }) {
  const count = confirmedBlocks(intent.state, intent.confirmations)
  return (
    <div className="conf">
      <Confirmations intent={intent} />
      <p role="status">
        <b>
          {count} of {finalConfirmations}
        </b>{' '}
        confirmations
        <span className="muted">{intent.state === 'FINAL' ? 'Final' : intent.state === 'REVERTED' ? 'Reverted' : 'Not final yet'}</span>
      </p>
    </div>
  )
}

/** One intent: where it stands, how it came there, and the requests that were made for it. */
export function IntentDetail({ reference }: { readonly reference: string | null }) {
  const [raw, setRaw] = useState(false)
  const known = useDeskQuery('orders.get', { ref: reference ?? '' }, { enabled: reference !== null, every: 2_000 })
  if (reference === null) {
    return (
      <section className="panel det" aria-label="Details">
        <Empty icon="activity" title="Choose an intent">
          Its steps, its confirmations and its requests are shown here.
        </Empty>
      </section>
    )
  }
  if (known.data === undefined) {
    return (
      <section className="panel det" aria-label="Details">
        {known.error !== null ? (
          <FailurePanel failure={failureOf(known.error)} onRetry={() => void known.refetch()} retrying={known.isFetching} />
        ) : (
          <Loading label="Reading the intent">
            <header>
              <Skeleton width={24} height={24} round />
              <Skeleton width={200} />
            </header>
            <div className="conf">
              <Skeleton width="100%" />
            </div>
          </Loading>
        )}
      </section>
    )
  }
  const { intent, timeline, requests, payload, typedData, unknownFields } = known.data
  const look = intentStateLook(intent.state)
  const onChain = intent.txHash !== null || intent.state === 'SUBMITTED'
  const sub = [intent.symbol, intent.action.replaceAll('_', ' ')].filter((part) => part !== null).join(', ')
  return (
    <section className="panel det" aria-labelledby="intent-title">
      <header>
        {intent.symbol === null ? <Icon name="activity" size={20} /> : <Coin base={intent.symbol.split('-')[0] ?? intent.symbol} size={24} />}
        <div>
          <h2 id="intent-title">{intent.title}</h2>
          <p className="muted">{sub}</p>
        </div>
        <span className="end">
          {!isTerminal(intent.state) && !onChain && intent.deadlineMs !== null ? (
            <CountdownRing size={44} untilMs={intent.deadlineMs} totalMs={Math.max(1, intent.deadlineMs - intent.createdAtMs)} />
          ) : null}
          <Chip tone={chipTone[look.tone]} icon={look.icon}>
            {look.word}
          </Chip>
        </span>
      </header>
      <div className="det-scroll">
        {onChain ? <Blocks intent={intent} /> : null}
        {intent.unsentSignature ? <Unsent intent={intent} /> : null}
        {mayContinue(intent) ? <Unfinished intent={intent} /> : null}
        {intent.way === 'executor' ? <Delegated intent={intent} /> : null}
        {intent.state === 'UNKNOWN' ? (
          intent.way === 'executor' ? null : (
            <Unknown intent={intent} />
          )
        ) : intent.reason === null ? null : (
          <div className="a-ask">
            <Note tone={look.tone === 'danger' ? 'danger' : 'neutral'} icon={look.icon}>
              {intent.reason}
            </Note>
          </div>
        )}
        <Timeline rows={timelineRows(intent, timeline)} intent={intent} />
        <div className="rq">
          <div className="panel-head">
            <h3>Requests</h3>
            <span className="count">{requests.length}</span>
            <span className="end">
              <Button size="xs" variant="ghost" aria-expanded={raw} onClick={() => setRaw(!raw)}>
                {raw ? 'Hide what was sent' : 'What was sent'}
              </Button>
            </span>
          </div>
          {raw ? (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
            <section className="a-raw" tabIndex={0} aria-label="What was sent">
              {[payload, typedData].filter((text) => text !== null).join('\n\n')}
            </section>
          ) : null}
          <table className="table rows28" aria-label="Requests of this intent">
            <RequestRows requests={requests} />
          </table>
          <MoreFields className="rq-more" of="this intent" fields={unknownFields} />
        </div>
      </div>
    </section>
  )
}
