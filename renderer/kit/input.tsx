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

/** The id of the text below the `Field` around a control; `null` if the field has no such text. */
const HelpContext = createContext<string | null>(null)

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'onChange' | 'className' | 'value'> {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly unit?: ReactNode
  readonly icon?: IconName
  readonly large?: boolean
  /** Right-aligned with tabular figures, for amounts. If commas are ambiguous, the field also shows how it read the number. */
  readonly numeric?: boolean
  readonly mono?: boolean
  readonly invalid?: boolean
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLInputElement>
}

/** Shows, inside the field, how a number with ambiguous commas was read. */
export function ReadAs({ id, read }: { readonly id: string; readonly read: string | null }) {
  return (
    <span className={controlsStyles.readAs} id={`${id}-read`} aria-live="polite">
      {read === null ? null : `= ${read}`}
    </span>
  )
}

/** One line of text. Pair the input with a `Field` of the same id: the field's text below then describes the input. */
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
  // Names only elements that exist, because an id without an element is an error.
  const descriptions = [read === null ? null : `${id}-read`, describedBy ?? (help === `${id}-help` ? help : null)].filter((one) => one !== null)
  const classes = [
    controlsStyles.input,
    large ? controlsStyles.large : '',
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
  /** Content at the label's right end, for example a limit or what is available. */
  readonly end?: ReactNode
  readonly help?: ReactNode
  readonly warning?: ReactNode
  readonly error?: ReactNode
  readonly className?: string | undefined
  readonly children: ReactNode
}

/** A control with its label above and its help, warning or error below. The error is announced. */
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
