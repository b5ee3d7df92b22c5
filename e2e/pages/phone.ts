import { expect, type Page } from '@playwright/test'

/** The practice phone’s window, used as a person would use it. */
export interface PhonePage {
  readonly page: Page
  approve(about: RegExp): Promise<void>
  reject(about: RegExp): Promise<void>
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
    // The phone shows each request on its own card, which disappears once the response was sent.
    await card?.waitForElementState('hidden')
  }
  return { page, asks, approve: (about) => press(about, 'Approve'), reject: (about) => press(about, 'Reject') }
}
