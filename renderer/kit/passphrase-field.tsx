import { type ReactNode, type Ref, useState } from 'react'
import { kitText } from '../text/en/kit.en.tsx'
import { IconButton } from './button.tsx'
import { Field, Input } from './input.tsx'

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
