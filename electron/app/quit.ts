import type { App } from 'electron'
import { endAll } from './end-all.ts'

export interface QuitParts {
  /** While the windows are still there: one after the other, also where one of them fails. */
  readonly first: readonly (() => unknown)[]
  /** After they are gone. */
  readonly last: () => void
  readonly failed: (error: unknown) => void
}

/** Ends what runs before the app does. */
export function onQuit(app: Pick<App, 'on' | 'quit'>, { first, last, failed }: QuitParts): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void endAll(first, failed).then(() => {
      state = 'ended'
      app.quit()
    })
  })
  app.on('will-quit', last)
}
