import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { Host } from '../build/scripts/electron-binary.ts'
import { goTo } from './pages/frame.ts'
import { expectKeyStored, openGrant, prepareKey } from './pages/new-key.ts'
import { asksToConnect, asksToSign, phonePage } from './pages/phone.ts'
import { expectSignedIn, openSignIn, sendChallenge } from './pages/sign-in.ts'
import { expectFinal, sendToWallet } from './pages/signing.ts'
import { reviewOrder } from './pages/ticket.ts'
import { expectConnected, scanWithPhone, startPractising } from './pages/welcome.ts'
import { openDesk } from './support/desk.ts'
import { root } from './support/project.ts'

const shots = join(root, 'out/shots')

/**
 * Runs through the app’s main use in real windows, from the first screen to an order that is FINAL, and takes pictures of each step. Returns the exit
 * code.
 */
export async function demonstrate(host: Host): Promise<number> {
  mkdirSync(shots, { recursive: true })
  const profileDir = mkdtempSync(join(tmpdir(), 'svc-desk-demo-'))
  const began = performance.now()
  let number = 0
  let picturesMs = 0
  const seconds = (ms: number) => (ms / 1_000).toFixed(1)
  /** Milliseconds since the app started, without the time for taking pictures. */
  const spent = () => performance.now() - began - picturesMs
  const step = async (name: string, pictures: Readonly<Record<string, Page>>, what: () => Promise<void>): Promise<void> => {
    const before = spent()
    await what()
    process.stdout.write(`${seconds(spent() - before).padStart(5)} s  ${name}\n`)
    number += 1
    const pictured = performance.now()
    for (const [tag, page] of Object.entries(pictures)) await page.screenshot({ path: join(shots, `demo-${number}-${tag}.png`) })
    picturesMs += performance.now() - pictured
  }
  const desk = await openDesk({ profileDir, variant: 'product', host })
  try {
    const page = desk.main
    await page.setViewportSize({ width: 1440, height: 900 })
    await step('the window is open', { start: page }, async () => page.getByRole('button', { name: 'Start practice' }).waitFor())
    await step('practice mode runs: exchange, chain, relay, phone', { practice: page }, async () => startPractising(page))
    await scanWithPhone(page)
    const phone = phonePage(await desk.phone())
    await step('the phone wallet is paired', { paired: page }, async () => {
      await phone.approve(asksToConnect)
      await expectConnected(page)
    })
    await step('signed in', { 'signed-in': page }, async () => {
      await openSignIn(page)
      await sendChallenge(page)
      await phone.approve(asksToSign)
      await expectSignedIn(page)
    })
    await step('a bot-ready key is in the OS keychain, read back', { key: page }, async () => {
      await prepareKey(page, 'demo-bot')
      await openGrant(page)
      await sendToWallet(page)
      await phone.approve(asksToSign)
      await expectKeyStored(page, 'demo-bot')
    })
    await goTo(page, 'Trade')
    await step('a market order is prepared and matches the ticket line by line', { sheet: page }, async () => {
      await reviewOrder(page, { side: 'Long', value: '250' })
      await page.getByRole('dialog').waitFor()
    })
    await step('signed on the phone and relayed', { phone: phone.page }, async () => {
      await sendToWallet(page)
      await phone.asks(asksToSign)
      await phone.approve(asksToSign)
    })
    await step('FINAL on the chain', { final: page }, async () => expectFinal(page))
    process.stdout.write(`${seconds(picturesMs).padStart(5)} s  pictures in out/shots, not counted below\nmain job: FINAL in ${seconds(spent())} s\n`)
    return 0
  } catch (error) {
    await desk.main.screenshot({ path: join(shots, 'demo-failed.png') }).catch(() => undefined)
    process.stderr.write(
      `the main job stopped after ${seconds(spent())} s: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n${desk.output()}\n`,
    )
    return 1
  } finally {
    await desk.close()
    rmSync(profileDir, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 })
  }
}
