import type { BrowserWindow } from 'electron'
import { windowText } from '../../../shared/text/desktop-text.ts'
import { minute } from '../../../shared/time.ts'
import type { Secret } from '../../kernel/secret.ts'
import { inUserLanguage } from '../../kernel/user-language.ts'
import { type Reveals, revealCloseUrl } from '../../keys/delivery/reveal.ts'
import { openPageWindow } from './page-window.ts'

/** As long as the countdown bar in `reveal.ts` runs (60 s). */
const lifeMs = minute

export interface RevealWindow {
  /** Shows one secret and closes an earlier one. Returns the milliseconds until the window closes automatically. */
  show(label: string, secret: Secret): { readonly closesInMs: number }
  /** Called on lock, on quit, and when the profile changes. */
  close(): void
}

/**
 * A window without script and without a preload, excluded from screen captures. It closes after a minute, on Escape, through its own link, or with
 * its parent window.
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
          title: inUserLanguage(() => windowText.secret),
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
