import { expect } from '@playwright/test'
import { type Language, languages } from '../../shared/text/catalogue.ts'
import { addressesOf, goTo, openAddress, reviewByLook, speak, submitForm } from '../pages/frame.ts'
import { keyIdOf, keyRow } from '../pages/keys.ts'
import { expectKeyStored, openGrant, prepareKey } from '../pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from '../pages/phone.ts'
import { join } from '../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge, signInSheet } from '../pages/sign-in.ts'
import { expectFinal, fillResult, sendToWallet, signingSheet } from '../pages/signing.ts'
import { fillOrder, reviewOrder, ticket } from '../pages/ticket.ts'
import { expectConnected, scanWithPhone, startPractising } from '../pages/welcome.ts'
import { takeAccountShots } from './shots-account.ts'
import { takeActivityShots } from './shots-activity.ts'
import { takeBatchShots } from './shots-batch.ts'
import { takeChartShots } from './shots-chart.ts'
import { takeCheckShots } from './shots-check.ts'
import { takeCollateralShots } from './shots-collateral.ts'
import { takeContractShots } from './shots-contract.ts'
import { takeFreshShots } from './shots-fresh.ts'
import { takeGapShots } from './shots-gaps.ts'
import { takeFleetShots, takeGatewayShots } from './shots-gateway.ts'
import { takeHelpShots } from './shots-help.ts'
import { takeKeyShots } from './shots-keys.ts'
import { takeLabShots } from './shots-lab.ts'
import { takeLockShots } from './shots-lock.ts'
import { takeMarketShots } from './shots-markets.ts'
import { takeSignedShots, takeUnsignedShots } from './shots-orders.ts'
import { takeReadmeShots } from './shots-readme.ts'
import { takeRowShots } from './shots-rows.ts'
import { takeStopShots } from './shots-stop.ts'
import { inStudio, type Studio } from './shots-studio.ts'
import { takeTicketShots } from './shots-ticket.ts'
import { takeUnlistedShots } from './shots-unlisted.ts'
import { takeWebhookShots } from './shots-webhooks.ts'
import { takeZoomShots } from './shots-zoom.ts'

async function takeMainShots({ desk, page, practice, shoot }: Studio): Promise<void> {
  const order = async (value: string, side: 'Long' | 'Short' = 'Long') => {
    await reviewOrder(page, { side, value })
    await expect(signingSheet(page)).toBeVisible()
  }

  await page.getByRole('button', { name: 'Start practice' }).waitFor()
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
  await page.getByRole('region', { name: 'Positions and orders' }).getByText('From public routes').waitFor()
  await shoot('trade-keyless', { narrow: true })
  await goTo(page, 'Keys')
  await page.getByRole('main').getByRole('button', { name: 'Sign in' }).waitFor()
  await shoot('keys-signed-out')
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
  await goTo(page, 'Overview')
  await page.getByRole('region', { name: 'Key expiry' }).waitFor()
  await shoot('overview-key', { narrow: true })
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
  await expect(fillResult(page)).toContainText('Entry price')
  await shoot('signing-final')
  await page.keyboard.press('Escape')
  await order('1200.5', 'Short')
  await shoot('signing', { narrow: true })
  await page.keyboard.press('Escape')
  await order('300')
  await sendToWallet(page)
  await phone.reject(asksToSign)
  await signingSheet(page).getByRole('heading', { name: 'You rejected the request on the phone' }).waitFor()
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
  await goTo(page, 'Overview')
  await page.getByRole('region', { name: 'Recent' }).getByRole('listitem').first().waitFor()
  await page.getByRole('region', { name: 'Key expiry' }).waitFor()
  await shoot('overview', { narrow: true })
  await goTo(page, 'Settings')
  await page.getByRole('heading', { level: 1, name: 'Settings' }).waitFor()
  await shoot('settings', { narrow: true })
  await page.getByRole('button', { name: 'Change names in close_position_limit' }).click()
  await page.getByRole('textbox', { name: 'size', exact: true }).fill('quantity')
  await page.getByRole('region', { name: 'Field map' }).scrollIntoViewIfNeeded()
  await shoot('settings-field-map', { narrow: true })
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
  // These screenshots come last, because the simulated refusals make the app poll less often for a while.
  await takeActivityShots({ page, practice, shoot })
}

interface ShotSet {
  readonly name: string
  /** Prefixes of the names of this set’s screenshots. Empty: all names that belong to no other set. */
  readonly begins: readonly string[]
  readonly take: (studio: Studio) => Promise<void>
}

/** The sets of screenshots, one session of the app for each set. The accessibility test scans the same states. */
export const sets: readonly ShotSet[] = [
  { name: 'main', begins: [], take: takeMainShots },
  { name: 'markets', begins: ['markets'], take: takeMarketShots },
  { name: 'account', begins: ['account-'], take: takeAccountShots },
  { name: 'unlisted', begins: ['unlisted-'], take: takeUnlistedShots },
  { name: 'stop', begins: ['rails-', 'stop-'], take: takeStopShots },
  {
    name: 'keys',
    begins: [...['payment', 'replace', 'handover', 'expiry', 'leaks', 'import', 'revoke-all'], 'keys-many', 'keys-order', 'keys-replacing'],
    take: takeKeyShots,
  },
  { name: 'webhooks', begins: ['webhooks'], take: takeWebhookShots },
  { name: 'lab', begins: ['webhooks-lab'], take: takeLabShots },
  { name: 'gaps', begins: ['webhooks-gaps', 'activity-reports'], take: takeGapShots },
  { name: 'fleet', begins: ['fleet-'], take: takeFleetShots },
  { name: 'gateway', begins: ['gateway-'], take: takeGatewayShots },
  { name: 'collateral', begins: ['collateral', 'activity-continue', 'phone-permit', 'phone-approval'], take: takeCollateralShots },
  { name: 'lock', begins: ['lock-'], take: takeLockShots },
  { name: 'unsigned', begins: ['sheet-', 'journal-'], take: takeUnsignedShots },
  { name: 'signed', begins: ['sheet-', 'journal-'], take: takeSignedShots },
  { name: 'contract', begins: ['contract-'], take: takeContractShots },
  { name: 'batch', begins: ['batch-'], take: takeBatchShots },
  { name: 'chart', begins: ['chart-'], take: takeChartShots },
  { name: 'fresh', begins: ['fresh-'], take: takeFreshShots },
  { name: 'check', begins: ['check-'], take: takeCheckShots },
  { name: 'help', begins: ['help-'], take: takeHelpShots },
  { name: 'zoom', begins: ['zoom-'], take: takeZoomShots },
  { name: 'readme', begins: ['readme-'], take: takeReadmeShots },
]

/**
 * Takes screenshots of the pages and the signing sheet in another language, as `<language>-<page>`. Changes the language last, because the script
 * finds controls by English words.
 */
const takeLanguageShots = (language: Language) => async (studio: Studio) => {
  const { desk, page, practice, shoot } = studio
  await join(desk, 'walker')
  const keyId = await keyIdOf(page, 'walker')
  await practice.past({ trades: 10 })
  await goTo(page, 'Trade')
  await fillOrder(page, { value: '250' })
  await speak(page, language)
  for (const address of addressesOf(keyId)) {
    await openAddress(page, address)
    await shoot(`${language}-${address.replace(keyId, 'key').replaceAll(/[/?=]/g, '-')}`, { narrow: true })
  }
  await openAddress(page, 'trade')
  await submitForm(reviewByLook(page))
  await page.getByRole('dialog').waitFor()
  await shoot(`${language}-signing`, { narrow: true })
}

/**
 * Takes screenshots of every screen and state in both themes, in practice mode, into `out/shots`. `names` limits the run to sets with these names and
 * to screenshots whose names contain one of them. `--language de` takes the pages in that language. Returns the exit code.
 */
export async function takeShots(names: readonly string[]): Promise<number> {
  if (names[0] === '--language') {
    const language = languages.find((one) => one === names[1])
    if (language === undefined) {
      process.stderr.write(`--language takes one of ${languages.join(', ')}\n`)
      return 2
    }
    return (await inStudio(language, () => true, takeLanguageShots(language))) ? 0 : 1
  }
  const named = (set: ShotSet) => names.includes(set.name) || set.begins.some((begin) => names.some((part) => part.startsWith(begin) || begin.startsWith(part)))
  const asked = names.length === 0 ? sets : sets.filter(named)
  let whole = true
  for (const { name, take } of asked.length > 0 ? asked : sets.slice(0, 1)) {
    const wanted = (shot: string) => names.length === 0 || names.includes(name) || names.some((part) => shot.includes(part))
    whole = (await inStudio(name, wanted, take)) && whole
  }
  return whole ? 0 : 1
}
