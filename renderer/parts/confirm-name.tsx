import { type ReactNode, useId, useRef, useState } from 'react'
import type { Failure } from '../../shared/ipc/failure.ts'
import { Button } from '../kit/button.tsx'
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
  /** Facts that identify what the action is about, and warnings. The user can confirm even before these are loaded. */
  readonly facts?: ReactNode
  readonly name: string
  readonly confirmLabel: string
  readonly keepLabel: string
  readonly busy?: boolean
  readonly failure?: Failure | null
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/**
 * Asks the user to confirm an action that cannot be undone: explains the action and requires the name to be typed. Escape and the safe button
 * cancel.
 */
export function ConfirmName({ title, effect, facts, name, confirmLabel, keepLabel, busy = false, failure = null, onConfirm, onClose }: ConfirmNameProps) {
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
        {facts}
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
