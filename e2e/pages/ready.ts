import { expect, type Page } from '@playwright/test'
import { appValue } from '../support/bridge.ts'
import type { Desk } from '../support/desk.ts'
import type { Practice } from '../support/practice.ts'
import { walletChip } from './frame.ts'
import { expectKeyStored, openGrant, prepareKey } from './new-key.ts'
import { asksToConnect, asksToSign, type PhonePage, phonePage } from './phone.ts'
import { expectSignedIn, openSignIn, sendChallenge } from './sign-in.ts'
import { sendToWallet } from './signing.ts'
import { expectConnected, scanWithPhone, startPractising } from './welcome.ts'

/** Goes from the first screen to a connected wallet. */
export async function pair(desk: Desk): Promise<PhonePage> {
  await startPractising(desk.main)
  await scanWithPhone(desk.main)
  const phone = phonePage(await desk.phone())
  await phone.approve(asksToConnect)
  await expectConnected(desk.main)
  return phone
}

export async function signIn(page: Page, phone: PhonePage): Promise<void> {
  await openSignIn(page)
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
}

/** Creates a bot-ready key: the phone signs the grant of its agent, and the keychain stores its secret. */
export async function makeKey(page: Page, phone: PhonePage, label: string): Promise<void> {
  await prepareKey(page, label)
  await openGrant(page)
  await sendToWallet(page)
  await phone.approve(asksToSign)
  await expectKeyStored(page, label)
}

/** Creates a key of which the exchange sends no response: it has the key, and the app still waits for its secret. */
export async function createUnanswered(page: Page, practice: Pick<Practice, 'faults' | 'wallet' | 'effects'>, label: string): Promise<void> {
  await practice.faults({ delay: [{ route: 'POST /api/dex/developer/keys', ms: null }] })
  await practice.wallet({ autoApprove: true })
  await prepareKey(page, label)
  await openGrant(page)
  await sendToWallet(page)
  await expect.poll(async () => (await practice.effects()).keys.length).toBe(1)
}

/** Makes the app ready to trade: pairs the phone, signs in and creates a key. */
export async function join(desk: Desk, label: string): Promise<PhonePage> {
  const phone = await pair(desk)
  await signIn(desk.main, phone)
  await makeKey(desk.main, phone, label)
  return phone
}

/** Waits until the app has its stored wallet connection again. */
export async function paired(desk: Desk): Promise<void> {
  await expectConnected(desk.main)
  await expect(walletChip(desk.main)).toHaveAccessibleName(/ Base$/)
}

/** Waits until the app has its stored wallet connection and its sign-in again. */
export async function signedIn(desk: Desk): Promise<void> {
  await paired(desk)
  await expectSignedIn(desk.main)
}

/** Opens the practice phone’s window, which is closed after a start of the app. */
export async function openPhone(desk: Desk): Promise<PhonePage> {
  await appValue(desk.main, 'practice.showPhone', {})
  return phonePage(await desk.phone())
}

/** Opens the app of a test that begins with a connected wallet, and the phone beside it. */
export async function openPaired(open: () => Promise<Desk>) {
  const desk = await open()
  await paired(desk)
  return { desk, page: desk.main, phone: await openPhone(desk) }
}

/** Opens the app of a test that begins with a sign-in or a key, and the phone beside it. */
export async function openSignedIn(open: () => Promise<Desk>) {
  const desk = await open()
  await signedIn(desk)
  return { desk, page: desk.main, phone: await openPhone(desk) }
}

/** Opens the app of a test that begins with a key, after giving its wallet a past of so many trades. */
export async function openWithPast(open: () => Promise<Desk>, practice: Pick<Practice, 'past'>, trades: number) {
  const past = await practice.past({ trades })
  return { ...(await openSignedIn(open)), past }
}
