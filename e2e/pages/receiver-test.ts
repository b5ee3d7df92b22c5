import { expect, type Locator, type Page } from '@playwright/test'
import { openLab } from './lab.ts'

export const receiverTest = (page: Page): Locator => page.getByRole('region', { name: 'Receiver test', exact: true })

export const testSheet = (page: Page): Locator => page.getByRole('dialog', { name: 'Receiver test' })

/** The button that shows the details of a finished check of the receiver test. */
export const checkRow = (page: Page, title: string): Locator => receiverTest(page).getByRole('button', { name: title })

export async function openReceiverTest(page: Page): Promise<void> {
  await openLab(page)
  await expect(receiverTest(page)).toBeVisible()
}
