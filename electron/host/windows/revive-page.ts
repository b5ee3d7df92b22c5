import type { WebContents } from 'electron'
import { type Clock, minute } from '../../../shared/time.ts'

export interface RevivePageParts {
  readonly clock: Pick<Clock, 'monotonic'>
  /** Its process ended, and the page loads again. */
  readonly reloads: (how: Error) => void
  /** It ended too often to load again. */
  readonly givesUp: (how: Error) => void
}

const mostAMinute = 3

/** Loads a page again whose process ended, but not in a loop. Main still works, and the user needs the page to end an order. */
export function revivePage(contents: Pick<WebContents, 'on' | 'reload' | 'isDestroyed'>, { clock, reloads, givesUp }: RevivePageParts): void {
  let ended: number[] = []
  contents.on('render-process-gone', (_event, { reason, exitCode }) => {
    // It ended as asked, or its window closes.
    if (reason === 'clean-exit' || contents.isDestroyed()) return
    const how = new Error(`The process of the page ended: ${reason}, exit code ${exitCode}`)
    const now = clock.monotonic()
    ended = [...ended.filter((at) => now - at < minute), now]
    if (ended.length > mostAMinute) return givesUp(how)
    reloads(how)
    contents.reload()
  })
}
