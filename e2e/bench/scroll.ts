import type { JSHandle, Page } from 'playwright-core'
import { withCpu } from './cpu.ts'

const framesPerSample = 90
/** As a wheel turned steadily scrolls. */
const wheelPx = 120
/** Places of a long table that are looked at. */
const places = 100

/** The box in which a table scrolls. */
const boxAround = (page: Page, table: string): Promise<JSHandle<Element>> =>
  page.evaluateHandle((name) => {
    const scrolls = (element: Element) => element.scrollHeight > element.clientHeight + 1 && /auto|scroll/.test(getComputedStyle(element).overflowY)
    let box = document.querySelector(`table[aria-label="${name}"]`)?.parentElement ?? null
    while (box !== null && !scrolls(box)) box = box.parentElement
    if (box === null) throw new Error(`Nothing scrolls around ${name}`)
    return box
  }, table)

/**
 * CPU milliseconds of the page's main thread per frame while the box around `table` scrolls down and up again from where it is, a step each
 * frame; `screenful`: all that is seen leaves with each.
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

/** The most rows that are in the document at once while `table` is thrown by from its first row to its last, and those that its box has room for. */
export async function rowsInDocument(page: Page, table: string): Promise<{ readonly drawn: number; readonly room: number }> {
  const box = await boxAround(page, table)
  return box.evaluate(async (element, count) => {
    let [drawn, room] = [0, 0]
    for (let place = 0; place <= count; place += 1) {
      element.scrollTop = ((element.scrollHeight - element.clientHeight) * place) / count
      await new Promise(requestAnimationFrame)
      // The rows of this place are drawn by the next frame.
      await new Promise(requestAnimationFrame)
      const rows = element.querySelectorAll('tbody tr[aria-rowindex]')
      drawn = Math.max(drawn, rows.length)
      room = Math.ceil(element.clientHeight / (rows[0]?.getBoundingClientRect().height || Number.NaN))
    }
    element.scrollTo(0, 0)
    return { drawn, room }
  }, places)
}
