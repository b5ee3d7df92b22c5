import { second } from '../../../shared/time.ts'
import { cx } from '../../kit/cx.ts'
import marksStyles from '../../kit/marks.module.css'
import textStyles from '../../kit/text.module.css'
import { useNow } from '../../kit/time/now.tsx'
import { durationText, exactTime } from '../../kit/time/time-text.ts'
import styles from './markets.module.css'

interface ReadAgeProps {
  /** When it was read, or made where the service says so; null: never yet. */
  readonly atMs: number | null
  readonly source: 'versioned' | 'public' | null
  /** The newest reading failed. */
  readonly failed: boolean
  readonly staleAfterMs?: number
}

const sourceWords = { versioned: 'Read with your key', public: 'From the public route, which needs no key' } as const

/** How old what is shown is, and by which way it came. */
export function ReadAge({ atMs, source, failed, staleAfterMs = 30 * second }: ReadAgeProps) {
  const now = useNow(500)
  if (atMs === null) return null
  const age = Math.max(0, now - atMs)
  const stale = failed || age > staleAfterMs
  return (
    <span
      className={stale ? cx(styles.marketAge, textStyles.warn) : styles.marketAge}
      title={`${exactTime(atMs)}${source === null ? '' : `. ${sourceWords[source]}`}`}
    >
      <span className={stale ? cx(marksStyles.dot, marksStyles.warn) : cx(marksStyles.dot, marksStyles.ok)} />
      {stale ? 'Stale, read ' : 'Read '}
      {age < 10 * second ? `${(age / second).toFixed(1)} s` : durationText(age)} ago
      {source === 'public' ? <span className={marksStyles.chip}>Public data</span> : null}
    </span>
  )
}
