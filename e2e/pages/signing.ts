import { expect, type Locator, type Page } from '@playwright/test'

export const signingSheet = (page: Page): Locator => page.getByRole('dialog').or(page.getByRole('alertdialog'))

/** One line of the signing sheet’s comparison: requested value, verdict, and value in the message. */
export const comparisonLine = (page: Page, id: string): Locator => signingSheet(page).locator(`[data-line="${id}"]`)

/** The picture of the phone, which the signing sheet shows until the phone has responded. */
export const phonePicture = (page: Page): Locator => signingSheet(page).locator('[data-part=phone]')

/** The signing sheet’s questions about contracts that the profile does not trust yet. */
export const contractQuestions = (page: Page): Locator => signingSheet(page).getByRole('region', { name: /^A (router|collateral token) to confirm$/ })

/** The region that a signing sheet shows once the order is final: the fill, and the resulting position. */
export const fillResult = (page: Page): Locator => signingSheet(page).getByRole('region', { name: 'What you got' })

/** How many pixels of the signing sheet’s comparison the user can see only by scrolling. */
export const hiddenLines = (page: Page): Promise<number> =>
  signingSheet(page)
    .getByRole('region', { name: 'Comparison', exact: true })
    .evaluate((lines) => lines.scrollHeight - lines.clientHeight)

/** How many pixels are empty below the progress on the signing sheet. */
export const emptyBelow = (page: Page): Promise<number> =>
  signingSheet(page)
    .getByRole('list', { name: 'Progress' })
    .evaluate((list) => {
      const body = list.parentElement?.parentElement
      const ends = [...(body?.children ?? [])].map((part) => part.getBoundingClientRect().bottom - Number.parseFloat(getComputedStyle(part).paddingBottom))
      return (body?.getBoundingClientRect().bottom ?? Number.POSITIVE_INFINITY) - Math.max(...ends)
    })

/** The texts in the signing sheet’s comparison that are cut off at the end. */
export const cutLines = (page: Page): Promise<readonly string[]> =>
  signingSheet(page)
    .getByRole('region', { name: 'Comparison', exact: true })
    // `evaluateAll` would not wait for the sheet.
    .evaluate((lines) =>
      [...lines.querySelectorAll('*')].flatMap((part) => (part.clientWidth > 4 && part.scrollWidth > part.clientWidth + 1 ? [part.textContent ?? ''] : [])),
    )

/** The list of values that the signing sheet asks the user to compare on the phone. */
export const phoneCheckList = (page: Page): Locator =>
  signingSheet(page)
    .getByRole('list')
    .filter({ has: page.locator('em') })

/**
 * Sends the request on the signing sheet to the wallet. First ticks the checkboxes for unknown contracts, and types the phrase if the sheet requires
 * one. Returns whether a phrase was typed.
 */
export async function sendToWallet(page: Page): Promise<boolean> {
  const sheet = signingSheet(page)
  const contracts = contractQuestions(page)
  const question = sheet.getByRole('region', { name: /^A (signing format|field|transaction) to confirm$/ })
  const send = sheet.getByRole('button', { name: 'Send to wallet' })
  const proceed = sheet.getByRole('button', { name: 'Continue' })
  await expect(send.or(proceed)).toBeVisible()
  for (const contract of await contracts.all()) await contract.getByRole('checkbox').check()
  if (await proceed.isVisible()) await proceed.click()
  // If the app recognises every field of a new signing format, sending is enough to accept the format. Otherwise the sheet requires a typed phrase.
  const field = question.getByRole('textbox')
  const typed = await field.isVisible()
  if (typed) await field.fill(((await question.locator('label code').textContent()) ?? '').trim())
  await expect(send).toBeEnabled()
  await send.click()
  return typed
}

export async function expectFinal(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: /^(Done and final on Base|Order (filled|traded))$/ })).toBeVisible({ timeout })
}

/** Expects the signing sheet of an order that stays open: a limit or stop order, a close order with a limit, or a changed order. */
export async function expectPlaced(page: Page, timeout = 60_000): Promise<void> {
  await expect(signingSheet(page).getByRole('heading', { name: 'Order placed' })).toBeVisible({ timeout })
}
