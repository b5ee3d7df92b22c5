import { useEffect, useRef, useState } from 'react'
import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Chip } from '../../kit/chip.tsx'
import { pressed } from '../../kit/key-bindings.ts'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { CommandWords, VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { WholeHex } from '../../parts/line-value.tsx'
import { appText } from '../../text/en/app.en.tsx'
import styles from './terminal.module.css'

/** For each kind of command: what must stay the same for the app to allow the command next time without asking. */
const keepWords: Readonly<Record<TerminalRequest['kind'], string>> = {
  run: appText.keepRun,
  listen: appText.keepListen,
  check: appText.keepCheck,
  gateway: appText.keepKeyAction,
  fleet: appText.keepKeyAction,
  rotate: appText.keepKeyAction,
  revoke: appText.keepKeyAction,
}

const eachWords: Readonly<Record<NonNullable<TerminalRequest['each']>, string | null>> = {
  interpreter: appText.asksForInterpreter,
  caller: appText.asksForCaller,
  once: null,
}

interface QuestionProps {
  readonly request: TerminalRequest
  /** How many questions wait behind this one. */
  readonly waiting: number
  readonly onOver: () => void
}

/** Asks the user to allow a `svc-desk` command from a terminal. Appears over any page. */
export function TerminalQuestion({ request, waiting, onOver }: QuestionProps) {
  const answer = useIpcCommand('terminal.answer')
  const [always, setAlways] = useState(false)
  const refuse = useRef<HTMLButtonElement>(null)
  const { id, kind, key, webhook, profile, words, program, folder, caller, each, expiresAtMs } = request
  const { title, effect, agree, tone } = questionWords(request)
  const deny = useRef<() => void>(() => undefined)
  useEffect(() => {
    deny.current = () => {
      if (!answer.isPending) answer.mutate({ id, answer: 'deny' })
    }
  })
  // Listen in the capture phase, so that Escape reaches this question before a sheet below it.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (pressed(event, 'escape') === null) return
      event.preventDefault()
      event.stopPropagation()
      deny.current()
    }
    window.addEventListener('keydown', onKeyDown, { capture: true })
    return () => window.removeEventListener('keydown', onKeyDown, { capture: true })
  }, [])
  return (
    <Sheet
      title={<VisibleText text={title} />}
      lead={appText.terminalLead}
      icon="terminal"
      tone={tone}
      end={<CountdownRing untilMs={expiresAtMs} totalMs={minute} onEnd={onOver} />}
      onClose={() => deny.current()}
      initialFocus={refuse}
      alert
      className={styles.terminalQuestion}
    >
      <div className={overlayStyles.sheetBody}>
        <CommandWords label={appText.command} words={words} />
        <Rows>
          {program === null ? null : (
            <Row name={appText.program}>
              <code>
                <VisibleText text={program} />
              </code>
            </Row>
          )}
          {caller === null ? null : (
            <Row name={appText.askedBy}>
              <Caller {...caller} />
            </Row>
          )}
          {kind === 'run' ? (
            <Row name={appText.folder}>
              <code>
                <VisibleText text={folder} />
              </code>
            </Row>
          ) : null}
          {key === null ? null : (
            <Row name={appText.key}>
              <b>
                <VisibleText text={key.label} />
              </b>{' '}
              <WholeHex hex={key.wallet} />
            </Row>
          )}
          {webhook === null ? null : (
            <Row name={appText.webhook}>
              <b>
                <VisibleText text={webhook.url} />
              </b>{' '}
              <WholeHex hex={webhook.wallet} />
            </Row>
          )}
          <Row name={appText.exchange}>
            <Chip tone={profile.kind === 'practice' ? 'practice' : 'line'}>
              <VisibleText text={profile.name} />
            </Chip>
          </Row>
        </Rows>
        <p className={textStyles.secondary}>{effect}</p>
        {each === null ? (
          <Checkbox checked={always} onChange={setAlways}>
            {keepWords[kind]}
          </Checkbox>
        ) : eachWords[each] === null ? null : (
          <p className={textStyles.muted}>{eachWords[each]}</p>
        )}
        {answer.error === null ? null : <FailureNote failure={failureOf(answer.error)} />}
      </div>
      <SheetFoot verdict={waiting === 0 ? undefined : appText.moreWaiting(waiting)}>
        <Button ref={refuse} onClick={() => deny.current()} kbd={[appText.esc]}>
          {appText.deny}
        </Button>
        <Button
          variant={tone === 'danger' ? 'danger-fill' : 'primary'}
          busy={answer.isPending}
          onClick={() => answer.mutate({ id, answer: always ? 'always' : 'once' })}
        >
          {agree}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

function Caller({ program, pid, startedBy }: NonNullable<TerminalRequest['caller']>) {
  const name = (
    <code>
      <VisibleText text={program} />
    </code>
  )
  if (startedBy === null) return appText.caller(name, pid)
  return appText.callerStartedBy(
    name,
    pid,
    <code>
      <VisibleText text={startedBy} />
    </code>,
  )
}

interface QuestionWords {
  readonly title: string
  readonly effect: string
  readonly agree: string
  readonly tone: 'warn' | 'danger'
}

/** The words of the question that asks whether a terminal command may use a key. */
function questionWords({ kind, key, webhook, words }: Pick<TerminalRequest, 'kind' | 'key' | 'webhook' | 'words'>): QuestionWords {
  const label = key?.label ?? ''
  switch (kind) {
    case 'run':
      return {
        title: key === null ? appText.giveSigningSecret : appText.giveKey(label),
        effect: key === null ? appText.giveSigningSecretEffect : webhook === null ? appText.giveKeyEffect : appText.giveBothEffect,
        agree: appText.giveSecret,
        tone: 'warn',
      }
    case 'listen':
      return {
        title: appText.checkDeliveries,
        effect: appText.checkDeliveriesEffect,
        agree: appText.giveSecret,
        tone: 'warn',
      }
    case 'check':
      return {
        title: appText.terminalCheck,
        effect: [
          appText.terminalCheckEffect,
          ...(words.includes('--accept-top') ? [appText.acceptTopEffect] : []),
          ...(words.includes('--dry-runs') ? [appText.dryRunsEffect] : []),
        ].join(' '),
        agree: appText.runCheck,
        tone: 'warn',
      }
    case 'gateway':
      return { title: appText.botInTerminal, effect: appText.botInTerminalEffect, agree: appText.allowBot, tone: 'danger' }
    case 'fleet':
      return words[2] === 'remove'
        ? { title: appText.removePlanInTerminal, effect: appText.removePlanEffect, agree: appText.removePlan, tone: 'danger' }
        : { title: appText.planInTerminal, effect: appText.planInTerminalEffect, agree: appText.runPlan, tone: 'danger' }
    case 'rotate':
      return {
        title: appText.rotateKey(label),
        effect: appText.rotateEffect,
        agree: appText.rotate,
        tone: 'warn',
      }
    case 'revoke':
      return {
        title: appText.revokeKey(label),
        effect: appText.revokeEffect,
        agree: appText.revoke,
        tone: 'danger',
      }
  }
}
