import { createContext, type InputHTMLAttributes, type ReactNode, type Ref, useContext, useState } from 'react'
import { readAs } from '../../shared/ticket/typed-number.ts'
import { kitText } from '../text/en/kit.en.tsx'
import { IconButton } from './button.tsx'
import controlsStyles from './controls.module.css'
import { cx } from './cx.ts'
import iconStyles from './icons/icon.module.css'
import { Icon, type IconName } from './icons/icon.tsx'
import panelStyles from './layout/panel.module.css'
import textStyles from './text.module.css'

/** The id of the text below the control of the surrounding `Field`; `null` if the field has no such text. */
const HelpContext = createContext<string | null>(null)

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'onChange' | 'className' | 'value'> {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly unit?: ReactNode
  readonly icon?: IconName
  readonly large?: boolean
  /** Aligns the number to the right, with digits of equal width. If its commas are ambiguous, the field also shows how it read the number. */
  readonly numeric?: boolean
  readonly mono?: boolean
  readonly invalid?: boolean
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLInputElement>
}

/** Shows inside the field how the app read a number with ambiguous commas. */
export function ReadAs({ id, read }: { readonly id: string; readonly read: string | null }) {
  return (
    <span className={controlsStyles.readAs} id={`${id}-read`} aria-live="polite">
      {read === null ? null : `= ${read}`}
    </span>
  )
}

/** A text input of one line. Put it into a `Field` with the same id: the text below the field then describes the input to screen readers. */
export function Input({
  id,
  value,
  onChange,
  unit,
  icon,
  large = false,
  numeric = false,
  mono = false,
  invalid = false,
  className,
  disabled,
  inputMode = numeric ? 'decimal' : undefined,
  'aria-describedby': describedBy,
  ...rest
}: InputProps) {
  const help = useContext(HelpContext)
  const read = inputMode === 'decimal' ? readAs(value) : null
  // Name only ids of elements that exist, because a missing element would be an accessibility error.
  const descriptions = [read === null ? null : `${id}-read`, describedBy ?? (help === `${id}-help` ? help : null)].filter((one) => one !== null)
  const classes = [
    controlsStyles.input,
    large ? controlsStyles.large : '',
    icon === 'search' ? controlsStyles.search : '',
    numeric ? textStyles.right : '',
    mono ? textStyles.mono : '',
    invalid ? controlsStyles.isError : '',
    disabled ? controlsStyles.isOff : '',
    className,
  ]
  return (
    <div className={cx(...classes)}>
      {icon === undefined ? null : <Icon name={icon} className={iconStyles.dim} />}
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        disabled={disabled}
        aria-invalid={invalid || undefined}
        aria-describedby={descriptions.length === 0 ? undefined : descriptions.join(' ')}
        autoComplete="off"
        spellCheck={false}
        inputMode={inputMode}
        {...rest}
      />
      <ReadAs id={id} read={read} />
      {unit === undefined ? null : <span className={controlsStyles.unit}>{unit}</span>}
    </div>
  )
}

interface FieldProps {
  /** The id of the control inside. The help or error text has the id `<id>-help`. */
  readonly id: string
  readonly label: ReactNode
  readonly end?: ReactNode
  readonly help?: ReactNode
  readonly warning?: ReactNode
  readonly error?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A control with its label above and a help, warning or error text below. Screen readers announce the error. */
export function Field({ id, label, end, help, warning, error, className, children }: FieldProps) {
  const below = error ?? warning ?? help
  const helpId = below === undefined || below === null || below === '' ? null : `${id}-help`
  const tone = error ? cx(controlsStyles.help, controlsStyles.error) : warning ? cx(controlsStyles.help, controlsStyles.warn) : controlsStyles.help
  return (
    <div className={cx(controlsStyles.field, className)}>
      <label className={controlsStyles.label} htmlFor={id}>
        {label}
        {end === undefined ? null : <span className={panelStyles.end}>{end}</span>}
      </label>
      <HelpContext value={helpId}>{children}</HelpContext>
      {helpId === null ? null : (
        <p className={tone} id={helpId} role={error ? 'alert' : undefined}>
          {error ? <Icon name="stop" /> : warning ? <Icon name="warn" /> : null}
          <span>{below}</span>
        </p>
      )}
    </div>
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
