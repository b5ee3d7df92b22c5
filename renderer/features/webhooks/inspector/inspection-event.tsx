import { eventGroups, type WebhookEvent } from '../../../../shared/webhooks/events.ts'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import webhooksStyles from '../subscriptions/webhooks.module.css'
import { headerLines, type Read } from './inspection-words.ts'
import inspectorStyles from './inspector.module.css'

const documented: ReadonlyMap<string, WebhookEvent> = new Map(eventGroups.flatMap(({ events }) => events.map((event) => [event.name, event])))

/** The headers of the service as they came. */
export function HeadersPanel({ read }: { readonly read: Read }) {
  const { lines, others } = headerLines(read)
  return (
    <Panel title="Headers" count={others === 0 ? undefined : `and ${others} ${others === 1 ? 'other' : 'others'}`} className={inspectorStyles.inspectorHeaders}>
      <Rows className={inspectorStyles.inspectorRows}>
        {lines.map(({ name, what, values, odd }) => (
          <Row key={name} name={<code>{name}</code>}>
            <span className={inspectorStyles.inspectorValue}>
              {values.length === 0 ? null : (
                <code>
                  <VisibleText text={values.join(', ')} />
                </code>
              )}
              {odd === null ? (
                <small className={textStyles.muted}>{what}</small>
              ) : (
                <State tone={values.length === 0 ? 'danger' : 'warn'} icon={values.length === 0 ? 'x' : 'warn'}>
                  {odd}
                </State>
              )}
            </span>
          </Row>
        ))}
      </Rows>
    </Panel>
  )
}

/** What the body says, with the document's meaning of it. Shown whatever the verdict: it says so where nobody vouches for it. */
export function EventPanel({ read }: { readonly read: Read }) {
  const { event, body } = read
  const known = event === null ? undefined : documented.get(event.type)
  const vouched = read.verdict === 'right' || read.verdict === 'old'
  return (
    <Panel title="Event" count={`${body.bytes.toLocaleString('en-US')} bytes`} end={vouched ? undefined : <Chip tone="warn">not vouched for</Chip>}>
      {event === null ? (
        <p className={inspectorStyles.inspectorNone}>The body holds no event that can be read.</p>
      ) : (
        <>
          <Rows className={inspectorStyles.inspectorRows}>
            <Row name="Type">
              <span className={inspectorStyles.inspectorValue}>
                <code>
                  <VisibleText text={event.type} />
                </code>
                <small className={textStyles.muted}>{known?.when ?? 'Not in the document'}</small>
                {known?.remark == null ? null : <Chip tone="warn">{known.remark}</Chip>}
              </span>
            </Row>
            <Row name="Id">
              <span className={inspectorStyles.inspectorId}>
                <code>
                  <VisibleText text={event.id} />
                </code>
                <CopyButton text={event.id} what="event id" />
              </span>
            </Row>
            <Row name="Created">
              <Time ms={event.createdAtMs} />
            </Row>
            <Row name="This attempt">
              <Time ms={read.sentAtMs} />
            </Row>
          </Rows>
          {event.revokedEventId === null ? null : (
            <div className={inspectorStyles.inspectorNote}>
              <Note tone="warn" icon="undo" title="A correction.">
                It takes back{' '}
                <code>
                  <VisibleText text={event.revokedEventId} />
                </code>
                : undo what that event did.
              </Note>
            </div>
          )}
        </>
      )}
      <div className={inspectorStyles.inspectorBodyHead}>
        <h3>{event?.whole == null ? 'Body as it came' : 'Body, indented'}</h3>
        <CopyButton text={body.text} what="raw body" words="Copy raw" size="xs" variant="ghost" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={webhooksStyles.inspectorBody} tabIndex={0} aria-label="Body of the delivery">
        <VisibleText text={event?.whole ?? body.text} />
      </section>
      <p className={inspectorStyles.inspectorFoot}>
        <Icon name="info" size={14} /> The fields inside data are not in the document. Order events by created_at and their data; deduplicate by the id.
      </p>
    </Panel>
  )
}
