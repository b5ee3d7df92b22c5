import { cx } from '../cx.ts'
import styles from './table.module.css'

interface MeterProps {
  readonly label: string
  readonly value: number
  readonly max: number
  readonly tone?: 'accent' | 'ok' | 'warn' | 'danger' | 'quiet'
}

export function Meter({ label, value, max, tone = 'accent' }: MeterProps) {
  const share = max > 0 ? Math.min(Math.max(value / max, 0), 1) : 0
  return (
    // biome-ignore lint/a11y/useSemanticElements: the look of a native meter cannot be set
    <div
      className={tone === 'accent' ? styles.meter : cx(styles.meter, styles[tone])}
      role="meter"
      aria-label={label}
      aria-valuenow={value}
      aria-valuemin={0}
      aria-valuemax={max}
    >
      <i style={{ width: `${share * 100}%` }} />
    </div>
  )
}

/** Shows a small number as dots, for example of confirmed blocks or used keys. */
export function Pips({ label, value, max }: { readonly label: string; readonly value: number; readonly max: number }) {
  return (
    <span className={styles.pips} role="img" aria-label={label}>
      {Array.from({ length: max }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a pip has no identity but its place
        <i key={index} className={index < value ? styles.on : undefined} />
      ))}
    </span>
  )
}
