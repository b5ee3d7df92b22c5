import { second } from '../../shared/time.ts'
import { Button } from '../kit/button.tsx'
import { CopyButton } from '../kit/copy-button.tsx'
import { Icon } from '../kit/icons/icon.tsx'
import { Note } from '../kit/layout/note.tsx'
import { State } from '../kit/layout/state.tsx'
import { Ring } from '../kit/time/countdown-ring.tsx'
import { useNow } from '../kit/time/now.tsx'
import { type Asked, EnvQuestions } from './env-questions.tsx'
import './secret-outlets.css'

const clipboardMs = 30 * second

/** Where a secret is, in words. */
export function SecretPlace({ secret }: { readonly secret: 'keychain' | 'memory' | 'removed' | 'elsewhere' }) {
  switch (secret) {
    case 'keychain':
      return (
        <State tone="ok" icon="lock">
          In the system keychain
        </State>
      )
    case 'memory':
      return (
        <State tone="warn" icon="hourglass">
          For this run only
        </State>
      )
    case 'removed':
      return (
        <State tone="off" icon="x">
          Removed
        </State>
      )
    case 'elsewhere':
      return (
        <State tone="off" icon="eye-off">
          Not on this computer
        </State>
      )
  }
}

interface MaskProps {
  /** How the secret begins, which all of its kind share. */
  readonly prefix: string
  /** Until when it is on the clipboard and in its own window, Unix ms; 0: it is not. */
  readonly copiedUntilMs: number
  readonly shownUntilMs: number
}

/** Stands for a secret that is here, and says where else it is for a moment. */
export function SecretMask({ prefix, copiedUntilMs, shownUntilMs }: MaskProps) {
  const now = useNow(second)
  const clears = copiedUntilMs - now
  const shown = shownUntilMs - now
  return (
    <div className="mask">
      <span className="mono">{prefix}</span>
      <span className="dots" role="img" aria-label="hidden" />
      {clears > 0 ? (
        <span className="clip" role="timer">
          <Ring share={clears / clipboardMs} size={16} />
          Clipboard clears in {Math.ceil(clears / second)} s
        </span>
      ) : shown > 0 ? (
        <span className="clip" role="timer">
          <Icon name="eye" size={14} />
          In its own window, {Math.ceil(shown / second)} s
        </span>
      ) : null}
    </div>
  )
}

interface OutletsProps {
  /** How the secret begins, which all of its kind share. */
  readonly prefix: string
  /** Until when it is on the clipboard and in its own window, Unix ms; 0: it is not. */
  readonly copy: { readonly busy: boolean; readonly untilMs: number; readonly press: () => void }
  readonly reveal: { readonly busy: boolean; readonly untilMs: number; readonly press: () => void }
  readonly save: {
    readonly busy: boolean
    readonly asked: Asked | null
    readonly saved: string | null
    readonly press: () => void
    readonly answer: (word: 'write' | 'ignore' | 'cancel') => void
  }
  /** Absent where there is nothing to hand over to. */
  readonly onHandover?: () => void
  /** The line for a terminal. */
  readonly command: string
}

/** The ways of a secret out of the keychain to where it is used. None of them goes through this window. */
export function SecretOutlets({ prefix, copy, reveal, save, onHandover, command }: OutletsProps) {
  return (
    <div className="outlets">
      <SecretMask prefix={prefix} copiedUntilMs={copy.untilMs} shownUntilMs={reveal.untilMs} />
      <div className="acts4">
        <Button size="sm" icon="copy" busy={copy.busy} onClick={copy.press}>
          Copy
        </Button>
        <Button size="sm" icon="eye" busy={reveal.busy} onClick={reveal.press}>
          Reveal
        </Button>
        <Button size="sm" icon="file" busy={save.busy} onClick={save.press}>
          Save .env
        </Button>
        {onHandover === undefined ? null : (
          <Button size="sm" icon="server" onClick={onHandover}>
            Hand over
          </Button>
        )}
      </div>
      {save.asked === null ? null : <EnvQuestions asked={save.asked} busy={save.busy} onAnswer={save.answer} />}
      {save.saved === null ? null : (
        <Note tone="ok" live title="Saved.">
          <code>{save.saved}</code> can be read by you alone.
        </Note>
      )}
      <div className="cmd">
        <code>
          <i>$</i> {command}
        </code>
        <CopyButton text={command} what="command" />
      </div>
    </div>
  )
}
