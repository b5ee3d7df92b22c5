import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { LabMark, LabRow, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { second } from '../../../../shared/time.ts'
import { useIpcQuery } from '../../../ipc/use-ipc.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { LongRows, WaitingRow } from '../../../kit/layout/long-rows.tsx'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table, useRowWindow } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { timeOfDay, titleTime, useNow } from '../../../kit/time/time.tsx'
import { VisibleText } from '../../../kit/visible-text.tsx'
import { webhooksText } from '../../../text/en/webhooks.en.tsx'
import styles from './lab.module.css'
import { answerWords, failedWords, lengthText, refusedWord, rowKey, subjectOf } from './lab-words.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'

const rowPx = 54
const headPx = 32
const columns = 4
/**
 * One request loads this many events. Requests start at every third of this number, so they overlap, and one request always covers all drawn rows.
 */
const pageSize = 150
/** The width in pixels of all columns except the axis (`otherPx`), and the minimum width of the axis (`leastAxisPx`), as in the style sheet. */
const [otherPx, leastAxisPx] = [440, 200]
/** Once the user has not scrolled for this long, the time axis adapts to the visible rows. */
const restMs = 90

const Signature = ({ failed }: Pick<LabRow, 'failed'>) =>
  failed === null ? (
    <Chip tone="ok" icon="shield-check">
      {webhooksText.verified}
    </Chip>
  ) : (
    <>
      <Chip tone="danger" icon="shield-x">
        {refusedWord(failed)}
      </Chip>
      <span className={tableStyles.sub}>{failedWords[failed]}</span>
    </>
  )

interface LineProps {
  readonly row: LabRow
  readonly index: number
  readonly axis: TimeAxis
  /** The current time while an attempt in this row waits for its answer; otherwise `null`. */
  readonly nowMs: number | null
  readonly onOpen: (subject: LabSubject) => void
}

const Line = memo(function Line({ row, index, axis, nowMs, onOpen }: LineProps) {
  const { strong, rest, tone } = answerWords(row)
  return (
    <tr aria-rowindex={index + 2} className={row.revokedBy.length > 0 ? styles.labRevoked : undefined}>
      <td className={styles.eventType}>
        <button key={rowKey(row)} type="button" className={styles.labOpen} onClick={() => onOpen(subjectOf(row))} title={titleTime(row.atMs)}>
          {row.type === null ? webhooksText.noType : <VisibleText text={row.type} />}
        </button>
        <span className={styles.labId}>
          <code>{row.id === null ? webhooksText.noId : <VisibleText text={row.id} />}</code>
          {row.revokes === null ? null : <Chip tone="warn">{webhooksText.correction}</Chip>}
        </span>
      </td>
      <td className={styles.labAxis}>
        <LabMarks row={row} axis={axis} nowMs={nowMs ?? 0} />
      </td>
      <td className={styles.labSignature}>
        <Signature failed={row.failed} />
      </td>
      <td className={cx(textStyles.right, styles.labAnswer, styles[tone])}>
        <b>{strong}</b> {rest}
      </td>
    </tr>
  )
})

/** Returns the visible rows, updated when the user pauses scrolling. These rows determine the time axis. */
function useSeen(box: RefObject<HTMLElement | null>, total: number, height: number) {
  const [seen, setSeen] = useState({ first: 0, end: 0, axisPx: leastAxisPx })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another number of rows moves what is seen
  useEffect(() => {
    const element = box.current
    if (element === null) return
    let timer = 0
    const look = () => {
      const first = Math.max(0, Math.floor(element.scrollTop / height))
      const end = Math.ceil((element.scrollTop + element.clientHeight - headPx) / height)
      const axisPx = Math.max(leastAxisPx, element.clientWidth - otherPx)
      setSeen((last) => (last.first === first && last.end === end && last.axisPx === axisPx ? last : { first, end, axisPx }))
    }
    const later = () => {
      clearTimeout(timer)
      timer = window.setTimeout(look, restMs)
    }
    look()
    const resized = new ResizeObserver(later)
    resized.observe(element)
    element.addEventListener('scroll', later, { passive: true })
    return () => {
      clearTimeout(timer)
      resized.disconnect()
      element.removeEventListener('scroll', later)
    }
  }, [box, total, height])
  return seen
}

const isWaiting = (row: LabRow): boolean => row.marks.some(({ kind }) => kind === 'waiting')

/** Keeps the newest row in view while the user is at the end of the list. */
function useFollow(box: RefObject<HTMLElement | null>, total: number) {
  const [behind, setBehind] = useState(false)
  const isBehind = useRef(false)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const look = () => {
      isBehind.current = element.scrollHeight - element.scrollTop - element.clientHeight > rowPx
      setBehind(isBehind.current)
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [box])
  const toLatest = () => box.current?.scrollTo(0, box.current.scrollHeight)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only new deliveries move it
  useLayoutEffect(() => {
    if (!isBehind.current) toLatest()
  }, [total])
  return { behind, toLatest }
}

/** One row for each event with its attempts, sorted by `created_at`, and one for each refused delivery. `total` comes from `lab.state`. */
export function LabTable({ total, onOpen }: { readonly total: number; readonly onOpen: (subject: LabSubject) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(box, total, rowPx)
  const from = Math.floor(shown.first / (pageSize / 3)) * (pageSize / 3)
  const page = useIpcQuery('lab.events', { from, to: from + pageSize }, { keepPrevious: true })
  const { behind, toLatest } = useFollow(box, total)
  const seen = useSeen(box, total, shown.rowPx)
  const rowOf = (index: number): LabRow | undefined => page.data?.rows[index - page.data.from]
  const inSight = useMemo(
    () => (page.data === undefined ? [] : page.data.rows.slice(Math.max(0, seen.first - page.data.from), Math.max(0, seen.end - page.data.from))),
    [page.data, seen],
  )
  const waits = inSight.some(isWaiting)
  const now = useNow(waits ? 500 : 0)
  const nowMs = waits ? now : null
  const axis = useMemo(
    () =>
      timeAxis(
        inSight.flatMap(({ marks }) => marks.map(({ atMs, endMs }) => ({ fromMs: atMs, toMs: endMs ?? Math.max(atMs, nowMs ?? atMs) }))),
        seen.axisPx,
      ),
    [inSight, nowMs, seen.axisPx],
  )
  const drawn = Array.from({ length: Math.max(0, shown.end - shown.first) }, (_, offset) => rowOf(shown.first + offset))
  return (
    <div className={styles.labList}>
      <div className={styles.labScroll} data-part="scroll" ref={box}>
        <div className={styles.labInner}>
          <Table label={webhooksText.capturedEvents} className={styles.labTable} rows={total + 1} busy={page.data === undefined}>
            <thead>
              <tr>
                <HeadCell>{webhooksText.event}</HeadCell>
                <th scope="col" className={styles.labAxis}>
                  <span className={textStyles.screenReaderOnly}>{webhooksText.attemptsOverTime}</span>
                  <div className={styles.axisTick} aria-hidden="true">
                    {axis.ticks.map(({ at, label }) =>
                      label === null ? null : (
                        <span key={at} className={label.startsWith('+') ? styles.mid : undefined} style={{ left: `${at}%` }}>
                          {label}
                        </span>
                      ),
                    )}
                  </div>
                </th>
                <HeadCell>{webhooksText.signature}</HeadCell>
                <HeadCell numeric>{webhooksText.response}</HeadCell>
              </tr>
            </thead>
            <LongRows
              window={shown}
              count={total}
              columns={columns}
              row={(index) => {
                const row = rowOf(index)
                if (row === undefined) return <WaitingRow index={index} columns={columns} />
                return <Line row={row} index={index} axis={axis} nowMs={isWaiting(row) ? nowMs : null} onOpen={onOpen} />
              }}
            />
          </Table>
          <div className={styles.labOver} style={{ height: total * shown.rowPx }}>
            {axis.ticks.map(({ at, fold }) => (
              <i key={at} className={fold ? styles.fold : undefined} style={{ left: `${at}%` }} />
            ))}
            <LabLinks rows={drawn} first={shown.first} rowPx={shown.rowPx} axis={axis} />
          </div>
        </div>
      </div>
      {behind ? (
        <Button size="xs" icon="arrow-down" className={styles.labLatest} onClick={toLatest}>
          {webhooksText.latest}
        </Button>
      ) : null}
    </div>
  )
}

const words: Readonly<Record<LabMark['kind'], string>> = {
  taken: webhooksText.markAccepted,
  failed: webhooksText.markFailed,
  refused: webhooksText.markRefused,
  duplicate: webhooksText.markDuplicate,
  waiting: webhooksText.attemptUnanswered,
}

/** A response that took at least this long is drawn as a bar on the axis. */
const slowMs = 0.5 * second

/**
 * The time at which the axis marks an attempt: when the lab responded or, if it responded within `slowMs`, when the delivery arrived.
 */
const markAt = ({ atMs, endMs }: LabMark): number => (endMs !== null && endMs - atMs >= slowMs ? endMs : atMs)

const markTitle = ({ kind, by, atMs, endMs }: LabMark): string =>
  [
    timeOfDay(atMs),
    by === 'resend' ? webhooksText.resentMark(words[kind]) : words[kind],
    ...(endMs === null ? [] : [webhooksText.afterDuration(lengthText(endMs - atMs))]),
  ].join(' ')

const marksText = ({ marks }: LabRow): string => marks.map(markTitle).join('; ')

const percent = (value: number): string => `${Math.round(value * 100) / 100}%`

/** Marks closer than `nearPercent` of the axis would overlap. They are drawn side by side, `besidePx` pixels apart. */
const [nearPercent, besidePx] = [1.2, 16]

/** The position of each mark, as percent of the width plus pixels. */
function placesOf({ marks }: LabRow, axis: TimeAxis): { readonly at: number; readonly px: number }[] {
  let last = { at: Number.NEGATIVE_INFINITY, px: 0 }
  return marks.map((mark) => {
    const at = axis.place(markAt(mark))
    last = at - last.at < nearPercent ? { at: last.at, px: last.px + besidePx } : { at, px: 0 }
    return last
  })
}

const across = (at: number, px: number): string => (px === 0 ? percent(at) : `calc(${percent(at)} + ${px}px)`)

/** Draws the attempts of one event: a mark for each attempt, a bar until the lab answers it, and dots while the sender waits to retry. */
function LabMarks({ row, axis, nowMs }: { readonly row: LabRow; readonly axis: TimeAxis; readonly nowMs: number }) {
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
  /** The rows to draw; `undefined`: a row that is not loaded yet. */
  readonly rows: readonly (LabRow | undefined)[]
  /** The index of `rows[0]` in the whole list. */
  readonly first: number
  readonly rowPx: number
  readonly axis: TimeAxis
}

/** Draws lines over the rows: from each event that revokes another to the revoked event. */
function LabLinks({ rows, first, rowPx, axis }: LinksProps) {
  const places = new Map(rows.flatMap((row, index) => (row?.kind === 'event' && row.id !== null ? [[row.id, index] as const] : [])))
  const links = rows.flatMap((row, from) => {
    const to = row?.revokes == null ? undefined : places.get(row.revokes.id)
    const [mark, other] = [row?.marks[0], to === undefined ? undefined : rows[to]?.marks.find(({ kind }) => kind === 'taken')]
    if (row?.revokes == null || to === undefined || mark === undefined || other === undefined) return []
    const [x1, x2] = [axis.place(markAt(mark)), axis.place(markAt(other))]
    const up = to < from ? -1 : 1
    const [y1, y2] = [(from + 0.5) * rowPx + up * 8, (to + 0.5) * rowPx - up * 8]
    // The line between two adjacent rows is too short for a label, so put the label beside it.
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
          {webhooksText.revokesId(id.length > 12 ? `${id.slice(0, 12)}…` : id)}
        </span>
      ))}
    </div>
  )
}
