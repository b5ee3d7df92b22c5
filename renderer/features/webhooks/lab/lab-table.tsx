import { memo, type RefObject, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { LabRow, LabSubject } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { useDeskQuery } from '../../../ipc/use-desk.ts'
import { Button } from '../../../kit/button.tsx'
import { Chip } from '../../../kit/chip.tsx'
import { cx } from '../../../kit/cx.ts'
import { LongRows, WaitingRow } from '../../../kit/layout/long-rows.tsx'
import { useRowWindow } from '../../../kit/layout/row-window.ts'
import tableStyles from '../../../kit/layout/table.module.css'
import { HeadCell, Table } from '../../../kit/layout/table.tsx'
import textStyles from '../../../kit/text.module.css'
import { useNow } from '../../../kit/time/now.tsx'
import { exactTime } from '../../../kit/time/time-text.ts'
import { VisibleText } from '../../../kit/visible-text.tsx'
import styles from './lab.module.css'
import { LabLinks, LabMarks } from './lab-marks.tsx'
import { answerWords, failedWords, refusedWord, rowKey, subjectOf } from './lab-words.ts'
import { type TimeAxis, timeAxis } from './time-axis.ts'

/** Of a row, and of the head, by the style sheet. */
const rowPx = 54
const headPx = 32
const columns = 4
/** Asked for at a time, beginning at a multiple of a third of it. */
const pageSize = 150
/** Width of the other columns, and the least of the axis, by the style sheet. */
const [otherPx, leastAxisPx] = [440, 200]
/** The axis follows once scrolling has rested for so long. */
const restMs = 90

const Signature = ({ failed }: Pick<LabRow, 'failed'>) =>
  failed === null ? (
    <Chip tone="ok" icon="shield-check">
      Verified
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
  /** Now, where somebody still waits for an answer; else null. */
  readonly nowMs: number | null
  readonly onOpen: (subject: LabSubject) => void
}

const Line = memo(function Line({ row, index, axis, nowMs, onOpen }: LineProps) {
  const { strong, rest, tone } = answerWords(row)
  return (
    <tr aria-rowindex={index + 2} className={row.revokedBy.length > 0 ? styles.labRevoked : undefined}>
      <td className={styles.eventType}>
        <button key={rowKey(row)} type="button" className={styles.labOpen} onClick={() => onOpen(subjectOf(row))} title={exactTime(row.atMs)}>
          {row.type === null ? 'No type' : <VisibleText text={row.type} />}
        </button>
        <span className={styles.labId}>
          <code>{row.id === null ? 'no id' : <VisibleText text={row.id} />}</code>
          {row.revokes === null ? null : <Chip tone="warn">correction</Chip>}
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

/** The rows that can be seen, once scrolling rests: what stands between them decides the axis. */
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

/** Stays at the newest row while it is there. */
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
  // biome-ignore lint/correctness/useExhaustiveDependencies: only what came anew moves it
  useLayoutEffect(() => {
    if (!isBehind.current) toLatest()
  }, [total])
  return { behind, toLatest }
}

/** Every event once with its attempts, in the order of created_at, and what was refused among them. `total`: of `lab.state`. */
export function LabTable({ total, onOpen }: { readonly total: number; readonly onOpen: (subject: LabSubject) => void }) {
  const box = useRef<HTMLDivElement>(null)
  const shown = useRowWindow(box, total, rowPx)
  const from = Math.floor(shown.first / (pageSize / 3)) * (pageSize / 3)
  const page = useDeskQuery('lab.events', { from, to: from + pageSize }, { keepPrevious: true })
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
          <Table label="Captured events" className={styles.labTable} rows={total + 1} busy={page.data === undefined}>
            <thead>
              <tr>
                <HeadCell>Event</HeadCell>
                <th scope="col" className={styles.labAxis}>
                  <span className={textStyles.screenReaderOnly}>Attempts over time</span>
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
                <HeadCell>Signature</HeadCell>
                <HeadCell numeric>Answer</HeadCell>
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
          Latest
        </Button>
      ) : null}
    </div>
  )
}
