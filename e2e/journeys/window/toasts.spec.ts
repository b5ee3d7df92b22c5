import type { Locator } from '@playwright/test'
import { goTo } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { signToFinal } from '../../pages/rows.ts'
import { reviewOrder, ticketFoot } from '../../pages/ticket.ts'
import { blotter } from '../../pages/trade.ts'
import { expect, test } from '../../support/fixtures.ts'

/** The sides of each element, in pixels of the window. */
const boxesOf = (parts: Locator) =>
  parts.evaluateAll((elements) =>
    elements.map((element) => {
      const { left, top, right, bottom } = element.getBoundingClientRect()
      return { left, top, right, bottom }
    }),
  )

type Box = Awaited<ReturnType<typeof boxesOf>>[number]

const overlap = (a: Box, b: Box): boolean => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom

test('the notice about an order covers neither positions and orders nor the foot of the ticket, in any window size', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await join(desk, 'notified')
  await goTo(page, 'Trade')
  await reviewOrder(page, { value: '250' })
  await signToFinal(page, phone, practice)
  const toasts = page.locator('[data-part=toast]')
  for (const [width, height] of [
    [1024, 680],
    [1440, 900],
    [1920, 1080],
  ] as const)
    await test.step(`${width} × ${height}`, async () => {
      await page.setViewportSize({ width, height })
      // A notice stays while the pointer is on it.
      await toasts.first().hover()
      const shown = await boxesOf(toasts)
      expect(shown).not.toEqual([])
      const kept = [...(await boxesOf(blotter(page))), ...(await boxesOf(ticketFoot(page)))]
      expect(kept).toHaveLength(2)
      expect(shown.filter((toast) => kept.some((part) => overlap(toast, part)))).toEqual([])
    })
})
