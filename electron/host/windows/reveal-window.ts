import type { BrowserWindow } from 'electron'
import { minute } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { type Reveals, revealCloseUrl } from '../../keys/delivery/reveal.ts'
import { openPageWindow } from './page-window.ts'

/** As long as the bar of `reveal-page.ts` runs. */
const lifeMs = minute

export interface RevealWindow {
  /** Shows one secret; a former one goes. Gives the milliseconds until it goes by itself. */
  show(label: string, secret: Secret): { readonly closesInMs: number }
  /** On lock, on quit, and when the profile changes. */
  close(): void
}

/**
 * A window without script and without a preload, which screen captures leave out. It closes after a minute, on Escape, by
 * its own link, or with the window that it belongs to.
 */
export function createRevealWindow({ reveals, parent }: { readonly reveals: Reveals; readonly parent: () => BrowserWindow | null }): RevealWindow {
  let closeShown: () => void = () => undefined
  return {
    show(label, secret) {
      closeShown()
      const owner = parent()
      const offered = reveals.offer(label, secret)
      const window = openPageWindow({
        url: offered.url,
        preload: null,
        script: false,
        devTools: false,
        options: {
          ...(owner === null ? {} : { parent: owner }),
          title: 'Secret',
          width: 520,
          height: 280,
          resizable: false,
          minimizable: false,
          maximizable: false,
          fullscreenable: false,
          autoHideMenuBar: true,
        },
      })
      window.setContentProtection(true)
      const close = () => {
        if (!window.isDestroyed()) window.destroy()
      }
      const timer = setTimeout(close, lifeMs)
      window.webContents.on('before-input-event', (_event, { type, key }) => {
        if (type === 'keyDown' && key === 'Escape') close()
      })
      window.webContents.on('will-navigate', ({ url }) => {
        if (url === revealCloseUrl) close()
      })
      window.on('closed', () => {
        clearTimeout(timer)
        offered.withdraw()
      })
      closeShown = close
      return { closesInMs: lifeMs }
    },
    close: () => closeShown(),
  }
}
