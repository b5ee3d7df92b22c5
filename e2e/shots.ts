import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import { goTo } from './pages/frame.ts'
import { keyRow } from './pages/keys.ts'
import { expectKeyStored, openGrant, prepareKey } from './pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from './pages/phone.ts'
import { expectSignedIn, openSignIn, sendChallenge, signInSheet } from './pages/sign-in.ts'
import { expectFinal, sendToWallet, signingSheet } from './pages/signing.ts'
import { reviewOrder, ticket } from './pages/ticket.ts'
import { expectConnected, scanWithPhone, startPractising } from './pages/welcome.ts'
import { takeAccountShots } from './shots-account.ts'
import { takeActivityShots } from './shots-activity.ts'
import { takeCollateralShots } from './shots-collateral.ts'
import { takeKeyShots } from './shots-keys.ts'
import { takeLockShots } from './shots-lock.ts'
import { takeMarketShots } from './shots-markets.ts'
import { takeRowShots } from './shots-rows.ts'
import { takeStopShots } from './shots-stop.ts'
import { takeTicketShots } from './shots-ticket.ts'
import { takeWebhookShots } from './shots-webhooks.ts'
import { openDesk } from './support/desk.ts'
import { startPractice } from './support/practice.ts'
import { root } from './support/project.ts'

const folder = join(root, 'out/shots')
const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 1024, height: 680 } } as const

/** Every screen and state in both themes, from practice mode, into `out/shots`. */
export async function takeShots(names: readonly string[]): Promise<number> {
  mkdirSync(folder, { recursive: true })
  const profileDir = mkdtempSync(join(tmpdir(), 'svc-desk-shots-'))
  const practice = await startPractice()
  const desk = await openDesk({ profileDir, variant: 'hooks', descriptorFile: practice.descriptorFile })
  const page = desk.main

  const wanted = (name: string) => names.length === 0 || names.some((part) => name.includes(part))
  // The theme follows the system unless it was chosen.
  const theme = async (of: Page, value: 'dark' | 'light') => {
    await of.emulateMedia({ colorScheme: value })
    await of.waitForFunction((chosen) => matchMedia(`(prefers-color-scheme: ${chosen})`).matches, value)
  }
  const shoot = async (name: string, options: { of?: Page; narrow?: boolean } = {}) => {
    if (!wanted(name)) return
    const of = options.of ?? page
    for (const value of ['dark', 'light'] as const) {
      await theme(of, value)
      await of.screenshot({ path: join(folder, `${name}-${value}.png`), animations: 'disabled' })
    }
    if (options.narrow) {
      await of.setViewportSize(sizes.narrow)
      await of.screenshot({ path: join(folder, `${name}-narrow.png`), animations: 'disabled' })
      await of.setViewportSize(sizes.wide)
    }
    process.stdout.write(`${name}\n`)
  }
  const order = async (value: string, side: 'Long' | 'Short' = 'Long') => {
    await reviewOrder(page, { side, value })
    await expect(signingSheet(page)).toBeVisible()
  }

  try {
    await page.setViewportSize(sizes.wide)
    await page.getByRole('button', { name: 'Start practising' }).waitFor()
    await shoot('welcome', { narrow: true })
    await startPractising(page)
    await shoot('connect', { narrow: true })
    await scanWithPhone(page)
    const phone = phonePage(await desk.phone())
    await phone.asks(asksToConnect)
    await shoot('phone-pairing', { of: phone.page })
    await phone.approve(asksToConnect)
    await expectConnected(page)
    await shoot('overview-first', { narrow: true })
    await goTo(page, 'Trade')
    await page.getByRole('region', { name: 'Positions and orders' }).getByText('Read by the public routes').waitFor()
    await shoot('trade-keyless', { narrow: true })
    await goTo(page, 'Keys')
    await shoot('keys-signed-out')
    await goTo(page, 'Webhooks')
    await shoot('webhooks-signed-out')
    await openSignIn(page)
    await expect(signInSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeVisible()
    await shoot('sign-in', { narrow: true })
    await sendChallenge(page)
    await phone.asks(asksToSign)
    await shoot('sign-in-waiting')
    await shoot('phone-sign-in', { of: phone.page })
    await phone.approve(asksToSign)
    await expectSignedIn(page)
    await shoot('keys-empty')
    await prepareKey(page, 'grid-eth-2')
    await shoot('new-key', { narrow: true })
    await openGrant(page)
    await shoot('grant-sheet')
    await sendToWallet(page)
    await phone.asks(asksToSign)
    await shoot('phone-grant', { of: phone.page })
    await phone.approve(asksToSign)
    await expectKeyStored(page, 'grid-eth-2')
    await shoot('new-key-secret')
    await goTo(page, 'Keys')
    await shoot('keys', { narrow: true })
    for (const choice of ['Rotate', 'Revoke']) {
      await goTo(page, 'Keys')
      await keyRow(page, 'grid-eth-2').getByRole('button', { name: 'Actions for grid-eth-2' }).click()
      await page.getByRole('menuitem', { name: choice }).click()
      await shoot(`keys-${choice.toLowerCase()}`)
      await page.keyboard.press('Escape')
    }

    await goTo(page, 'Trade')
    await expect(ticket(page).getByRole('button', { name: /^Review/ })).toBeEnabled()
    await shoot('trade-empty')
    await order('2500')
    await shoot('signing-first', { narrow: true })
    await sendToWallet(page)
    await phone.asks(asksToSign)
    await shoot('signing-waiting', { narrow: true })
    await shoot('phone-order', { of: phone.page })
    await phone.approve(asksToSign)
    await expectFinal(page)
    await shoot('signing-final')
    await page.keyboard.press('Escape')
    await order('1200.5', 'Short')
    await shoot('signing', { narrow: true })
    await page.keyboard.press('Escape')
    await order('300')
    await sendToWallet(page)
    await phone.reject(asksToSign)
    await signingSheet(page).getByRole('heading', { name: 'You rejected it on the phone' }).waitFor()
    await shoot('signing-rejected', { narrow: true })
    await page.keyboard.press('Escape')
    await practice.faults({ prepared: 'preflight_failed' })
    await reviewOrder(page, { value: '305' })
    await ticket(page).getByRole('alert').waitFor()
    await shoot('trade-not-executable', { narrow: true })
    await practice.clearFaults()
    await practice.faults({ typedData: 'extra_field' })
    await order('801')
    await shoot('signing-extra-field', { narrow: true })
    await page.keyboard.press('Escape')
    await practice.clearFaults()
    await practice.faults({ typedData: 'amount' })
    await order('800')
    await shoot('signing-refused', { narrow: true })
    await practice.clearFaults()
    await page.keyboard.press('Escape')
    await shoot('trade', { narrow: true })
    await takeTicketShots({ page, practice, shoot })
    await page.getByRole('button', { name: 'About BTC-PERP' }).click()
    await shoot('trade-about', { narrow: true })
    await page.keyboard.press('Escape')
    await takeRowShots({ page, phone, practice, shoot })
    await takeActivityShots({ page, practice, shoot })
    await takeMarketShots({ page, practice, shoot })
    await takeAccountShots({ page, practice, shoot })
    await goTo(page, 'Overview')
    await page.getByRole('region', { name: 'Recent' }).waitFor()
    await shoot('overview', { narrow: true })
    await goTo(page, 'Settings')
    await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
    await shoot('settings', { narrow: true })
    await page.getByRole('button', { name: 'Change the names of close_position_limit' }).click()
    await page.getByRole('textbox', { name: 'size' }).fill('quantity')
    await page.getByRole('region', { name: 'Names in payloads' }).scrollIntoViewIfNeeded()
    await shoot('settings-payloads', { narrow: true })
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await goTo(page, 'Overview')
    await page.keyboard.press('Control+k')
    await shoot('palette')
    await page.keyboard.press('Escape')
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await shoot('shortcuts')
    await page.keyboard.press('Escape')
    await shoot('phone-home', { of: phone.page })
    await takeStopShots({ page, phone, practice, shoot })
    await takeKeyShots({ desk, phone, practice, folder: profileDir, shoot }, 'grid-eth-2')
    await takeWebhookShots({ page, practice, shoot })
    await takeCollateralShots({ page, phone, practice, shoot })
    // Last: locking closes the phone's window.
    await takeLockShots(page, shoot)
    return 0
  } catch (error) {
    await page.screenshot({ path: join(folder, 'failed.png') }).catch(() => undefined)
    process.stderr.write(`${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${desk.output()}\n`)
    return 1
  } finally {
    await desk.close()
    await practice.stop()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
