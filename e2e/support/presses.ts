import type { Page } from '@playwright/test'

/** What a user did in a window: presses of the pointer and of keys. Modifiers such as Ctrl do not count on their own. */
export interface Presses {
  readonly clicks: number
  readonly keys: number
}

const counters = new WeakMap<Page, { clicks: number; keys: number }>()

/** Reports each press to the console. The event must come from the user, and is seen before any code of the app. */
function listen(): void {
  const report = (event: Event) => {
    if (!event.isTrusted) return
    if (!(event instanceof KeyboardEvent)) console.debug('pressed: pointer')
    else if (!['Control', 'Shift', 'Alt', 'Meta'].includes(event.key)) console.debug('pressed: key')
  }
  window.addEventListener('pointerdown', report, { capture: true })
  window.addEventListener('keydown', report, { capture: true })
}

/** Counts the presses in a window from now on, also after the window loads another page. Returns a function that reads the count. */
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
  // The page answers after it has reported all presses so far.
  const reported = () => page.evaluate(() => null)
  await reported()
  Object.assign(counter, { clicks: 0, keys: 0 })
  return async () => {
    await reported()
    return { ...counter }
  }
}
