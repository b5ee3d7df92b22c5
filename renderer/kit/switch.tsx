import type { ReactNode } from 'react'
import styles from './controls.module.css'
import { cx } from './cx.ts'

/** On or off, at once. Its text is its name. */
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
