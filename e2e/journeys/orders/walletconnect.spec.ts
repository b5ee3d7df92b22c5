import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { WebSocketServer } from 'ws'
import { openAddress, walletChip } from '../../pages/frame.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { pair, signIn } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge, signInSheet } from '../../pages/sign-in.ts'
import { addExchange, expectConnected, projectIdField, scanWithPhone, startPractising } from '../../pages/welcome.ts'
import { expect, test } from '../../support/fixtures.ts'

const atOnce = { timeout: 2_500 }

const shortOf = (address: string): string => address.slice(0, 6)
const newSession = 'POST /api/dex/developer/session'

test('the app reports a rejected pairing and connects no wallet; a new QR code connects the wallet', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  await startPractising(page)
  await scanWithPhone(page)
  const phone = phonePage(await desk.phone())
  await phone.reject(asksToConnect)
  await expect(page.getByRole('alert')).toContainText('The wallet rejected the connection')
  await expect(page.getByRole('alert')).toContainText('Nothing was connected.')
  expect((await practice.phone()).sessions).toEqual([])
  await page.getByRole('button', { name: 'New code' }).click()
  await scanWithPhone(page)
  await phone.approve(asksToConnect)
  await expectConnected(page)
})

test('the app does not submit a sign-in message that the phone rejected or another account signed, and can request it again [AUTH-07]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await pair(desk)
  const sheet = await openSignIn(page)
  await expect(sheet.getByRole('timer')).toHaveAccessibleName(/[45] minutes/)
  await sendChallenge(page)
  await phone.reject(asksToSign)
  await expect(sheet.getByText('You rejected the message on the phone.')).toBeVisible()

  await practice.wallet({ signAs: 'other' })
  await sheet.getByRole('button', { name: 'Send again' }).click()
  await phone.approve(asksToSign)
  const refused = sheet.getByRole('alert')
  await expect(refused).toContainText('The signature is not from this wallet')
  await expect(refused).toContainText(`signed instead of ${shortOf(practice.descriptor.walletAddress)}`)
  await expect(refused).toContainText('The app did not forward')
  expect(await practice.callsTo(newSession)).toEqual([])

  await practice.wallet({ signAs: null })
  await sheet.getByRole('button', { name: 'Get new message' }).click()
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
  expect((await practice.callsTo(newSession)).map(({ status }) => status)).toEqual([200])
})

test('the user can no longer sign an expired sign-in message, and the app offers a new one [AUTH-07]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await pair(desk)
  await openSignIn(page)
  await sendChallenge(page)
  await phone.asks(asksToSign)
  // The phone responds in time, but the relay delivers the response after the sign-in message has expired (five minutes).
  await practice.relay({ hold: true })
  await practice.advance(200_000)
  await phone.approve(asksToSign)
  const before = (await practice.calls()).length
  await practice.advance(101_000)
  await expect.poll(async () => (await practice.calls()).slice(before).some(({ status }) => status === 200)).toBe(true)
  await expect(signInSheet(page)).toContainText('The message expired.')
  await practice.relay({ hold: false })
  expect(await practice.callsTo(newSession)).toEqual([])
  await signInSheet(page).getByRole('button', { name: 'Get new message' }).click()
  await sendChallenge(page)
  await phone.approve(asksToSign)
  await expectSignedIn(page)
})

test('the app requests no signature from a wallet on another chain, and offers to switch to Base [GEN-08]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const phone = await pair(desk)
  await openSignIn(page)
  await expect(signInSheet(page).getByRole('button', { name: 'Send to wallet' })).toBeVisible()
  await practice.wallet({ chain: 1 })
  await expect(page.getByText('The wallet is on Ethereum.')).toBeVisible()
  await expect(page.getByText('sends nothing to the wallet until the wallet switches to Base')).toBeVisible()
  await sendChallenge(page)
  await expect(signInSheet(page).getByText('The wallet is on another chain').first()).toBeVisible()
  expect((await practice.phone()).requests).toEqual([])
  await page.keyboard.press('Escape')
  await expect(signInSheet(page)).toBeHidden()

  // The wallet approved Base and the other chain when it paired. So switching back to Base needs no approval on the phone.
  await page.getByRole('button', { name: 'Switch to Base' }).click()
  await expect(page.getByText('The wallet is on Ethereum.')).toBeHidden()
  await expect(walletChip(page)).toHaveAccessibleName(/ Base$/)
  await signIn(page, phone)
})

test('the app connects a wallet that was paired without the Base chain, but sends it no request until it switches to Base [GEN-08]', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  await practice.wallet({ chain: 1 })
  await startPractising(page)
  await scanWithPhone(page)
  const phone = phonePage(await desk.phone())
  await phone.approve(asksToConnect)
  await expect(page.getByRole('heading', { name: 'The wallet is on another chain' })).toBeVisible()
  await expect(page.getByText('Svc Desk sends the wallet nothing until it is on Base.')).toBeVisible()
  await page.getByRole('button', { name: 'Switch to Base' }).click()
  await phone.approve(/chain|network|Base/)
  await expectConnected(page)
  await signIn(page, phone)
})

test('if the WalletConnect relay fails, the app says so at once and still reads from the exchange; later it restores the wallet connection', async ({
  open,
  practice,
}) => {
  const desk = await open()
  const page = desk.main
  const phone = await pair(desk)
  const banner = page.getByText('signing works once the relay is back')
  await practice.relay({ up: false })
  await expect(banner).toBeVisible(atOnce)
  await openSignIn(page)
  await sendChallenge(page)
  await expect(signInSheet(page).getByText('The wallet relay is unreachable.')).toBeVisible(atOnce)
  await expect(signInSheet(page).getByText('Nothing reached the phone.')).toBeVisible()
  await practice.relay({ up: true })
  await expect(banner).toBeHidden()
  await signInSheet(page).getByRole('button', { name: 'Send again' }).click()
  await phone.approve(asksToSign)
  await expectSignedIn(page)
})

test('without the WalletConnect relay the app says that it cannot create a QR code, and creates one once the relay is back', async ({ open, practice }) => {
  const { main: page } = await open()
  await practice.relay({ up: false })
  await page.getByRole('button', { name: 'Start practice' }).click()
  await expect(page.getByRole('alert')).toContainText('The wallet relay is unreachable')
  await practice.relay({ up: true })
  await page.getByRole('button', { name: 'New code' }).click()
  await expect(page.getByText('Waiting for a wallet')).toBeVisible()
})

test('if the WalletConnect relay refuses the app’s project id, the page offers to set another one, and retries once Settings has one', async ({
  open,
  practice,
  profileDir,
}) => {
  const relay = new WebSocketServer({ host: '127.0.0.1', port: 0 })
  let connections = 0
  relay.on('connection', (socket) => {
    connections += 1
    socket.close(3_000, 'Unauthorized: project not found')
  })
  await once(relay, 'listening')
  const address = relay.address()
  if (address === null || typeof address === 'string') throw new Error('the relay has no port')
  const descriptorFile = join(profileDir, 'descriptor.json')
  writeFileSync(descriptorFile, JSON.stringify({ ...practice.descriptor, relayUrl: `ws://127.0.0.1:${address.port}` }), { mode: 0o600 })
  try {
    const { main: page } = await open({ descriptorFile })
    await page.getByRole('button', { name: 'Start practice' }).click()
    await expect(page.getByRole('alert')).toContainText('The relay does not recognise this app')
    await projectIdField(page).fill('not an id')
    await expect(page.getByText('Use 32 characters: digits and letters a to f.')).toBeVisible()
    await expect(page.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
    await page.getByRole('link', { name: 'Open Settings' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Settings' })).toBeVisible()
    await projectIdField(page).fill('fedcba9876543210fedcba9876543210')
    await page
      .locator('form')
      .filter({ has: projectIdField(page) })
      .getByRole('button', { name: 'Save', exact: true })
      .click()
    await expect(page.getByText('Project ID saved')).toBeVisible()
    const before = connections
    await openAddress(page, 'connect', { settled: false })
    await expect.poll(() => connections).toBeGreaterThan(before)
  } finally {
    for (const socket of relay.clients) socket.terminate()
    relay.close()
  }
})

test('a new user enters the exchange’s address and a WalletConnect project id on one page, and the app then tries to reach the relay', async ({
  practice,
  launch,
}) => {
  // The test must not reach the public relay. An environment variable blocks the relay in the stand-in for Electron, and a command-line switch blocks
  // it in real Electron.
  const { main: page } = await launch({
    env: { SVC_DESK_HOST_OFFLINE: '1' },
    args: ['--host-resolver-rules=MAP relay.walletconnect.org ~NOTFOUND'],
  })
  await addExchange(page, practice.descriptor.hostUrl)
  await expect(page.getByRole('alert')).toContainText('The relay does not recognise this app')
  await expect(page.getByRole('button', { name: 'New code' })).toBeHidden()
  await projectIdField(page).fill('0123456789abcdef0123456789abcdef')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(page.getByText('Project ID saved')).toBeVisible()
  // The page now uses the new project id. So the error is no longer about the id but about the blocked relay.
  await expect(page.getByText(/relay is unreachable/).first()).toBeVisible()
  await expect(projectIdField(page)).toBeHidden()
})

test('the wallet connection and the sign-in survive a restart of the app; after the sign-in expires, the user signs in again [AUTH-08]', async ({
  open,
  practice,
}) => {
  const first = await open()
  const phone = await pair(first)
  await signIn(first.main, phone)
  await first.close()

  const second = await open()
  const page = second.main
  await expect(walletChip(page)).toHaveAccessibleName(new RegExp(`${shortOf(practice.descriptor.walletAddress)}.* Base$`))
  await expectSignedIn(page)
  expect((await practice.phone()).sessions).toHaveLength(1)
  expect(await practice.callsTo(newSession)).toHaveLength(1)

  await practice.advance(3 * 3_600_000 + 40 * 60_000)
  await expect(page.getByText('Your sign-in expires soon')).toBeVisible()
  await practice.advance(20 * 60_000)
  await expect(page.getByRole('button', { name: 'Sign-in ended' })).toBeVisible()
  await openSignIn(page)
  await sendChallenge(page)
  await expect(signInSheet(page).getByRole('button', { name: 'Show the phone' })).toBeVisible()
  await signInSheet(page).getByRole('button', { name: 'Show the phone' }).click()
  await phonePage(await second.phone()).approve(asksToSign)
  await expectSignedIn(page)
})

test('the app removes a wallet that disconnects: at once, or at the next start if the app was closed then', async ({ open, practice }) => {
  const first = await open()
  await pair(first)
  const connect = (page: Page) => page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })
  await openSignIn(first.main)
  await sendChallenge(first.main)
  await phonePage(await first.phone()).asks(asksToSign)
  await practice.wallet({ disconnect: true })
  await expect(signInSheet(first.main).getByText('The wallet is no longer connected.')).toBeVisible(atOnce)
  await first.main.keyboard.press('Escape')
  await expect(connect(first.main)).toBeVisible()
  await connect(first.main).click()
  await scanWithPhone(first.main)
  await phonePage(await first.phone()).approve(asksToConnect)
  await expectConnected(first.main)
  await first.close()

  await practice.wallet({ disconnect: true })
  const second = await open()
  await expect(connect(second.main)).toBeVisible()
})
