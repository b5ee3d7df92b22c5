import type { Page } from 'playwright-core'
import type { Bridge, QueryName } from '../../../shared/ipc/contract.ts'

/** The page’s `window` object, in which `watchAnswers` stores its measurements. */
interface Watched {
  readonly appBridge: Bridge
  watched: { told: number; readonly sheet: Promise<number> }
}

/**
 * Counts in the page how often the app reports that a query’s result is outdated. Also measures the milliseconds from the next click on a menu entry
 * until its sheet is visible.
 */
export async function watchAnswers(page: Page, query: QueryName) {
  await page.evaluate((asked) => {
    const here = window as unknown as Watched // safe cast: the preload defined the bridge
    const { promise, resolve } = Promise.withResolvers<number>()
    const clicked = ({ target, timeStamp }: MouseEvent) => {
      if (!(target instanceof Element) || target.closest('[role=menuitem]') === null) return
      removeEventListener('click', clicked, true)
      const look = new MutationObserver(() => {
        if (document.querySelector('dialog[open]') === null) return
        look.disconnect()
        resolve(performance.now() - timeStamp)
      })
      look.observe(document, { subtree: true, childList: true, attributes: true })
    }
    addEventListener('click', clicked, true)
    here.watched = { told: 0, sheet: promise }
    here.appBridge.on((event) => {
      if (event.type === 'invalidate' && event.queries.includes(asked)) here.watched.told += 1
    })
  }, query)
  return {
    told: () => page.evaluate(() => (window as unknown as Watched).watched.told),
    sheetMs: () => page.evaluate(() => (window as unknown as Watched).watched.sheet),
  }
}
