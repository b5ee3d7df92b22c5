import { useEffect, useRef, useState } from 'react'
import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../ipc/use-ipc.ts'
import { Button } from '../../kit/button.tsx'
import { Checkbox } from '../../kit/checkbox.tsx'
import { Chip } from '../../kit/chip.tsx'
import { CommandWords } from '../../kit/command-words.tsx'
import { Row, Rows } from '../../kit/layout/panel.tsx'
import { shorten } from '../../kit/number.tsx'
import overlayStyles from '../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../kit/overlay/sheet.tsx'
import textStyles from '../../kit/text.module.css'
import { CountdownRing } from '../../kit/time/countdown-ring.tsx'
import { VisibleText } from '../../kit/visible-text.tsx'
import { FailureNote } from '../../parts/failure-note.tsx'
import { appText } from '../../text/en/app.en.tsx'
import styles from './terminal.module.css'

/** What `svc-desk` in a terminal asks, one question at a time, over any page. */
export function TerminalQuestion() {
  // Main notifies when a question arrives or ends.
  const pending = useIpcQuery('terminal.pending', {})
  const requests = pending.data ?? []
  const [first] = requests
  return first === undefined ? null : <Question key={first.id} request={first} waiting={requests.length - 1} onOver={() => void pending.refetch()} />
}

/** What must be equal for the app not to ask again. */
const keepWords: Readonly<Record<TerminalRequest['kind'], string>> = {
  run: appText.doNotAskAgainForThisSecret,
  listen: appText.doNotAskAgainForThisSecret2,
  check: appText.doNotAskAgainForTheseWords,
  rotate: appText.doNotAskAgainForThis,
  revoke: appText.doNotAskAgainForThis,
}

const eachWords: Readonly<Record<NonNullable<TerminalRequest['each']>, string | null>> = {
  interpreter: appText.theAppAsksEachTimeThisProgram,
  caller: appText.theAppAsksEachTimeTheSystem,
  once: null,
}

interface QuestionProps {
  readonly request: TerminalRequest
  /** How many more wait behind it. */
  readonly waiting: number
  readonly onOver: () => void
}

function Question({ request, waiting, onOver }: QuestionProps) {
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
  // Before any sheet beneath, which listens for the same key and was there first.
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
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
      lead={appText.aCommandInATerminalAsksFor}
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
            <Row name="Program">
              <code>
                <VisibleText text={program} />
              </code>
            </Row>
          )}
          {caller === null ? null : (
            <Row name="Asked by">
              {appText.process(
                <code>
                  <VisibleText text={caller.program} />
                </code>,
                caller.pid,
                caller.startedBy === null
                  ? null
                  : appText.startedBy(
                      <code>
                        <VisibleText text={caller.startedBy} />
                      </code>,
                    ),
              )}
            </Row>
          )}
          {kind === 'run' ? (
            <Row name="Folder">
              <code>
                <VisibleText text={folder} />
              </code>
            </Row>
          ) : null}
          {key === null ? null : (
            <Row name="Key">
              <b>
                <VisibleText text={key.label} />
              </b>{' '}
              <code title={key.wallet}>{shorten(key.wallet)}</code>
            </Row>
          )}
          {webhook === null ? null : (
            <Row name="Webhook">
              <b>
                <VisibleText text={webhook.url} />
              </b>{' '}
              <code title={webhook.wallet}>{shorten(webhook.wallet)}</code>
            </Row>
          )}
          <Row name="Exchange">
            <Chip tone={profile.kind === 'practice' ? 'practice' : 'line'}>
              <VisibleText text={profile.name} />
            </Chip>
          </Row>
        </Rows>
        <p className={textStyles.secondary}>{effect}</p>
        {each === null ? (
          <Checkbox checked={always} onChange={setAlways}>
            {appText.forHoursAtMostLockingOrClosing(keepWords[kind])}
          </Checkbox>
        ) : eachWords[each] === null ? null : (
          <p className={textStyles.muted}>{eachWords[each]}</p>
        )}
        {answer.error === null ? null : <FailureNote failure={failureOf(answer.error)} />}
      </div>
      <SheetFoot verdict={waiting === 0 ? undefined : appText.more(waiting)}>
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

interface QuestionWords {
  readonly title: string
  /** The effect of agreeing. */
  readonly effect: string
  readonly agree: string
  readonly tone: 'warn' | 'danger'
}

/** The question when a terminal command needs a key. */
function questionWords({ kind, key, webhook, words }: Pick<TerminalRequest, 'kind' | 'key' | 'webhook' | 'words'>): QuestionWords {
  const label = key?.label ?? ''
  switch (kind) {
    case 'run':
      return {
        title: key === null ? appText.giveASigningSecretToACommand : appText.giveToACommand(label),
        effect:
          key === null
            ? appText.theCommandGetsTheSigningSecretWhoever
            : appText.theCommandGetsTheSecretInIts(webhook === null ? '' : appText.theSigningSecretOfTheWebhookToo),
        agree: appText.giveIt,
        tone: 'warn',
      }
    case 'listen':
      return {
        title: appText.checkDeliveriesInATerminal,
        effect: appText.theCommandGetsTheSigningSecretIt,
        agree: appText.giveIt,
        tone: 'warn',
      }
    case 'check':
      return {
        title: appText.checkTheServiceFromATerminal,
        effect: [
          appText.readsEveryRouteYourKeysAllowPreviews,
          ...(words.includes('--accept-top') ? [appText.theFieldMapChangesEachMissingField] : []),
          ...(words.includes('--dry-runs') ? [appText.dryRunsTrustTheServiceNotTo] : []),
        ].join(' '),
        agree: appText.check,
        tone: 'warn',
      }
    case 'rotate':
      return {
        title: appText.rotate(label),
        effect: appText.theServiceMakesANewSecretAnd,
        agree: appText.rotate2,
        tone: 'warn',
      }
    case 'revoke':
      return {
        title: appText.revoke(label),
        effect: appText.botsWithThisKeyStopAtOnce,
        agree: appText.revoke2,
        tone: 'danger',
      }
  }
}
