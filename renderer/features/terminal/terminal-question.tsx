import { useEffect, useRef, useState } from 'react'
import type { TerminalRequest } from '../../../shared/ipc/keys/secrets.ts'
import { minute } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/desk-failure.ts'
import { useDeskCommand, useDeskQuery } from '../../ipc/use-desk.ts'
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
import styles from './terminal.module.css'

/** What `svc-desk` in a terminal asks for, one question after the other, over whatever page is open. */
export function TerminalQuestion() {
  // Main tells by itself when a question comes or goes.
  const pending = useDeskQuery('terminal.pending', {})
  const requests = pending.data ?? []
  const [first] = requests
  return first === undefined ? null : <Question key={first.id} request={first} waiting={requests.length - 1} onOver={() => void pending.refetch()} />
}

/** What must be the same for the app not to ask again. */
const keepWords: Readonly<Record<TerminalRequest['kind'], string>> = {
  run: 'Do not ask again for this secret, these words, this program and this folder',
  listen: 'Do not ask again for this secret, these words and this program',
  check: 'Do not ask again for these words',
  rotate: 'Do not ask again for this',
  revoke: 'Do not ask again for this',
}

const eachWords: Readonly<Record<NonNullable<TerminalRequest['each']>, string | null>> = {
  interpreter: 'The app asks each time: this program runs whatever file it is given.',
  caller: 'The app asks each time: the system does not confirm that svc-desk was started with these words.',
  once: null,
}

interface QuestionProps {
  readonly request: TerminalRequest
  /** How many more wait behind it. */
  readonly waiting: number
  readonly onOver: () => void
}

function Question({ request, waiting, onOver }: QuestionProps) {
  const answer = useDeskCommand('terminal.answer')
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
      lead="A command in a terminal asks for it. Agree only if you started it."
      icon="terminal"
      tone={tone}
      end={<CountdownRing untilMs={expiresAtMs} totalMs={minute} onEnd={onOver} />}
      onClose={() => deny.current()}
      initialFocus={refuse}
      alert
      className={styles.terminalQuestion}
    >
      <div className={overlayStyles.sheetBody}>
        <CommandWords label="Command" words={words} />
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
              <code>
                <VisibleText text={caller.program} />
              </code>{' '}
              (process {caller.pid}
              {caller.startedBy === null ? null : (
                <>
                  , started by{' '}
                  <code>
                    <VisibleText text={caller.startedBy} />
                  </code>
                </>
              )}
              )
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
            {keepWords[kind]}, for 12 hours at most. Locking or closing the app or rotating the key ends it.
          </Checkbox>
        ) : eachWords[each] === null ? null : (
          <p className={textStyles.muted}>{eachWords[each]}</p>
        )}
        {answer.error === null ? null : <FailureNote failure={failureOf(answer.error)} />}
      </div>
      <SheetFoot verdict={waiting === 0 ? undefined : `${waiting} more ${waiting === 1 ? 'waits' : 'wait'}`}>
        <Button ref={refuse} onClick={() => deny.current()} kbd={['Esc']}>
          Deny
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
  /** What agreeing does. */
  readonly effect: string
  readonly agree: string
  readonly tone: 'warn' | 'danger'
}

/** What is asked when a command in a terminal wants something of a key. */
function questionWords({ kind, key, webhook, words }: Pick<TerminalRequest, 'kind' | 'key' | 'webhook' | 'words'>): QuestionWords {
  const label = key?.label ?? ''
  switch (kind) {
    case 'run':
      return {
        title: key === null ? 'Give a signing secret to a command' : `Give “${label}” to a command`,
        effect:
          key === null
            ? 'The command gets the signing secret. Whoever has it can sign deliveries as the service does.'
            : `The command gets the secret in its environment and can do with it whatever the key may.${webhook === null ? '' : ' The signing secret of the webhook, too.'}`,
        agree: 'Give it',
        tone: 'warn',
      }
    case 'listen':
      return {
        title: 'Check deliveries in a terminal',
        effect:
          'The command gets the signing secret: it checks with it what is delivered, and signs anew what you send again. Whoever has it can sign deliveries as the service does.',
        agree: 'Give it',
        tone: 'warn',
      }
    case 'check':
      return {
        title: 'Check the service from a terminal',
        effect: [
          'Reads every route your keys allow, previews an order and prepares each action. Nothing is signed, sent or carried out. The command gets the report without secrets.',
          ...(words.includes('--accept-top') ? ['The field map changes: each missing field is read from its first candidate.'] : []),
          ...(words.includes('--dry-runs') ? ['Dry runs trust the service not to act. The first one cancels an order that does not exist.'] : []),
        ].join(' '),
        agree: 'Check',
        tone: 'warn',
      }
    case 'rotate':
      return {
        title: `Rotate “${label}”`,
        effect: 'The service makes a new secret and the present one stops working at once. Bots that hold it stop until they get the new one.',
        agree: 'Rotate',
        tone: 'warn',
      }
    case 'revoke':
      return {
        title: `Revoke “${label}”`,
        effect: 'Bots with this key stop at once and its agent loses its grant. This cannot be undone.',
        agree: 'Revoke',
        tone: 'danger',
      }
  }
}
