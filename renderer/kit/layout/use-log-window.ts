import { type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { type ShownRows, useRowWindow } from './row-window.ts'

/** Of a row of these tables, by the style sheet. */
const rowPx = 36
/** Asked for at a time, beginning at a multiple of a third of it: more than a window of rows, wherever it stands. */
const pageSize = 150

interface LogWindow {
  /** The box that scrolls. */
  readonly box: RefObject<HTMLDivElement | null>
  /** The rows that are drawn. */
  readonly shown: ShownRows
  /** What to ask for, so that all of them are there. */
  readonly page: { readonly offset: number; readonly limit: number }
  /** Rows that fit; null: not known yet. */
  readonly total: number | null
  /** To be told what the answer says of that, on every rendering. */
  readonly count: (total: number | null) => void
}

/** A log that is too long to be drawn or asked for whole. Another filter begins at its newest row. */
export function useLogWindow(filter: unknown): LogWindow {
  const box = useRef<HTMLDivElement>(null)
  const [total, setTotal] = useState<number | null>(null)
  const shown = useRowWindow(box, total ?? 0, rowPx)
  const what = JSON.stringify(filter)
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useLayoutEffect(() => void box.current?.scrollTo(0, 0), [what])
  const offset = Math.floor(shown.first / (pageSize / 3)) * (pageSize / 3)
  return { box, shown, page: { offset, limit: pageSize }, total, count: (counted) => (counted === total ? undefined : setTotal(counted)) }
}
