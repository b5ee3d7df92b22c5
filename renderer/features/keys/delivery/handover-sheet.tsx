import { useId, useState } from 'react'
import type { KeySummary } from '../../../../shared/ipc/keys/keys.ts'
import type { HandoverPreview, HandoverReport } from '../../../../shared/ipc/keys/secrets.ts'
import { handoverText } from '../../../../shared/text/handover-text.ts'
import { inputIssueText } from '../../../../shared/text/input-issue-text.ts'
import { failureOf } from '../../../ipc/call-failure.ts'
import { useIpcCommand, useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import controlsStyles from '../../../kit/controls.module.css'
import { cx } from '../../../kit/cx.ts'
import { Icon } from '../../../kit/icons/icon.tsx'
import { Field, Input } from '../../../kit/input.tsx'
import { Note } from '../../../kit/layout/note.tsx'
import { Segments } from '../../../kit/layout/tabs.tsx'
import overlayStyles from '../../../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../../../kit/overlay/sheet.tsx'
import textStyles from '../../../kit/text.module.css'
import { CommandWords, VisibleText } from '../../../kit/visible-text.tsx'
import { FailureNote } from '../../../parts/failure-note.tsx'
import { keysText } from '../../../text/en/keys.en.tsx'
import styles from '../key-detail.module.css'
import { handoverOf, type Target, type Typed, targetOrder, targets, wrongField } from './handover-form.ts'

const endings: Readonly<Record<HandoverReport['outcome'], { readonly tone: 'ok' | 'warn' | 'danger' | 'neutral'; readonly title: string }>> = {
  done: { tone: 'ok', title: keysText.handedOver },
  failed: { tone: 'danger', title: keysText.programFailed },
  timed_out: { tone: 'warn', title: keysText.programTimedOut },
  declined: { tone: 'neutral', title: keysText.notStarted },
  missing: { tone: 'warn', title: keysText.programMissing },
}

/** Shows what the app would run: the words of the command, its input, and the line that a remote shell executes. */
function Picture({ preview, handover }: { readonly preview: HandoverPreview; readonly handover: Parameters<typeof handoverText>[0] }) {
  const { sentence, notes } = handoverText(handover)
  return (
    <section className={styles.handoverPicture} aria-label={keysText.commandPreview}>
      <p>{sentence}</p>
      <h3>{keysText.localCommand}</h3>
      <CommandWords label={keysText.commandArguments} words={preview.words} />
      {preview.remote === null ? null : (
        <>
          <h3>{keysText.remoteCommand}</h3>
          <pre>
            <VisibleText text={preview.remote} />
          </pre>
        </>
      )}
      <h3>{keysText.standardInput}</h3>
      <pre>
        <VisibleText text={preview.input} />
      </pre>
      <ul>
        {notes.map((note) => (
          <li key={note} className={controlsStyles.help}>
            <Icon name="info" />
            <span>{note}</span>
          </li>
        ))}
        {preview.program === null ? (
          <li className={cx(controlsStyles.help, controlsStyles.warn)}>
            <Icon name="warn" />
            <span>{keysText.notInstalled(preview.words[0])}</span>
          </li>
        ) : null}
      </ul>
    </section>
  )
}

function Report({ report }: { readonly report: HandoverReport }) {
  const { tone, title } = endings[report.outcome]
  return (
    <Note tone={tone} live title={title}>
      {report.exitCode === null || report.exitCode === 0 ? null : keysText.exitCode(report.exitCode)}
      {report.output === '' ? null : (
        <pre className={styles.handoverOut}>
          <VisibleText text={report.output} />
        </pre>
      )}
    </Note>
  )
}

/** Sends a key's secret to where the bot runs, through a program's standard input and never as an argument. */
export function HandoverSheet({ entry, onClose }: { readonly entry: KeySummary; readonly onClose: () => void }) {
  const id = useId()
  const [target, setTarget] = useState<Target>('ssh')
  const [typed, setTyped] = useState<Typed>({})
  const [content, setContent] = useState<'key' | 'env'>('key')
  const run = useIpcCommand('handover.run')
  const choice = handoverOf(target, typed, content)
  const preview = useIpcQuery('handover.preview', choice ?? { target: 'docker', options: { name: '', context: null } }, { enabled: choice !== null })
  const failure = choice === null || preview.error === null ? null : failureOf(preview.error)
  const wrong = failure?.kind === 'bad_input' ? wrongField(failure.field) : null
  const ready = choice !== null && preview.data !== undefined && preview.error === null && preview.data.program !== null
  const form = targets[target]
  const issueOf = (name: string) => (failure?.kind === 'bad_input' && wrong === name ? inputIssueText(failure.issue) : undefined)
  return (
    <Sheet title={keysText.handOver(entry.label)} lead={keysText.handOverLead} icon="server" onClose={onClose} className={styles.handoverSheet}>
      <form
        className={cx(overlayStyles.sheetBody, styles.handoverBody)}
        onSubmit={(event) => {
          event.preventDefault()
          if (ready) run.mutate({ keyId: entry.id, ...choice })
        }}
      >
        <div className={styles.handoverForm}>
          <fieldset className={styles.handoverTo}>
            <legend>{keysText.destination}</legend>
            {targetOrder.map((one) => (
              <label key={one} className={one === target ? styles.on : undefined}>
                <input
                  type="radio"
                  name={`${id}-target`}
                  checked={one === target}
                  onChange={() => {
                    setTarget(one)
                    run.reset()
                  }}
                />
                {targets[one].label}
              </label>
            ))}
          </fieldset>
          <p className={textStyles.muted}>{form.lead}</p>
          {form.fields.map((one) => (
            <Field
              key={`${target}-${one.name}`}
              id={`${id}-${one.name}`}
              label={one.label}
              end={one.optional ? keysText.optional : undefined}
              error={issueOf(one.name)}
            >
              <Input
                id={`${id}-${one.name}`}
                value={typed[one.name] ?? ''}
                onChange={(value) => setTyped({ ...typed, [one.name]: value })}
                mono
                placeholder={one.placeholder}
                invalid={issueOf(one.name) !== undefined}
              />
            </Field>
          ))}
          <Segments
            label={keysText.content}
            block
            choices={[
              { value: 'key', label: keysText.secretOnly },
              { value: 'env', label: keysText.envLines },
            ]}
            value={content}
            onChange={setContent}
          />
        </div>
        <div className={styles.handoverSide}>
          {preview.data === undefined || choice === null || failure !== null ? (
            <p className={textStyles.muted}>{choice === null ? keysText.fillInFields : failure === null ? '' : keysText.correctFieldFirst}</p>
          ) : (
            <Picture preview={preview.data} handover={choice} />
          )}
          {failure !== null && wrong === null ? <FailureNote failure={failure} /> : null}
          {run.error === null ? null : <FailureNote failure={failureOf(run.error)} />}
          {run.data === undefined ? null : <Report report={run.data} />}
        </div>
        <button type="submit" hidden />
      </form>
      <SheetFoot verdict={run.isPending ? keysText.answerPromptFirst : undefined}>
        <Button onClick={onClose} kbd={[keysText.esc]}>
          {run.data?.outcome === 'done' ? keysText.close : keysText.cancel}
        </Button>
        <Button variant="primary" icon="send" disabled={!ready} busy={run.isPending} onClick={() => ready && run.mutate({ keyId: entry.id, ...choice })}>
          {keysText.runCommand}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}
