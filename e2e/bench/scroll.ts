import type { JSHandle, Page } from 'playwright-core'
import { withCpu } from './cpu.ts'

const framesPerSample = 90
/** Scroll distance per frame of a steadily turned wheel. */
const wheelPx = 120
const places = 100

const boxAround = (page: Page, table: string): Promise<JSHandle<Element>> =>
  page.evaluateHandle((name) => {
    const scrolls = (element: Element) => element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)
    let box = document.querySelector(`table[aria-label="${name}"]`)?.parentElement ?? null
    while (box !== null && !scrolls(box)) box = box.parentElement
    if (box === null) throw new Error(`Nothing scrolls around ${name}`)
    return box
  }, table)

/**
 * CPU milliseconds per frame on the page’s main thread while the box around `table` scrolls down and up again, one step per frame. `screenful`: each
 * step replaces all visible rows.
 */
export async function scrollCost(page: Page, table: string, step: 'wheel' | 'screenful' = 'wheel', frames: number = framesPerSample): Promise<number> {
  const box = await boxAround(page, table)
  return withCpu(page, async (cpuMs) => {
    const before = await cpuMs()
    await box.evaluate(
      async (element, [count, wheel]) => {
        const px = wheel ?? element.clientHeight
        for (let frame = 0; frame < count; frame += 1) {
          element.scrollBy(0, frame < count / 2 ? px : -px)
          await new Promise(requestAnimationFrame)
        }
      },
      [frames, step === 'wheel' ? wheelPx : null] as const,
    )
    return ((await cpuMs()) - before) / frames
  })
}

/**
 * Scrolls `table` quickly from its first row to its last. `drawn`: the highest number of rows in the document at once. `room`: how many rows are
 * visible at once.
 */
export async function rowsInDocument(page: Page, table: string): Promise<{ readonly drawn: number; readonly room: number }> {
  const box = await boxAround(page, table)
  return box.evaluate(async (element, count) => {
    let [drawn, room] = [0, 0]
    for (let place = 0; place <= count; place += 1) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * place) / count
      await new Promise(requestAnimationFrame)
      await new Promise(requestAnimationFrame)
      const rows = element.querySelectorAll('tbody tr[aria-rowindex]')
      drawn = Math.max(drawn, rows.length)
      room = Math.ceil(element.clientHeight / (rows[0]?.getBoundingClientRect().height || Number.NaN))
    }
    element.scrollTo(0, 0)
    return { drawn, room }
  }, places)
}
