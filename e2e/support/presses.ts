import type { Page } from '@playwright/test'

/** Number of pointer and key presses of a user in a window. Ctrl, Shift, Alt and Meta do not count. */
export interface Presses {
  readonly clicks: number
  readonly keys: number
}

const counters = new WeakMap<Page, { clicks: number; keys: number }>()

/** Logs each press to the page’s console. Counts only real user input, and listens before any code of the app. */
function listen(): void {
  const report = (event: Event) => {
    if (!event.isTrusted) return
    if (!(event instanceof KeyboardEvent)) console.debug('pressed: pointer')
    else if (!['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) console.debug('pressed: key')
  }
  window.addEventListener('pointerdown', report, { capture: true })
  window.addEventListener('keydown', report, { capture: true })
}

/** Counts the presses in a window from now on, even after the window loads another page. The returned function reads the counts. */
export async function countPresses(page: Page): Promise<() => Promise<Presses>> {
  const counter = counters.get(page) ?? { clicks: 0, keys: 0 }
  if (!counters.has(page)) {
    counters.set(page, counter)
    page.on('console', (message) => {
      if (message.text() === 'pressed: pointer') counter.clicks += 1
      if (message.text() === 'pressed: key') counter.keys += 1
    })
    await page.addInitScript(listen)
    await page.evaluate(listen)
  }
  // Waits for a response of the page, which arrives after the page has reported all earlier presses.
  const reported = () => page.evaluate(() => null)
  await reported()
  Object.assign(counter, { clicks: 0, keys: 0 })
  return async () => {
    await reported()
    return { ...counter }
  }
}
