import type { InputHTMLAttributes, ReactNode, Ref } from 'react'
import { Icon, type IconName } from './icon.tsx'

interface InputProps extends Omit<InputHTMLAttributes<HTMLInputElement>, 'size' | 'onChange' | 'className' | 'value'> {
  readonly id: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly unit?: ReactNode
  readonly icon?: IconName
  readonly large?: boolean
  /** Right-aligned with tabular figures, for amounts. */
  readonly numeric?: boolean
  readonly mono?: boolean
  readonly invalid?: boolean
  readonly className?: string
  readonly ref?: Ref<HTMLInputElement>
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
  ...rest
}: InputProps) {
  const classes = ['input', large ? 'lg' : '', numeric ? 'r' : '', mono ? 'mono' : '', invalid ? 'is-error' : '', disabled ? 'is-off' : '', className ?? '']
  return (
    <div className={classes.filter(Boolean).join(' ')}>
      {icon === undefined ? null : <Icon name={icon} className="dim" />}
      <input
        id={id}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        disabled={disabled}
        aria-invalid={invalid || undefined}
        aria-describedby={`${id}-help`}
        autoComplete="off"
        spellCheck={false}
        inputMode={numeric ? 'decimal' : undefined}
        {...rest}
      />
      {unit === undefined ? null : <span className="unit">{unit}</span>}
    </div>
  )
}
