import type { Page } from 'playwright-core'

/** Duration of one frame at 60 frames a second, in milliseconds. */
export const frameMs = 1_000 / 60

/**
 * Calls `work` with a function that reads the CPU time of the page’s main thread in milliseconds. CPU time does not depend on other load on the
 * machine.
 */
export async function withCpu<T>(page: Page, work: (cpuMs: () => Promise<number>) => Promise<T>): Promise<T> {
  const session = await page.context().newCDPSession(page)
  try {
    await session.send('Performance.enable', { timeDomain: 'threadTicks' })
    return await work(async () => {
      const { metrics } = await session.send('Performance.getMetrics')
      return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN) * 1_000
    })
  } finally {
    await session.detach()
  }
}
