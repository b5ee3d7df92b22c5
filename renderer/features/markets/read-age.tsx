import type { Failure } from '../../../shared/ipc/failure.ts'
import { second } from '../../../shared/time.ts'
import { failureOf } from '../../ipc/call-failure.ts'
import { cx } from '../../kit/cx.ts'
import marksStyles from '../../kit/marks.module.css'
import textStyles from '../../kit/text.module.css'
import { durationText, titleTime, useNow } from '../../kit/time/time.tsx'
import { FailureNote, FailurePanel } from '../../parts/failure-note.tsx'
import { kitText } from '../../text/en/kit.en.tsx'
import { marketsText } from '../../text/en/markets.en.tsx'
import styles from './markets.module.css'

interface ReadAgeProps {
  /** When the service created the data, as Unix ms. If unknown, when the app read the data; `null` if the app never read it. */
  readonly atMs: number | null
  readonly source: 'versioned' | 'public' | null
  /** True if the latest attempt to read the data failed. */
  readonly failed: boolean
  readonly staleAfterMs?: number
}

const sourceWords = { versioned: marketsText.readWithKey, public: marketsText.readPublic } as const

/** The age of the shown data, and where it was read. */
export function ReadAge({ atMs, source, failed, staleAfterMs = 30 * second }: ReadAgeProps) {
  const now = useNow(500)
  if (atMs === null) return null
  const age = Math.max(0, now - atMs)
  const stale = failed || age > staleAfterMs
  return (
    <span
      className={stale ? cx(styles.marketAge, textStyles.warn) : styles.marketAge}
      title={source === null ? titleTime(atMs) : marketsText.readAt(titleTime(atMs), sourceWords[source])}
    >
      <span className={stale ? cx(marksStyles.dot, marksStyles.warn) : cx(marksStyles.dot, marksStyles.ok)} />
      {(stale ? marketsText.staleReadAgo : marketsText.readAgo)(age < 10 * second ? kitText.seconds((age / second).toFixed(1)) : durationText(age))}
      {source === 'public' ? <span className={marksStyles.chip}>{marketsText.publicData}</span> : null}
    </span>
  )
}

interface Query {
  readonly data: unknown
  readonly error: unknown
  readonly isFetching: boolean
  readonly refetch: () => unknown
}

/** Why a query has no data; `null` if it has data or is still loading. */
export const missing = ({ data, error }: Pick<Query, 'data' | 'error'>): Failure | null => (data === undefined && error !== null ? failureOf(error) : null)

interface UnreadProps {
  readonly query: Query
  readonly small?: boolean
  /** The heading level of the title. It is 3 if the title is below a panel's title. */
  readonly level?: 2 | 3
}

/** Shown in place of data that could not be read. */
export function Unread({ query, small = false, level = 2 }: UnreadProps) {
  const failure = missing(query)
  if (failure === null) return null
  const retry = { onRetry: () => void query.refetch(), retrying: query.isFetching }
  return small ? <FailureNote failure={failure} {...retry} /> : <FailurePanel failure={failure} {...retry} level={level} />
}
