import type { ReactNode } from 'react'
import styles from './controls.module.css'
import { cx } from './cx.ts'
import { Icon } from './icons/icon.tsx'

interface CheckboxProps {
  readonly id?: string
  readonly describedBy?: string
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly children: ReactNode
}

/** A native checkbox with the product's own look. Its label is its accessible name. */
export function Checkbox({ id, describedBy, checked, onChange, disabled = false, children }: CheckboxProps) {
  return (
    <label className={disabled ? cx(styles.check, styles.isOff) : styles.check}>
      <input
        id={id}
        type="checkbox"
        className={styles.checkInput}
        aria-describedby={describedBy}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.box} data-on={checked || undefined} aria-hidden="true">
        <Icon name="check" />
      </span>
      {children}
    </label>
  )
}

/** A switch whose change takes effect at once. Its text is its accessible name. */
export function Switch({
  checked,
  onChange,
  disabled = false,
  children,
}: {
  readonly checked: boolean
  readonly onChange: (checked: boolean) => void
  readonly disabled?: boolean
  readonly children: ReactNode
}) {
  return (
    <label className={disabled ? cx(styles.check, styles.isOff) : styles.check}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className={styles.checkInput}
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className={styles.switch} data-on={checked || undefined} aria-hidden="true" />
      {children}
    </label>
  )
}
