import { expect, type Locator, type Page } from '@playwright/test'

export const ticket = (page: Page): Locator => page.getByRole('region', { name: 'Order ticket' })

export interface TicketEntry {
  readonly side?: 'Long' | 'Short'
  readonly value: string
  readonly leverage?: string
}

/** Fills the market ticket and presses Review. */
export async function reviewOrder(page: Page, entry: TicketEntry): Promise<void> {
  const form = ticket(page)
  await form.getByRole('radio', { name: entry.side ?? 'Long' }).click()
  if (entry.leverage) await form.getByRole('textbox', { name: 'Leverage' }).fill(entry.leverage)
  await form.getByRole('textbox', { name: 'Order value' }).fill(entry.value)
  const review = form.getByRole('button', { name: /^Review/ })
  await expect(review).toBeEnabled()
  await review.click()
}
