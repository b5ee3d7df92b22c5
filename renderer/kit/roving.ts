import type { KeyboardEvent } from 'react'

/** Arrow keys, Home and End among the siblings that match `selector`; the one reached is focused and clicked when `select` is set. */
export function roveOnKey(event: KeyboardEvent<HTMLElement>, selector: string, select: boolean): void {
  const step = event.key === 'ArrowRight' || event.key === 'ArrowDown' ? 1 : event.key === 'ArrowLeft' || event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 && event.key !== 'Home' && event.key !== 'End') return
  const all = [...event.currentTarget.querySelectorAll<HTMLElement>(selector)]
  const at = document.activeElement instanceof HTMLElement ? all.indexOf(document.activeElement) : -1
  const to = event.key === 'Home' ? 0 : event.key === 'End' ? all.length - 1 : (at + step + all.length) % all.length
  event.preventDefault()
  all[to]?.focus()
  if (select) all[to]?.click()
}
