import type { KeyboardEvent } from 'react'

const control = 'button:not(:disabled), a[href]'
const isShown = (element: HTMLElement): boolean => element.closest('[role=menu]') === null

/** Arrow keys in a table whose rows have the same controls: up and down to the same one of the next row, left and right within the row. */
export function moveInRows(event: KeyboardEvent<HTMLTableSectionElement>): void {
  const from = event.target instanceof HTMLElement ? event.target : null
  const row = from?.closest('tr') ?? null
  if (from === null || row === null || !isShown(from)) return
  const rows = [...event.currentTarget.rows]
  const controlsOf = (of: HTMLTableRowElement) => [...of.querySelectorAll<HTMLElement>(control)].filter(isShown)
  const own = controlsOf(row)
  const [at, line] = [own.indexOf(from), rows.indexOf(row)]
  const to = target(event.key, at, line, rows.length, own.length)
  if (to === null) return
  const next = rows[to.line]
  if (next === undefined) return
  event.preventDefault()
  const there = controlsOf(next)
  // A row that is busy has fewer of them; the last ones stand at the same edge.
  const fromEnd = own.length - 1 - to.at
  ;(to.line === line ? there[to.at] : (there[there.length - 1 - fromEnd] ?? there[0]))?.focus()
}

function target(key: string, at: number, line: number, lines: number, width: number): { readonly line: number; readonly at: number } | null {
  switch (key) {
    case 'ArrowDown':
      return { line: Math.min(line + 1, lines - 1), at }
    case 'ArrowUp':
      return { line: Math.max(line - 1, 0), at }
    case 'ArrowRight':
      return { line, at: Math.min(at + 1, width - 1) }
    case 'ArrowLeft':
      return { line, at: Math.max(at - 1, 0) }
    case 'Home':
      return { line: 0, at }
    case 'End':
      return { line: lines - 1, at }
    default:
      return null
  }
}
