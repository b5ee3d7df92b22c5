import type { LabDetail, LabState, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { outcomeText } from '../../../../shared/text/delivery-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { CopyButton } from '../../../kit/copy-button.tsx'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import notesStyles from '../../../kit/layout/notes.module.css'
import { Panel } from '../../../kit/layout/panel.tsx'
import { Skeleton } from '../../../kit/layout/placeholders.tsx'
import { State } from '../../../kit/layout/state.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { Time } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote, FailurePanel } from '../../../parts/failure-note.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import { EventPanel, HeadersPanel, InspectionSteps } from '../inspector/inspection-parts.tsx'
import styles from './lab.module.css'
import { lengthText } from './lab-words.ts'

type Attempt = LabDetail['attempts'][number]

function attemptWords({ answered, forwarded }: Attempt): string {
  const answer =
    answered === null
      ? null
      : answered.sent
        ? webhooksText.answeredIn(answered.status, lengthText(answered.ms))
        : webhooksText.senderLeftAfter(lengthText(answered.ms))
  const passed = forwarded === null ? null : webhooksText.endpointAnswered(outcomeText(forwarded), lengthText(forwarded.ms))
  return [answer, passed].filter((one) => one !== null).join('; ') || webhooksText.attemptUnanswered
}

function attemptLook({ by, answered, forwarded }: Attempt): {
  readonly tone: 'ok' | 'danger' | 'busy'
  readonly icon: 'check' | 'x' | 'hourglass'
  readonly word: string
} {
  if (by === 'sender' && answered === null) return { tone: 'busy', icon: 'hourglass', word: webhooksText.noResponseYet }
  const accepted = by === 'resend' || (answered?.sent === true && answered.status < 300)
  return accepted && forwarded?.taken !== false
    ? { tone: 'ok', icon: 'check', word: webhooksText.accepted }
    : { tone: 'danger', icon: 'x', word: webhooksText.notAccepted }
}

function Attempts({ detail: { row, attempts } }: { readonly detail: LabDetail }) {
  return (
    <Panel
      title={webhooksText.attempts}
      count={row.attempts > attempts.length ? webhooksText.lastAttempts(attempts.length, row.attempts) : row.attempts}
      className={styles.labTries}
    >
      <ol>
        {attempts.map((attempt) => {
          const look = attemptLook(attempt)
          return (
            <li key={attempt.number}>
              <span className={styles.labNumber}>{attempt.number}</span>
              <div>
                <p>
                  {row.kind === 'refused' ? (
                    <State tone="ok" icon="check">
                      {webhooksText.refused}
                    </State>
                  ) : (
                    <State tone={look.tone} icon={look.icon}>
                      {look.word}
                    </State>
                  )}
                  {attempt.by === 'resend' ? <Chip>{webhooksText.resent}</Chip> : null}
                  {attempt.same ? null : <Chip tone="warn">{webhooksText.differentBytes}</Chip>}
                  <span className={cx(textStyles.muted, styles.labWhen)}>
                    <Time ms={attempt.atMs} form="clock" />
                  </span>
                </p>
                <p className={tableStyles.sub}>{attemptWords(attempt)}</p>
              </div>
            </li>
          )
        })}
      </ol>
    </Panel>
  )
}

function Links({ detail: { row }, onOpen }: { readonly detail: LabDetail; readonly onOpen: (subject: LabSubject) => void }) {
  const { revokes, revokedBy } = row
  if (revokes === null && revokedBy.length === 0) return null
  const to = (id: string) => (
    <Button key={id} size="xs" icon="undo" onClick={() => onOpen({ kind: 'event', id })}>
      <VisibleText text={id} />
    </Button>
  )
  return (
    <div className={cx(notesStyles.note, notesStyles.warn, styles.labLinked)}>
      <Icon name="undo" />
      {revokes === null ? null : (
        <p>
          {revokes.captured
            ? webhooksText.revokesEvent(to(revokes.id))
            : webhooksText.revokesUncaptured(
                <code>
                  <VisibleText text={revokes.id} />
                </code>,
              )}
        </p>
      )}
      {revokedBy.length === 0 ? null : <p>{webhooksText.revokedBy(revokedBy.map(to))}</p>}
    </div>
  )
}

interface SheetProps {
  readonly subject: LabSubject
  readonly state: LabState
  readonly onOpen: (subject: LabSubject) => void
  readonly onClose: () => void
}

export function LabEventSheet({ subject, state, onOpen, onClose }: SheetProps) {
  const event = useIpcQuery('lab.event', subject)
  const resend = useIpcCommand('lab.resend')
  const detail = event.data
  const why =
    subject.kind === 'refused'
      ? webhooksText.unverifiedNotForwarded
      : state.settings?.forwardTo == null
        ? webhooksText.nameEndpointToForward
        : state.status === 'listening'
          ? undefined
          : webhooksText.listenFirst
  return (
    <Sheet
      title={detail?.row.type == null ? webhooksText.delivery : <VisibleText text={detail.row.type} />}
      lead={detail?.row.id == null ? undefined : <code>{detail.row.id}</code>}
      icon="webhook"
      tone={subject.kind === 'refused' ? 'danger' : 'accent'}
      onClose={onClose}
      closeOnScrim
      className={styles.labEvent}
    >
      <div className={overlayStyles.sheetBody}>
        {detail === undefined ? (
          event.error === null ? (
            <Skeleton width={320} />
          ) : (
            <FailurePanel failure={failureOf(event.error)} onRetry={() => void event.refetch()} retrying={event.isFetching} level={3} />
          )
        ) : (
          <>
            <Links detail={detail} onOpen={onOpen} />
            <div className={styles.labTwoColumns}>
              <div>
                <Attempts detail={detail} />
                <InspectionSteps read={detail.inspection} />
              </div>
              <div>
                <EventPanel read={detail.inspection} />
                <HeadersPanel read={detail.inspection} />
              </div>
            </div>
          </>
        )}
        {resend.error === null ? null : <FailureNote failure={failureOf(resend.error)} />}
      </div>
      <SheetFoot>
        {detail?.curl == null ? null : (
          <CopyButton text={detail.curl} what={webhooksText.deliveryAsCurl} words={webhooksText.copyAsCurl} icon="terminal" size="md" />
        )}
        <Button
          icon="send"
          disabled={why !== undefined}
          title={why}
          busy={resend.isPending}
          onClick={() => (subject.kind === 'event' ? resend.mutate({ id: subject.id }) : undefined)}
        >
          {webhooksText.sendAgain}
        </Button>
        <Button onClick={onClose} kbd={[webhooksText.esc]}>
          {webhooksText.close}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
