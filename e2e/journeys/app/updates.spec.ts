import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { openAddress } from '../../pages/frame.ts'
import { asksToConnect, asksToSign, phonePage } from '../../pages/phone.ts'
import { pair } from '../../pages/ready.ts'
import { expectSignedIn, openSignIn, sendChallenge } from '../../pages/sign-in.ts'
import { scanWithPhone, startPractising } from '../../pages/welcome.ts'
import { appValue } from '../../support/bridge.ts'
import type { Desk } from '../../support/desk.ts'
import { test as base, expect } from '../../support/fixtures.ts'
import { commonBytes, newSigningKey, type SigningKey, startUpdateServer, type UpdateServer, writeImage } from '../../support/updates/update-server.ts'

interface Release {
  /** The AppImage from which the app believes that it runs. */
  readonly file: string
  readonly folder: string
  readonly server: UpdateServer
  readonly key: SigningKey
  /** Publishes version 0.2.0, signed with `key`. */
  publish(key: SigningKey): void
  /** The environment variables from which the app learns its AppImage, the update server and the public key. */
  readonly env: Readonly<Record<string, string>>
}

const test = base.extend<{ release: Release }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixture's needs from this pattern
  release: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-desk-release-'))
    const file = join(folder, 'Svc Desk.AppImage')
    const common = commonBytes()
    await writeImage(file, 'old', common)
    const next = join(folder, 'Svc-Desk-0.2.0.AppImage')
    await writeImage(next, 'new', common)
    copyFileSync(file, join(folder, 'old'))
    const server = await startUpdateServer(join(folder, 'served'))
    const key = newSigningKey()
    const installer = server.put(next)
    await use({
      ...{ file, folder, server, key },
      publish: (by) => server.publish({ installers: [installer], keys: [by.key] }),
      env: {
        SVC_DESK_UPDATES: JSON.stringify({
          source: { address: server.address, keys: [key.pinned] },
          running: { platform: 'linux', arch: installer.arch, kind: 'AppImage', file },
        }),
      },
    })
    await server.close()
    rmSync(folder, { recursive: true, force: true })
  },
})

const panel = (page: Page): Locator => page.getByRole('region', { name: 'Updates' })

async function look(page: Page): Promise<void> {
  await openAddress(page, 'settings/updates')
  await panel(page).getByRole('button', { name: 'Check now' }).click()
  await expect(panel(page).getByText(/Checked/)).toBeVisible()
}

/** Chooses an item of the app's menu. */
const pressMenu = (desk: Desk, id: string): Promise<void> =>
  desk.app.evaluate(({ Menu }, wanted) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById(wanted)
    item?.click()
  }, id)

test('the app offers a signed update, downloads only what has changed, and restarts as the new version', async ({ open, release }) => {
  release.publish(release.key)
  const desk = await open({ env: release.env })
  const page = desk.main
  await pair(desk)
  await pressMenu(desk, 'updates')
  await expect(panel(page).getByText('Svc Desk 0.2.0')).toBeVisible()
  await expect(page.getByText('Svc Desk 0.2.0 is available')).toBeVisible({ timeout: 20_000 })
  release.server.sent = 0
  await panel(page).getByRole('button', { name: 'Download', exact: true }).click()
  const restart = panel(page).getByRole('button', { name: 'Restart to update' })
  await expect(restart).toBeVisible({ timeout: 20_000 })
  expect(release.server.sent).toBeLessThan(0.1 * statSync(join(release.server.folder, 'Svc-Desk-0.2.0.AppImage')).size)
  expect(readFileSync(release.file).equals(readFileSync(join(release.folder, 'old')))).toBe(true)

  await restart.click()
  await desk.ended()
  await expect.poll(() => existsSync(join(release.folder, 'ran')), { message: 'the new version was started' }).toBe(true)
  expect(readFileSync(join(release.folder, 'ran'), 'utf8')).toMatch(/^new /)
  expect(readFileSync(`${release.file}.previous`).equals(readFileSync(join(release.folder, 'old')))).toBe(true)
})

test('the app refuses a forged release and a changed update file, and keeps running', async ({ open, release }) => {
  release.publish(newSigningKey())
  const desk = await open({ env: release.env })
  const page = desk.main
  await pair(desk)
  await look(page)
  await expect(panel(page).getByText('The release has no valid signature of the publisher.')).toBeVisible()
  await expect(panel(page).getByRole('alert')).toContainText('Update refused.')
  await expect(panel(page).getByRole('button', { name: 'Download', exact: true })).toHaveCount(0)

  release.publish(release.key)
  // An attacker who controls the server can replace the file, but cannot sign it.
  copyFileSync(join(release.folder, 'old'), join(release.server.folder, 'Svc-Desk-0.2.0.AppImage'))
  await look(page)
  await panel(page).getByRole('button', { name: 'Download', exact: true }).click()
  await expect(panel(page).getByText('The update was not installed.')).toBeVisible({ timeout: 20_000 })
  await expect(panel(page).getByRole('button', { name: 'Restart to update' })).toHaveCount(0)
  expect(readFileSync(release.file).equals(readFileSync(join(release.folder, 'old')))).toBe(true)
})

test('the app offers no update while it waits for the wallet to sign, and offers the update afterwards', async ({ open, release }) => {
  release.publish(release.key)
  const desk = await open({ env: release.env })
  const page = desk.main
  const offered = page.getByText('Svc Desk 0.2.0 is available')
  const download = panel(page).getByRole('button', { name: 'Download', exact: true })
  await startPractising(page)
  await scanWithPhone(page)
  const phone = phonePage(await desk.phone())
  await phone.asks(asksToConnect)
  await look(page)
  await expect(panel(page).getByText('Waiting: a request to your wallet is open.')).toBeVisible()
  await expect(download).toBeDisabled()
  expect(await appValue(page, 'updates.download', {})).toMatchObject({ waits: 'wallet', download: { state: 'none' } })
  await expect(offered).toHaveCount(0)
  expect((await appValue(page, 'notices.list', {})).map(({ notice }) => notice.code)).not.toContain('update_available')

  await phone.approve(asksToConnect)
  await expect(offered).toBeVisible({ timeout: 20_000 })
  await expect(download).toBeEnabled({ timeout: 10_000 })

  await openSignIn(page)
  await sendChallenge(page)
  await phone.asks(asksToSign)
  expect((await appValue(page, 'updates.state', {})).waits).toBe('wallet')
  await phone.approve(asksToSign)
  await expectSignedIn(page)
  await expect.poll(async () => (await appValue(page, 'updates.state', {})).waits).toBe(null)
})

test('an app that runs from its source code says that it has no updates', async ({ open }) => {
  const { main: page } = await open()
  await startPractising(page)
  await openAddress(page, 'settings/updates')
  await expect(panel(page).getByText('This app runs from its source code, which has no updates.')).toBeVisible()
  await expect(panel(page).getByRole('button')).toHaveCount(1) // The only button opens Help.
})
