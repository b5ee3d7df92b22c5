import { formatCount } from '../../../../shared/decimal.ts'
import type { Output } from '../../../../shared/ipc/contract.ts'
import { deliveryIssueText, eventWords } from '../../../../shared/text/delivery-text.ts'
import { eventGroups, type WebhookEvent } from '../../../../shared/webhooks/events.ts'
import { Chip, type ChipTone } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon, type IconName } from '../../../kit/icons/icon.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Panel, Row, Rows } from '../../../kit/layout/panel.tsx'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import textStyles from '../../../kit/text.module.css'
import { durationText, fineDurationText, Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import webhooksStyles from '../subscriptions/webhooks.module.css'
import styles from './inspector.module.css'

const documented: ReadonlyMap<string, WebhookEvent> = new Map(eventGroups.flatMap(({ events }) => events.map((event) => [event.name, event])))

export function HeadersPanel({ read }: { readonly read: Read }) {
  const { lines, others } = headerLines(read)
  return (
    <Panel title={webhooksText.headers} count={others === 0 ? undefined : webhooksText.otherHeaders(others)} className={styles.inspectorHeaders}>
      <Rows className={styles.inspectorRows}>
        {lines.map(({ name, what, values, odd }) => (
          <Row key={name} name={<code>{name}</code>}>
            <span className={styles.inspectorValue}>
              {values.length === 0 ? null : (
                <code>
                  <VisibleText text={values.join(', ')} />
                </code>
              )}
              {odd === null ? (
                what === null ? null : (
                  <small className={textStyles.muted}>{what}</small>
                )
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

/** The event in the body, with its meaning from the documentation. Shown even if the delivery is not verified, but then marked as unverified. */
export function EventPanel({ read }: { readonly read: Read }) {
  const { event, body } = read
  const known = event === null ? undefined : documented.get(event.type)
  const vouched = read.verdict === 'right' || read.verdict === 'old'
  return (
    <Panel
      title={webhooksText.event}
      count={webhooksText.bytes(formatCount(body.bytes))}
      end={vouched ? undefined : <Chip tone="warn">{webhooksText.unverified}</Chip>}
    >
      {event === null ? (
        <p className={styles.inspectorNone}>{webhooksText.noReadableEvent}</p>
      ) : (
        <>
          <Rows className={styles.inspectorRows}>
            <Row name={webhooksText.type}>
              <span className={styles.inspectorValue}>
                <code>
                  <VisibleText text={event.type} />
                </code>
                <small className={textStyles.muted}>{known === undefined ? webhooksText.notInTheDocument : eventWords[known.name]}</small>
                {known?.remark == null ? null : <Chip tone="warn">{eventWords[known.remark]}</Chip>}
              </span>
            </Row>
            <Row name={webhooksText.id}>
              <span className={styles.inspectorId}>
                <code>
                  <VisibleText text={event.id} />
                </code>
                <CopyButton text={event.id} what={webhooksText.eventIdCopied} />
              </span>
            </Row>
            <Row name={webhooksText.created}>
              <Time ms={event.createdAtMs} />
            </Row>
            <Row name={webhooksText.thisAttempt}>
              <Time ms={read.sentAtMs} />
            </Row>
          </Rows>
          {event.revokedEventId === null ? null : (
            <div className={styles.inspectorNote}>
              <Note tone="warn" icon="undo" title={webhooksText.aCorrection}>
                {webhooksText.correctionUndo(
                  <code>
                    <VisibleText text={event.revokedEventId} />
                  </code>,
                )}
              </Note>
            </div>
          )}
        </>
      )}
      <div className={styles.inspectorBodyHead}>
        <h3>{event?.whole == null ? webhooksText.bodyAsReceived : webhooksText.bodyIndented}</h3>
        <CopyButton text={body.text} what={webhooksText.rawBody} words={webhooksText.copyRaw} size="xs" variant="ghost" />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section className={webhooksStyles.inspectorBody} tabIndex={0} aria-label={webhooksText.deliveryBody}>
        <VisibleText text={event?.whole ?? body.text} />
      </section>
      <p className={styles.inspectorFoot}>
        <Icon name="info" size={14} /> {webhooksText.undocumentedData}
      </p>
    </Panel>
  )
}

export type Read = Extract<Output<'webhooks.inspect'>, { readonly kind: 'read' }>
type Step = Read['checks'][number]['step']

/** Names what each verification step checks, in the order in which a receiver checks. */
export const stepNames: Readonly<Record<Step, string>> = {
  headers: webhooksText.stepHeaders,
  timestamp: webhooksText.stepTimestamp,
  age: webhooksText.stepAge,
  'signature form': webhooksText.stepSignatureForm,
  signature: webhooksText.stepSignature,
  body: webhooksText.stepBody,
  'event id': webhooksText.stepEventId,
  'event type': webhooksText.stepEventType,
}

const readings: Readonly<Record<Read['body']['reading'], string | null>> = {
  pasted: null,
  without_break: webhooksText.fitsWithoutFinalBreak,
  with_break: webhooksText.fitsWithFinalBreak,
  crlf: webhooksText.fitsWithCrLf,
  lf: webhooksText.fitsWithLf,
}

/** Why the app could not check the signature with every secret, or with any secret. */
const untriedWords: Readonly<Record<NonNullable<Read['untried']>, string>> = {
  chosen: webhooksText.noSecretChosen,
  none_kept: webhooksText.noSecretStored,
  not_here: webhooksText.secretNotHereWhy,
  keychain_locked: webhooksText.keychainLocked,
  keychain_failed: webhooksText.keychainSilent,
}

const outsideTitle = (ageMs: number): string => (ageMs >= 0 ? webhooksText.deliveryTooOld : webhooksText.deliveryDatedAhead)(durationText(ageMs))

function signatureWords({ body, signer, tried, untried }: Read, result: Read['checks'][number]['result']): string | null {
  if (result === 'passed') return [signer === null ? null : webhooksText.signedBy(signer.url), readings[body.reading]].filter(Boolean).join(' ')
  if (result === 'unknown') return untried === null ? webhooksText.signatureUnreadable : untriedWords[untried]
  if (body.reformatted) return webhooksText.bodyWasReformatted
  return tried > 1 ? webhooksText.noSecretMatches(tried) : webhooksText.signatureMismatch
}

/** A step's result in one sentence; `null` if there is nothing to add to the step's name. */
export function stepWords(read: Read, { step, result, issue }: Read['checks'][number]): string | null {
  if (step === 'signature') return signatureWords(read, result)
  if (step === 'age' && read.ageMs !== null)
    return read.ageMs < 0
      ? (result === 'failed' ? webhooksText.datedAheadRefused : webhooksText.datedAhead)(fineDurationText(-read.ageMs))
      : webhooksText.sentBeforeCheck(fineDurationText(read.ageMs))
  if (result === 'unknown') return webhooksText.nothingToCheck
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
  const url = read.signer?.url ?? webhooksText.unnamedWebhook
  const withCorrection = (text: string) => (read.event?.revokedEventId == null ? text : `${text} ${webhooksText.deliveryIsCorrection}`)
  switch (read.verdict) {
    case 'right':
      return {
        tone: 'ok',
        icon: 'shield-check',
        word: webhooksText.right,
        title: webhooksText.deliveryAccepted,
        text: withCorrection(webhooksText.deliveryAcceptedWhy(url)),
      }
    case 'old':
      return {
        tone: 'warn',
        icon: 'clock',
        word: webhooksText.outsideTolerance,
        title: outsideTitle(read.ageMs ?? 0),
        text: withCorrection(webhooksText.outsideToleranceWhy(url)),
      }
    case 'wrong': {
      const count = read.checks.filter(({ result }) => result === 'failed').length
      const [first] = read.checks.filter(({ result, step }) => result === 'failed' && step !== 'age')
      return {
        tone: 'danger',
        icon: 'shield-x',
        word: webhooksText.wrong,
        title: first?.step === 'signature' ? webhooksText.signatureIsWrong : webhooksText.deliveryRefused,
        text: webhooksText.stepsFail(count),
      }
    }
    case 'unknown':
      return {
        tone: 'neutral',
        icon: 'unknown',
        word: webhooksText.notChecked,
        title: webhooksText.senderUnknown,
        text: read.untried === null ? webhooksText.signatureNotChecked : untriedWords[read.untried],
      }
  }
}

const agent = 'Svc-DEX-Webhook/1.0'

/** The service’s headers, and what each one holds; `null` if its value says so already. */
const about: readonly (readonly [name: string, what: string | null])[] = [
  ['X-Svc-Event', webhooksText.eventType],
  ['X-Svc-Event-ID', webhooksText.sameForEveryAttempt],
  ['X-Svc-Timestamp', webhooksText.attemptInUnixSeconds],
  ['X-Svc-Signature', webhooksText.signatureForm],
  ['User-Agent', null],
]

interface HeaderLine {
  readonly name: string
  readonly what: string | null
  readonly values: readonly string[]
  /** What is unusual about the header; `null` if the header is as expected. */
  readonly odd: string | null
}

/** Lists the service's five headers, whether present or missing. `others`: the number of other headers. */
function headerLines({ headers }: Pick<Read, 'headers'>): { readonly lines: readonly HeaderLine[]; readonly others: number } {
  const lines = about.map(([name, what]): HeaderLine => {
    const values = headers.filter((one) => one.name.toLowerCase() === name.toLowerCase()).map(({ value }) => value)
    const odd =
      values.length === 0
        ? webhooksText.headerMissingWord
        : values.length > 1
          ? webhooksText.headerRepeated(values.length)
          : name === 'User-Agent' && values[0] !== agent
            ? webhooksText.serviceSends(agent)
            : null
    return { name, what, values, odd }
  })
  return { lines, others: headers.length - lines.reduce((count, { values }) => count + values.length, 0) }
}

const marks: Readonly<Record<Read['checks'][number]['result'], { readonly icon: IconName; readonly word: string }>> = {
  passed: { icon: 'check', word: webhooksText.stepPassed },
  failed: { icon: 'x', word: webhooksText.stepFailed },
  unknown: { icon: 'unknown', word: webhooksText.stepUnchecked },
}

export function InspectionSteps({ read }: { readonly read: Read }) {
  const { tone, icon, word, title, text } = verdictOf(read)
  const passed = read.checks.filter(({ result }) => result === 'passed').length
  return (
    <Panel
      title={webhooksText.checks}
      count={webhooksText.stepsRight(passed, read.checks.length)}
      end={
        <Chip tone={tone} icon={icon}>
          {word}
        </Chip>
      }
    >
      <div className={cx(styles.inspectorVerdict, styles[tone])} role="status">
        <b>{title}</b>
        <p>{text}</p>
      </div>
      <ol className={styles.inspectorList} aria-label={webhooksText.checkSteps}>
        {read.checks.map((check) => {
          const words = stepWords(read, check)
          const mark = marks[check.result]
          return (
            <li key={check.step} className={styles[check.result]}>
              <Icon name={mark.icon} size={14} />
              <div>
                <p>
                  <span className={textStyles.screenReaderOnly}>{mark.word} </span>
                  {stepNames[check.step]}
                </p>
                {words === null ? null : <p className={tableStyles.sub}>{words}</p>}
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}
