// Imports only types from app.ts: its schemas would add zod to the code of pages, where zod may not run.
import type { PopoutView } from './app.ts'

export type PopoutKind = PopoutView['kind']

/** Returns the last part of a pop-out window's address: `#/chart/3`, `#/book/3` or `#/positions`. */
export const popoutAddress = (view: PopoutView): string => `#/${view.kind}${view.kind === 'positions' ? '' : `/${view.pairId}`}`

/** Parses the last part of a pop-out window's address; `null` if it names no view. */
export function popoutOf(address: string): PopoutView | null {
  const [, view = '', kind, pairId] = /#\/(positions|(chart|book)\/(-?\d{1,15}))$/.exec(address) ?? []
  if (view === 'positions') return { kind: view }
  return kind === 'chart' || kind === 'book' ? { kind, pairId: Number(pairId) } : null
}

export const isSameView = (one: PopoutView, other: PopoutView): boolean => popoutAddress(one) === popoutAddress(other)
