import type { KeyboardEvent } from 'react'
import { pressed } from './key-bindings.ts'

/**
 * Moves the focus among the siblings that match `selector`, with the arrow keys, Home and End. If `select` is set, also clicks the newly focused
 * element.
 */
export function roveOnKey(event: KeyboardEvent<HTMLElement>, selector: string, select: boolean): void {
  const key = pressed(event, 'next', 'previous', 'first', 'last')
  if (key === null) return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1
  const to = key === 'first' ? 0 : key === 'last' ? all.length - 1 : (at + (key === 'next' ? 1 : -1) + all.length) % all.length
  event.preventDefault()
  all[to]?.focus()
  if (select) all[to]?.click()
}
