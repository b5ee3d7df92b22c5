import type { ReactNode } from 'react'
import controlsStyles from './controls.module.css'
import { cx } from './cx.ts'
import { Icon } from './icons/icon.tsx'
import panelStyles from './layout/panel.module.css'

interface FieldProps {
  /** The id of the control inside; its help and error get `<id>-help`. */
  readonly id: string
  readonly label: ReactNode
  /** At the label's right end: limits, what is free. */
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
  const tone = error ? cx(controlsStyles.help, controlsStyles.error) : warning ? cx(controlsStyles.help, controlsStyles.warn) : controlsStyles.help
  return (
    <div className={cx(controlsStyles.field, className)}>
      <label className={controlsStyles.label} htmlFor={id}>
        {label}
        {end === undefined ? null : <span className={panelStyles.end}>{end}</span>}
      </label>
      {children}
      {below === undefined || below === null || below === '' ? null : (
        <p className={tone} id={`${id}-help`} role={error ? 'alert' : undefined}>
          {error ? <Icon name="stop" /> : warning ? <Icon name="warn" /> : null}
          <span>{below}</span>
        </p>
      )}
    </div>
  )
}
