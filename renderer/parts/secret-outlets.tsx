import { useState } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import type { EnvOutcome } from '../../shared/ipc/keys/secrets.ts'
import type { Result } from '../../shared/result.ts'
import { second } from '../../shared/time.ts'
import { type IpcCall, useIpcCall } from '../ipc/use-ipc.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icons/icon.tsx'
import { Note } from '../kit/layout/note.tsx'
import { State } from '../kit/layout/state.tsx'
import textStyles from '../kit/text.module.css'
import { Ring } from '../kit/time/countdown-ring.tsx'
import { useNow } from '../kit/time/time.tsx'
import { partsText } from '../text/en/parts.en.tsx'
import styles from './secret-outlets.module.css'

const clipboardMs = 30 * second

export function SecretPlace({ secret }: { readonly secret: 'keychain' | 'memory' | 'removed' | 'elsewhere' }) {
  switch (secret) {
    case 'keychain':
      return (
        <State tone="ok" icon="lock">
          {partsText.inKeychain}
        </State>
      )
    case 'memory':
      return (
        <State tone="warn" icon="hourglass">
          {partsText.forThisRunOnly}
        </State>
      )
    case 'removed':
      return (
        <State tone="off" icon="x">
          {partsText.removed}
        </State>
      )
    case 'elsewhere':
      return (
        <State tone="off" icon="eye-off">
          {partsText.notOnComputer}
        </State>
      )
  }
}

interface MaskProps {
  readonly prefix: string
  /**
   * Until when the secret is on the clipboard (`copiedUntilMs`) and in its own window (`shownUntilMs`), in Unix ms. 0 if the secret is not there.
   */
  readonly copiedUntilMs: number
  readonly shownUntilMs: number
}

/** A placeholder for a secret on this computer. Says for how long the secret is still on the clipboard or in its own window. */
export function SecretMask({ prefix, copiedUntilMs, shownUntilMs }: MaskProps) {
  const now = useNow(second)
  const clears = copiedUntilMs - now
  const shown = shownUntilMs - now
  return (
    <div className={styles.mask}>
      <span className={textStyles.mono}>{prefix}</span>
      <span className={styles.dots} role="img" aria-label={partsText.hidden} />
      {clears > 0 ? (
        <span className={styles.clipboard} role="timer">
          <Ring share={clears / clipboardMs} size={16} />
          {partsText.clipboardClearsIn(Math.ceil(clears / second))}
        </span>
      ) : shown > 0 ? (
        <span className={styles.clipboard} role="timer">
          <Icon name="eye" size={14} />
          {partsText.shownInWindow(Math.ceil(shown / second))}
        </span>
      ) : null}
    </div>
  )
}

interface OutletsProps {
  readonly prefix: string
  /**
   * The copy button. `untilMs`: until when the secret is on the clipboard, as Unix ms; 0 if it is not. `reveal` works the same for the secret's own
   * window.
   */
  readonly copy: { readonly busy: boolean; readonly untilMs: number; readonly press: () => void }
  readonly reveal: { readonly busy: boolean; readonly untilMs: number; readonly press: () => void }
  readonly save: {
    readonly busy: boolean
    readonly asked: Asked | null
    readonly saved: string | null
    readonly press: () => void
    readonly answer: (word: 'write' | 'ignore' | 'cancel') => void
  }
  /** Opens the sheet that hands the secret over to a program. Absent if that is not possible. */
  readonly onHandover?: () => void
  /** The command with which a program in a terminal gets the secret. */
  readonly command: string
}

/** The ways to take a secret from the keychain to where it is used. The secret never passes through this window. */
export function SecretOutlets({ prefix, copy, reveal, save, onHandover, command }: OutletsProps) {
  return (
    <div className={styles.outlets}>
      <SecretMask prefix={prefix} copiedUntilMs={copy.untilMs} shownUntilMs={reveal.untilMs} />
      <div className={styles.fourActions}>
        <Button size="sm" icon="copy" busy={copy.busy} onClick={copy.press}>
          {partsText.copy}
        </Button>
        <Button size="sm" icon="eye" busy={reveal.busy} onClick={reveal.press}>
          {partsText.reveal}
        </Button>
        <Button size="sm" icon="file" busy={save.busy} onClick={save.press}>
          {partsText.saveEnv}
        </Button>
        {onHandover === undefined ? null : (
          <Button size="sm" icon="server" onClick={onHandover}>
            {partsText.handOver}
          </Button>
        )}
      </div>
      {save.asked === null ? null : <EnvQuestions asked={save.asked} busy={save.busy} onAnswer={save.answer} />}
      {save.saved === null ? null : (
        <Note tone="ok" live title={partsText.saved}>
          {partsText.onlyYouCanRead(<code>{save.saved}</code>)}
        </Note>
      )}
      <div className={styles.command}>
        <code>
          <i>$</i> {command}
        </code>
        <CopyButton text={command} what={partsText.command} />
      </div>
    </div>
  )
}

type Asked = Extract<EnvOutcome, { readonly state: 'asks' }>

function Question({ about }: { readonly about: Asked['questions'][number] }) {
  switch (about.about) {
    case 'link':
      return <p>{partsText.envIsLink(<code>{about.target}</code>)}</p>
    case 'not_ignored':
      return <p>{partsText.envNotIgnored(<code>{about.workTree}</code>)}</p>
    case 'git_unknown':
      return <p>{partsText.envMayBeCommitted(<code>{about.workTree}</code>)}</p>
  }
}

interface QuestionsProps {
  readonly asked: Asked
  readonly busy: boolean
  readonly onAnswer: (word: 'write' | 'ignore' | 'cancel') => void
}

/** Asks the user the questions that must be answered before the secret is written to a file. */
function EnvQuestions({ asked, busy, onAnswer }: QuestionsProps) {
  return (
    <Note tone="warn" live title={partsText.beforeSaving}>
      <p>
        <code>{asked.path}</code>
      </p>
      {asked.questions.map((about) => (
        <Question key={about.about} about={about} />
      ))}
      <span className={styles.noteActions}>
        {asked.questions.some(({ about }) => about === 'not_ignored') ? (
          <Button size="xs" variant="primary" busy={busy} onClick={() => onAnswer('ignore')}>
            {partsText.ignoreAndSave}
          </Button>
        ) : null}
        <Button size="xs" busy={busy} onClick={() => onAnswer('write')}>
          {partsText.saveAnyway}
        </Button>
        <Button size="xs" variant="ghost" onClick={() => onAnswer('cancel')}>
          {partsText.doNotSave}
        </Button>
      </span>
    </Note>
  )
}

type UseEnvSaveAsked = Extract<EnvOutcome, { readonly state: 'asks' }>

interface EnvSave {
  readonly busy: boolean
  /** The questions that the user must answer before the file is written; `null` if there are none. */
  readonly asked: UseEnvSaveAsked | null
  readonly saved: string | null
  readonly failure: Failure | null
  readonly press: () => void
  readonly answer: (word: 'write' | 'ignore' | 'cancel') => void
}

/**
 * Saves a secret to a file, which the user chooses in a dialog of the main process. Before it writes, the main process may return questions for the
 * user.
 */
export function useEnvSave(begin: (call: IpcCall) => Promise<Result<EnvOutcome, Failure>>): EnvSave {
  const call = useIpcCall()
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<EnvOutcome | null>(null)
  const [failure, setFailure] = useState<Failure | null>(null)
  const follow = async (asking: Promise<Result<EnvOutcome, Failure>>) => {
    setBusy(true)
    setFailure(null)
    const done = await asking
    setBusy(false)
    if (done.ok) setOutcome(done.value)
    else setFailure(done.failure)
  }
  return {
    busy,
    asked: outcome?.state === 'asks' ? outcome : null,
    saved: outcome?.state === 'saved' ? outcome.path : null,
    failure,
    press: () => {
      setOutcome(null)
      void follow(begin(call))
    },
    answer: (word) => {
      if (outcome?.state === 'asks') void follow(call('secrets.answerEnv', { id: outcome.id, answer: word }))
    },
  }
}
