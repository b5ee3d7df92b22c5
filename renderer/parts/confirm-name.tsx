import { type ReactNode, type Ref, useId, useRef, useState } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import { Button, IconButton } from '../kit/button.tsx'
import controlsStyles from '../kit/controls.module.css'
import { Field, Input } from '../kit/input.tsx'
import overlayStyles from '../kit/overlay/overlay.module.css'
import { Sheet, SheetFoot } from '../kit/overlay/sheet.tsx'
import textStyles from '../kit/text.module.css'
import { kitText } from '../text/en/kit.en.tsx'
import { FailureNote } from './failure-note.tsx'

interface ConfirmNameProps {
  readonly title: string
  /** What the confirmed action does, in one or two sentences. */
  readonly effect: ReactNode
  /** The text that the user must type exactly. */
  readonly name: string
  readonly confirmLabel: string
  readonly keepLabel: string
  readonly busy?: boolean
  readonly failure?: Failure | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Confirms an action that cannot be undone: says what it does, and requires typing the name. Escape and the safe button cancel. */
export function ConfirmName({ title, effect, name, confirmLabel, keepLabel, busy = false, failure = null, onConfirm, onClose }: ConfirmNameProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const matches = typed === name
  return (
    <Sheet title={title} icon="warn" tone="danger" onClose={onClose} initialFocus={input} alert className={overlayStyles.narrow}>
      <form
        className={overlayStyles.sheetBody}
        onSubmit={(event) => {
          event.preventDefault()
          if (matches && !busy) onConfirm()
        }}
      >
        <p className={textStyles.secondary}>{effect}</p>
        <Field id={id} label={kitText.typeToConfirm(<code className={controlsStyles.typed}>{name}</code>)}>
          <Input id={id} ref={input} value={typed} onChange={setTyped} />
        </Field>
        {failure === null ? null : <FailureNote failure={failure} />}
        <button type="submit" hidden disabled={!matches} />
      </form>
      <SheetFoot>
        <Button onClick={onClose} kbd={[kitText.esc]}>
          {keepLabel}
        </Button>
        <Button variant="danger-fill" disabled={!matches} busy={busy} onClick={onConfirm}>
          {confirmLabel}
        </Button>
      </SheetFoot>
    </Sheet>
  )
}

interface PassphraseFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly help?: ReactNode
  readonly error?: string | undefined
  readonly disabled?: boolean
  readonly large?: boolean
  readonly ref?: Ref<HTMLInputElement>
}

/** A password field that can show its text, and that says when Caps Lock is on. */
export function PassphraseField({ id, label, value, onChange, help, error, ref, ...rest }: PassphraseFieldProps) {
  const [shown, setShown] = useState(false)
  const [capsLock, setCapsLock] = useState(false)
  return (
    <Field id={id} label={label} help={help} warning={capsLock ? kitText.capsLockIsOn : undefined} error={error}>
      <Input
        id={id}
        {...(ref === undefined ? {} : { ref })}
        type={shown ? 'text' : 'password'}
        value={value}
        invalid={error !== undefined}
        onChange={onChange}
        onKeyUp={(event) => setCapsLock(event.getModifierState('CapsLock'))}
        unit={<IconButton icon={shown ? 'eye-off' : 'eye'} size="xs" label={shown ? kitText.hideTyped : kitText.showTyped} onClick={() => setShown(!shown)} />}
        {...rest}
      />
    </Field>
  )
}
