import type { App } from 'electron'

/** Ends what runs before the app does: `first` while the windows are still there, `last` after they are gone. */
export function onQuit(app: App, { first, last }: { readonly first: () => Promise<void>; readonly last: () => void }): void {
  let state: 'running' | 'ending' | 'ended' = 'running'
  app.on('before-quit', (event) => {
    if (state === 'ended') return
    event.preventDefault()
    if (state === 'ending') return
    state = 'ending'
    void first()
      .catch(() => undefined)
      .finally(() => {
        state = 'ended'
        app.quit()
      })
  })
  app.on('will-quit', last)
}
