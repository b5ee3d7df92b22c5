import type { App } from 'electron'
import { endAll } from '../../kernel/ends.ts'
import type { EndOnError } from './end-on-error.ts'

export interface QuitParts {
  /** What ends the app after an error. Once it does, nothing else may, or the app would end in the middle of it. */
  readonly ending: Pick<EndOnError, 'quits' | 'isEnding'>
  /** While the windows are still there: one after the other, also where one of them fails. */
  readonly first: readonly (() => unknown)[]
  /** After they are gone. */
  readonly last: () => void
  readonly failed: (error: unknown) => void
}

/** Ends what runs before the app does. */
export function onQuit(app: Pick<App, 'on' | 'quit'>, { ending, first, last, failed }: QuitParts): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending' || ending.isEnding()) return
    state = 'ending'
    ending.quits()
    void endAll(first, failed).then(() => {
      state = 'ended'
      app.quit()
    })
  })
  app.on('will-quit', last)
}
