import type { LabMark, LabRow } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../../shared/time.ts'
import { cx } from '../../../kit/cx.ts'
import { timeOfDay } from '../../../kit/time/time-text.ts'
import styles from './lab.module.css'
import { lengthText } from './lab-words.ts'
import type { TimeAxis } from './time-axis.ts'

const words: Readonly<Record<LabMark['kind'], string>> = {
  taken: 'taken',
  failed: 'failed',
  refused: 'refused, rightly',
  duplicate: 'a duplicate, to be ignored',
  waiting: 'no answer yet',
}

/** A wait for the answer that can be seen. */
const slowMs = 0.5 * second

/** Where the outcome of an attempt stands: when it was known, or when it came where that was at once. */
export const markAt = ({ atMs, endMs }: LabMark): number => (endMs !== null && endMs - atMs >= slowMs ? endMs : atMs)

const markTitle = ({ kind, by, atMs, endMs }: LabMark): string =>
  [timeOfDay(atMs), `${by === 'resend' ? 'sent again from here, ' : ''}${words[kind]}`, ...(endMs === null ? [] : [`after ${lengthText(endMs - atMs)}`])].join(
    ' ',
  )

/** What the marks of a row say, for screen readers. */
export const marksText = ({ marks }: LabRow): string => marks.map(markTitle).join('; ')

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`

/** Nearer to each other, in percent of the axis, marks would lie on one another: they are drawn side by side, so many pixels apart. */
const [nearPercent, besidePx] = [1.2, 16]

/** Where each mark of a row stands: in percent, and pixels beside that. */
function placesOf({ marks }: LabRow, axis: TimeAxis): { readonly at: number; readonly px: number }[] {
  let last = { at: Number.NEGATIVE_INFINITY, px: 0 }
  return marks.map((mark) => {
    const at = axis.place(markAt(mark))
    last = at - last.at < nearPercent ? { at: last.at, px: last.px + besidePx } : { at, px: 0 }
    return last
  })
}

const across = (at: number, px: number): string => (px === 0 ? percent(at) : `calc(${percent(at)} + ${px}px)`)

/** The attempts of one event: a mark each, a bar while nobody answered, dots where the sender waits for its next try. */
export function LabMarks({ row, axis, nowMs }: { readonly row: LabRow; readonly axis: TimeAxis; readonly nowMs: number }) {
  const look = row.revokedBy.length > 0 ? styles.revoked : row.revokes === null ? '' : styles.correction
  const places = placesOf(row, axis)
  return (
    <div className={cx(styles.labTrack, look)} role="img" aria-label={marksText(row)}>
      {row.marks.map((mark, index) => {
        const { kind, atMs, endMs } = mark
        const { at = 0, px = 0 } = places[index] ?? {}
        const next = row.marks[index + 1]
        const slow = kind === 'waiting' || (endMs !== null && endMs - atMs >= slowMs)
        const from = axis.place(atMs)
        const to = axis.place(Math.max(atMs, endMs ?? nowMs))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: attempts are only added, or dropped at the front together with their row's number
          <span key={index}>
            {slow ? <i className={styles.labBar} style={{ left: percent(from), width: percent(Math.max(0.5, Math.min(100, to) - from)) }} /> : null}
            {kind === 'failed' && next !== undefined && next.by === 'sender' ? (
              <i className={styles.labWait} style={{ left: percent(at), width: percent(Math.max(0, axis.place(next.atMs) - at)) }} />
            ) : null}
            {kind === 'waiting' ? null : <i className={cx(styles.labMark, styles[kind])} style={{ left: across(at, px) }} title={markTitle(mark)} />}
          </span>
        )
      })}
    </div>
  )
}

interface LinksProps {
  /** undefined: not there yet. */
  readonly rows: readonly (LabRow | undefined)[]
  /** Place of the first of them in the list. */
  readonly first: number
  readonly rowPx: number
  readonly axis: TimeAxis
}

/** Lines from each correction to what it takes back, over the rows that are drawn. */
export function LabLinks({ rows, first, rowPx, axis }: LinksProps) {
  const places = new Map(rows.flatMap((row, index) => (row?.kind === 'event' && row.id !== null ? [[row.id, index] as const] : [])))
  const links = rows.flatMap((row, from) => {
    const to = row?.revokes == null ? undefined : places.get(row.revokes.id)
    const [mark, other] = [row?.marks[0], to === undefined ? undefined : rows[to]?.marks.find(({ kind }) => kind === 'taken')]
    if (row?.revokes == null || to === undefined || mark === undefined || other === undefined) return []
    const [x1, x2] = [axis.place(markAt(mark)), axis.place(markAt(other))]
    const up = to < from ? -1 : 1
    const [y1, y2] = [(from + 0.5) * rowPx + up * 8, (to + 0.5) * rowPx - up * 8]
    // Between two rows that touch there is no room for its words on the line.
    const beside = Math.abs(to - from) === 1
    const at = beside ? Math.max(x1, x2) : Math.min(80, Math.max(20, (x1 + x2) / 2))
    return [{ key: `${row.id} ${row.revokes.id}`, id: row.revokes.id, x1, x2, y1, y2, at, side: !beside ? '' : at > 70 ? styles.before : styles.after }]
  })
  if (links.length === 0) return null
  return (
    <div className={styles.labLinks} style={{ top: first * rowPx, height: rows.length * rowPx }} aria-hidden="true">
      <svg viewBox={`0 0 100 ${rows.length * rowPx}`} preserveAspectRatio="none" aria-hidden="true">
        {links.map(({ key, x1, x2, y1, y2 }) => (
          <path key={key} d={`M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}`} />
        ))}
      </svg>
      {links.map(({ key, id, y1, y2, at, side }) => (
        <span key={key} className={cx(styles.labBack, side)} style={{ left: percent(at), top: (y1 + y2) / 2 }}>
          takes back {id.slice(0, 12)}
          {id.length > 12 ? '…' : ''}
        </span>
      ))}
    </div>
  )
}
