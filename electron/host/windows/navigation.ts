import type { WebContents } from 'electron'

/** A page stays where it was loaded: no other page, no new window, no webview, whoever asks. It may only load itself anew. */
export function forbidNavigation(contents: Pick<WebContents, 'setWindowOpenHandler' | 'getURL' | 'on'>): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  contents.on('will-navigate', (event) => {
    if (!isSamePage(contents.getURL(), event.url)) event.preventDefault()
  })
  contents.on('will-redirect', (event) => event.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
}

/** The same address but for what follows `#`, which is the page's own. */
export function isSamePage(current: string, wanted: string): boolean {
  const [from, to] = [URL.parse(current), URL.parse(wanted)]
  if (from === null || to === null) return false
  from.hash = ''
  to.hash = ''
  return from.href === to.href
}
