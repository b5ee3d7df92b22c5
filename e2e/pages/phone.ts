import { expect, type Page } from '@playwright/test'

/** The practice phone's window, as the hand on it would use it. */
export interface PhonePage {
  readonly page: Page
  /** Waits until the phone asks for something whose heading holds `about`, then presses Approve. */
  approve(about: RegExp): Promise<void>
  reject(about: RegExp): Promise<void>
  /** Waits until it asks, and answers nothing. */
  asks(about: RegExp): Promise<void>
}

export const asksToConnect = /wants to connect/
export const asksToSign = /asks you to sign/
export const asksToSend = /asks you to send/

export function phonePage(page: Page): PhonePage {
  const asks = async (about: RegExp) => {
    await expect(page.getByRole('heading', { level: 1, name: about })).toBeVisible()
  }
  const press = async (about: RegExp, button: 'Approve' | 'Reject') => {
    await asks(about)
    const heading = page.getByRole('heading', { level: 1, name: about })
    const card = await heading.elementHandle()
    await page.getByRole('button', { name: button }).click()
    // The card is gone when the answer is out: the next request, even one with the same words, brings a card of its own.
    await card?.waitForElementState('hidden')
  }
  return { page, asks, approve: (about) => press(about, 'Approve'), reject: (about) => press(about, 'Reject') }
}
