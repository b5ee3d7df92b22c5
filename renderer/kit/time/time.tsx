import { minute } from '../../../shared/time.ts'
import styles from '../text.module.css'
import { useNow } from './now.tsx'
import { dayText, durationText, exactTime, relativeText, timeOfDay } from './time-text.ts'

interface TimeProps {
  /** Unix milliseconds; null shows a dash. */
  readonly ms: number | null
  /** relative: "4 s ago"; age: "4 s"; clock: "14:32:07"; day: "21 Nov". */
  readonly form?: 'relative' | 'age' | 'clock' | 'day'
}

/** A moment, with the exact one in its tooltip. Keeps itself up to date. */
export function Time({ ms, form = 'relative' }: TimeProps) {
  const young = ms !== null && (form === 'relative' || form === 'age')
  const now = useNow(young ? 1_000 : minute)
  if (ms === null) return <span className={styles.muted}>—</span>
  const text = form === 'relative' ? relativeText(ms, now) : form === 'age' ? durationText(now - ms) : form === 'clock' ? timeOfDay(ms) : dayText(ms, now)
  return (
    <time dateTime={new Date(ms).toISOString()} title={exactTime(ms)}>
      {text}
    </time>
  )
}
