import { expect, type Locator, type Page } from '@playwright/test'
import { type Language, languageNames } from '../../shared/text/catalogue.ts'

export type View = 'Overview' | 'Trade' | 'Account' | 'Markets' | 'Keys' | 'Webhooks' | 'Activity' | 'Settings'

export async function goTo(page: Page, view: View): Promise<void> {
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: new RegExp(`^${view}\\b`) })
    .click()
}

export const walletChip = (page: Page): Locator => page.getByRole('banner').getByRole('button', { name: /^Wallet 0x/ })

const keyActions = ['extend', 'rotate', 'revoke', 'grant', 'executor', 'handover', 'note', 'payment', 'replace', 'schedule'] as const

/** The addresses of all pages and sheets, including those of the key `keyId`. Addresses are the same in every language. */
export const addressesOf = (keyId: string): readonly string[] => [
  ...['overview', 'trade', 'trade/stop', 'trade/collateral/deposit', 'trade/collateral/withdraw', 'account', 'markets', 'markets/1'],
  ...[
    'keys',
    'keys/new',
    'keys/import',
    'keys/expiry',
    'keys/leaks',
    'keys/gateway',
    'keys/gateway/add',
    'keys/fleet',
    'keys/fleet/new',
    'keys/revoke-all',
    `keys/${keyId}`,
  ],
  ...keyActions.map((action) => `keys/${keyId}/${action}`),
  ...['webhooks', 'webhooks/new', 'webhooks/lab', 'webhooks/gaps', 'webhooks/inspector'],
  ...['activity', 'activity?tab=requests', 'activity?tab=secrets', 'activity?tab=audit', 'settings', 'help', 'help/about', 'help/about/report'],
]

/** Opens the page or sheet at this address. `settled`: waits until the page has read its data, which never happens during an outage. */
export async function openAddress(page: Page, address: string, { settled = true }: { readonly settled?: boolean } = {}): Promise<void> {
  await page.evaluate((to) => {
    window.location.hash = `#/${to}`
  }, address)
  await expect(page.locator('main')).toBeVisible()
  if (settled) await expect(page.locator('main [aria-busy=true]')).toHaveCount(0)
}

/** The page’s root element, whose `lang` attribute is the language of the page. */
export const spokenIn = (page: Page): Locator => page.locator('html')

export const languageChoice = (page: Page, language: Language): Locator => page.getByRole('radio', { name: languageNames[language], exact: true })

/** Chooses the language in the settings; the page reloads in that language. */
export async function speak(page: Page, language: Language): Promise<void> {
  await openAddress(page, 'settings')
  await languageChoice(page, language).click()
  await expect(spokenIn(page)).toHaveAttribute('lang', language)
  await expect(languageChoice(page, language)).toBeChecked()
}

/** The order ticket’s Review button. Found by its type instead of its text, so that this works in every language. */
export const reviewByLook = (page: Page): Locator => page.locator('main button[type=submit]')

/**
 * Presses the button that submits its form. While the price is old, an order’s button is disabled. A press in such a moment has no effect, and the
 * user presses again.
 */
export async function submitForm(button: Locator): Promise<void> {
  let isSubmitted = false
  await expect(button).toBeEnabled()
  const submitted = button.evaluate(
    (element: HTMLButtonElement) => new Promise<void>((resolve) => element.form?.addEventListener('submit', () => resolve(), { once: true })),
  )
  // If the page closes first, the test has already failed or no longer needs the answer.
  submitted.then(
    () => {
      isSubmitted = true
    },
    () => undefined,
  )
  await expect(async () => {
    if (!isSubmitted) await button.click({ timeout: 15_000 })
    await expect.poll(() => isSubmitted, { timeout: 1_000, intervals: [10, 20, 50] }).toBe(true)
  }).toPass({ timeout: 30_000, intervals: [0] })
}
