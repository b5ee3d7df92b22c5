import type { ReactNode } from 'react'

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
    <label className={disabled ? 'ck is-off' : 'ck'}>
      <input
        type="checkbox"
        role="switch"
        aria-checked={checked}
        className="ck-input"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span className="switch" data-on={checked || undefined} aria-hidden="true" />
      {children}
    </label>
  )
}
