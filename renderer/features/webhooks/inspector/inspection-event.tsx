import type { Output } from '../../../../shared/ipc/contract.ts'
import { deliveryIssueText } from '../../../../shared/text/delivery-text.ts'
import { eventGroups, type WebhookEvent } from '../../../../shared/webhooks/events.ts'
import { Chip, type ChipTone } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import textStyles from '../../../kit/text.module.css'
import { durationText, fineDurationText, Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import webhooksStyles from '../subscriptions/webhooks.module.css'
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

export type Read = Extract<Output<'webhooks.inspect'>, { readonly kind: 'read' }>
type Step = Read['checks'][number]['step']

/** What each step asks, in the order of a receiver. */
export const stepNames: Readonly<Record<Step, string>> = {
  headers: 'The four headers are there, once each',
  timestamp: 'The timestamp is a number of Unix seconds',
  age: 'It is at most 300 s old',
  'signature form': 'The signature is v1= and 64 hexadecimal digits',
  signature: 'The signature is that of timestamp, period and raw body',
  body: 'The body is JSON with id, type, created_at and data',
  'event id': 'X-Svc-Event-ID is the id of the body',
  'event type': 'X-Svc-Event is the type of the body',
}

const readings: Readonly<Record<Read['body']['reading'], string | null>> = {
  pasted: null,
  without_break: 'It fits without the line break at the end, which came with the copying.',
  with_break: 'It fits with a line break at the end, which was left out in the copying.',
  crlf: 'It fits with line breaks of CR and LF, which were lost in the copying.',
  lf: 'It fits with line breaks of LF alone; CR came with the copying.',
}

/** Why the signature could not be checked, or not with every secret. */
const untriedWords: Readonly<Record<NonNullable<Read['untried']>, string>> = {
  chosen: 'No secret was chosen to check it with.',
  none_kept: 'No signing secret is kept on this computer.',
  not_here: 'The signing secret of this webhook is not on this computer. The service gives it only once, at the creation.',
  keychain_locked: 'The system keychain is locked. Unlock it and check again.',
  keychain_failed: 'The system keychain did not answer. Check again.',
}

const age = (ageMs: number): string => (ageMs >= 0 ? `${durationText(ageMs)} old` : `dated ${durationText(ageMs)} ahead of this clock`)

function signatureWords({ body, signer, tried, untried }: Read, result: Read['checks'][number]['result']): string | null {
  if (result === 'passed') return [signer === null ? null : `With the secret of ${signer.url}.`, readings[body.reading]].filter(Boolean).join(' ')
  if (result === 'unknown') return untried === null ? 'It needs a timestamp and a signature that can be read.' : untriedWords[untried]
  if (body.reformatted) return 'It fits the same JSON without its spaces: what was pasted was formatted anew. Take the raw body.'
  return tried > 1
    ? `It is that of none of the ${tried} secrets kept here, or bytes were changed.`
    : 'It is not that of these bytes, this timestamp and this secret.'
}

/** What a step found, in a sentence; null: its name says it. */
export function stepWords(read: Read, { step, result, issue }: Read['checks'][number]): string | null {
  if (step === 'signature') return signatureWords(read, result)
  if (step === 'age' && read.ageMs !== null)
    return read.ageMs < 0
      ? `Dated ${fineDurationText(-read.ageMs)} ahead of this clock${result === 'failed' ? ', which this app’s own rule refuses' : ''}`
      : `Sent ${fineDurationText(read.ageMs)} before this check`
  if (result === 'unknown') return 'There is nothing to check it on.'
  if (issue === null) return null
  const text = deliveryIssueText(issue)
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`
}

interface Verdict {
  readonly tone: ChipTone
  readonly icon: IconName
  readonly word: string
  readonly title: string
  readonly text: string
}

export function verdictOf(read: Read): Verdict {
  const corrects = read.event?.revokedEventId == null ? '' : ' It is a correction.'
  switch (read.verdict) {
    case 'right':
      return {
        tone: 'ok',
        icon: 'shield-check',
        word: 'Right',
        title: 'A receiver takes this delivery.',
        text: `It is signed with the secret of ${read.signer?.url ?? 'a webhook'}, and every step is right.${corrects}`,
      }
    case 'old':
      return {
        tone: 'warn',
        icon: 'clock',
        word: 'Any age',
        title: `The signature is right; this delivery is ${age(read.ageMs ?? 0)}.`,
        text: `A receiver with the tolerance of 300 s refuses it now, as it should. Signed with the secret of ${read.signer?.url ?? 'a webhook'}.${corrects}`,
      }
    case 'wrong': {
      const count = read.checks.filter(({ result }) => result === 'failed').length
      const [first] = read.checks.filter(({ result, step }) => result === 'failed' && step !== 'age')
      return {
        tone: 'danger',
        icon: 'shield-x',
        word: 'Wrong',
        title: first?.step === 'signature' ? 'The signature is wrong: a receiver refuses this delivery.' : 'A receiver refuses this delivery.',
        text: count === 1 ? 'One step fails; it is told below.' : `${count} steps fail; each is told below.`,
      }
    }
    case 'unknown':
      return {
        tone: 'neutral',
        icon: 'unknown',
        word: 'Not checked',
        title: 'Nobody can say yet who sent this.',
        text: read.untried === null ? 'The signature could not be checked.' : untriedWords[read.untried],
      }
  }
}

const about: readonly (readonly [name: string, what: string])[] = [
  ['X-Svc-Event', 'type of the event'],
  ['X-Svc-Event-ID', 'the same for every attempt: deduplicate by it'],
  ['X-Svc-Timestamp', 'Unix seconds of this attempt'],
  ['X-Svc-Signature', 'v1= and HMAC-SHA256'],
  ['User-Agent', 'Svc-DEX-Webhook/1.0'],
]
const agent = 'Svc-DEX-Webhook/1.0'

interface HeaderLine {
  readonly name: string
  readonly what: string
  readonly values: readonly string[]
  /** What is odd about it; null: nothing. */
  readonly odd: string | null
}

/** The five headers of the service, whether they came or not, and how many others did. */
function headerLines({ headers }: Pick<Read, 'headers'>): { readonly lines: readonly HeaderLine[]; readonly others: number } {
  const lines = about.map(([name, what]): HeaderLine => {
    const values = headers.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value)
    const odd =
      values.length === 0
        ? 'not there'
        : values.length > 1
          ? `there ${values.length} times`
          : name === 'User-Agent' && values[0] !== agent
            ? `the service sends ${agent}`
            : null
    return { name, what, values, odd }
  })
  return { lines, others: headers.length - lines.reduce((count, { values }) => count + values.length, 0) }
}
