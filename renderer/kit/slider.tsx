import styles from './controls.module.css'
import { cx } from './cx.ts'

interface SliderProps {
  readonly label: string
  readonly min: number
  readonly max: number
  readonly step?: number
  readonly value: number
  readonly onChange: (value: number) => void
  /** Marks along the track, in the slider's own unit. */
  readonly stops?: readonly number[]
  /** The value as screen readers announce it, for example "12×". */
  readonly text?: string
  readonly disabled?: boolean
}

/** A slider: an invisible native range input over a drawn track, so that keyboard and touch work as usual. */
export function Slider({ label, min, max, step = 1, value, onChange, stops = [], text, disabled = false }: SliderProps) {
  const share = (at: number) => `${max > min ? ((Math.min(Math.max(at, min), max) - min) / (max - min)) * 100 : 0}%`
  return (
    <div className={disabled ? cx(styles.slider, styles.isOff) : styles.slider}>
      {stops.map((stop) => (
        <i key={stop} className={styles.stop} style={{ left: share(stop) }} />
      ))}
      <i className={styles.fill} style={{ width: share(value) }} />
      <input
        type="range"
        aria-label={label}
        aria-valuetext={text}
        min={min}
        max={max}
        step={step}
        value={value}
        disabled={disabled}
        onChange={(event) => onChange(event.target.valueAsNumber)}
      />
      <i className={styles.thumb} style={{ left: share(value) }} />
    </div>
  )
}
