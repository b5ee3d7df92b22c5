import { useId, useState } from 'react'
import type { ReceiverTestCheck } from '../../../../shared/ipc/webhooks/receiver-test.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { answersText, asSentence, resultLooks, shortWhy } from './receiver-test-words.ts'

type Exchange = ReceiverTestCheck['exchanges'][number]

/** What was sent once and what came back. The receiver's own words are text of others. */
function ExchangeItem({ exchange: { sent, answered } }: { readonly exchange: Exchange }) {
  const said = answered.status === null ? answered.text : answered.text.slice(String(answered.status).length).trim()
  return (
    <li>
      <p className="rt-line">
        <span className="cut">
          <code>{sent.type}</code>
          {sent.attempt > 1 ? <span className="muted">, attempt {sent.attempt}</span> : null}
        </span>
        <span className="rt-answer">
          <b>{answered.status ?? 'No answer'}</b> {answered.ms} ms
        </span>
      </p>
      <p className={sent.altered === null ? 'muted' : undefined}>{asSentence(sent.altered ?? 'as the service sends it')}</p>
      <p className="muted">
        <code>{sent.eventId}</code>, timestamp <code>{sent.timestampS}</code>, {sent.bytes} bytes
      </p>
      {said === '' ? null : (
        <p className="rt-said">
          <code>
            <VisibleText text={said} />
          </code>
        </p>
      )}
    </li>
  )
}

function Opened({ check, id }: { readonly check: ReceiverTestCheck; readonly id: string }) {
  const { title, why, exchanges } = check
  return (
    <section id={id} className="rt-open" aria-label={`What was sent for: ${title}`}>
      <p>{asSentence(why)}.</p>
      {exchanges.length === 0 ? (
        <p className="muted">Nothing was sent for this one alone.</p>
      ) : (
        <ul>
          {exchanges.map((exchange, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same event may be sent twice in one attempt
            <ExchangeItem key={at} exchange={exchange} />
          ))}
        </ul>
      )}
    </section>
  )
}

/** A check that has ended; it opens to what was sent and answered. */
export function EndedRow({ check }: { readonly check: ReceiverTestCheck }) {
  const id = useId()
  const [open, setOpen] = useState(false)
  const look = resultLooks[check.result]
  const answers = answersText(check)
  return (
    <li className={`rt-row ${check.result}`}>
      <button type="button" aria-expanded={open} aria-controls={open ? id : undefined} onClick={() => setOpen(!open)}>
        <Icon name={look.icon} size={14} />
        <span className="rt-words">
          <span className="rt-title">
            <span className="sr">{look.word} </span>
            {check.title}
          </span>
          {answers === null ? (
            <span className="sub" title={check.why}>
              {shortWhy(check)}
            </span>
          ) : null}
        </span>
        {answers === null ? null : <span className="rt-short">{answers}</span>}
        <Icon name="chevron-right" size={12} className="rt-chev" />
      </button>
      {open ? <Opened check={check} id={id} /> : null}
    </li>
  )
}

/** A check whose turn has not come, or is now. */
export function WaitingRow({ title, now }: { readonly title: string; readonly now: boolean }) {
  return (
    <li className={now ? 'rt-row now' : 'rt-row waits'}>
      <div>
        {now ? <span className="spin" aria-hidden="true" /> : <span className="rt-dot" aria-hidden="true" />}
        <span className="rt-words rt-title">{title}</span>
        {now ? <span className="rt-short">Being tried</span> : null}
      </div>
    </li>
  )
}
