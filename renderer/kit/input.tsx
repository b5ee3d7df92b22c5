import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { readAs } from '../../shared/ticket/typed-number.ts'
import controlsStyles from './controls.module.css'
import { cx } from './cx.ts'
import iconStyles from './icons/icon.module.css'
import { Icon, type IconName } from './icons/icon.tsx'
import textStyles from './text.module.css'

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'onChange' | 'className' | 'value'> {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly unit?: ReactNode
  readonly icon?: IconName
  readonly large?: boolean
  /** Right-aligned with tabular figures, for amounts. Like `inputMode="decimal"` it shows how commas were read. */
  readonly numeric?: boolean
  readonly mono?: boolean
  readonly invalid?: boolean
  readonly className?: string | undefined
  readonly ref?: Ref<HTMLInputElement>
}

/** How a number was read whose commas could mean two things, inside its field. */
export function ReadAs({ id, read }: { readonly id: string; readonly read: string | null }) {
  return (
    <span className={controlsStyles.readAs} id={`${id}-read`} aria-live="polite">
      {read === null ? null : `= ${read}`}
    </span>
  )
}

/** One line of text. Pair it with `Field` by its id. */
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
  ...rest
}: InputProps) {
  const read = inputMode === 'decimal' ? readAs(value) : null
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
        aria-describedby={read === null ? `${id}-help` : `${id}-read ${id}-help`}
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
