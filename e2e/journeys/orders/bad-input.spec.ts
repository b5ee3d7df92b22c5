import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import { join } from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { walletChip } from '../../pages/frame.ts'
import { askForGrant, signGrant } from '../../pages/new-key.ts'
import { makeKey, pair, signIn } from '../../pages/ready.ts'
import { openSignIn, signInSheet } from '../../pages/sign-in.ts'
import { host } from '../../support/desk.ts'
import { expect, test } from '../../support/fixtures.ts'
import { startKeyring } from '../../support/keyring/keyring.ts'
import { outOf, root } from '../../support/project.ts'

/** Runs `use` with a local server that is not an exchange. The server responds only at its root and records the requested paths. */
async function serving<T>(listener: RequestListener, use: (url: string, asked: () => string[]) => Promise<T>): Promise<T> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`)
    listener(request, response)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the server has no port')
  try {
    return await use(`http://127.0.0.1:${address.port}`, () => asked)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

async function check(page: Page, address: string): Promise<Locator> {
  const field = page.getByRole('textbox', { name: 'Exchange address' })
  await field.fill(address)
  await page.getByRole('button', { name: 'Check address' }).click()
  return page.locator('[data-part=host-form]')
}

test('the app refuses an invalid exchange address before it sends anything, and says what is wrong and how to fix it [GEN-01]', async ({ launch }) => {
  const { main: page } = await launch()
  await expect(page.getByRole('button', { name: 'Check address' })).toBeDisabled()
  const refused = [
    ['not an address', 'This is not an address.', 'https://dex.example'],
    ['http://dex.example', 'The address has to begin with https://.', 'Put https:// before the address.'],
    ['ftp://dex.example', 'The address has to begin with https://.', 'Put https:// before the address.'],
    ['https://user:password@dex.example', 'The address contains a name or a password.', 'Remove the part before the @.'],
    ['https://dex.example/api/dex/v1', 'Enter only the host.', 'Remove everything after the host name or the port.'],
  ] as const
  for (const [address, what, todo] of refused) {
    const form = await check(page, address)
    await expect(form).toContainText(what)
    await expect(form).toContainText(todo)
    await expect(form.getByRole('button', { name: 'Add exchange' })).toBeHidden()
  }
})

test('the app says that a host is not an exchange, sends the host no credential, and does not save it', async ({ launch }) => {
  const { main: page } = await launch()
  const closed = await serving(
    () => undefined,
    async (url) => url,
  )
  await expect(await check(page, closed)).toContainText('Nothing answers at this address.')
  await serving(
    (_request, response) => response.setHeader('content-type', 'text/html').end('<!doctype html><h1>Welcome</h1>'),
    async (url) => expect(await check(page, url)).toContainText('A website answers at this address, not the exchange’s API.'),
  )
  await serving(
    (_request, response) => response.writeHead(302, { location: 'https://elsewhere.example/' }).end(),
    async (url, asked) => {
      const form = await check(page, url)
      await expect(form).toContainText('The host redirects to another address.')
      await expect(form).toContainText('https://elsewhere.example/')
      expect(asked()).toEqual(['GET /api/dex/v1/meta'])
    },
  )
  await serving(
    (_request, response) => response.setHeader('content-type', 'application/json').end('{"hello":"world"}'),
    async (url) => expect(await check(page, url)).toContainText('Another service answers at this address.'),
  )
  await serving(
    (request) => request.socket.destroy(),
    async (url) => expect(await check(page, url)).toContainText('Nothing answers at this address.'),
  )
  await expect(page.getByRole('button', { name: 'Add exchange' })).toBeHidden()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
})

test('a second instance of the app ends at once and brings the first instance’s window to the front', async ({ launch, profileDir }) => {
  const { app, main: page } = await launch()
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.minimize())
  const minimised = () => app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().map((window) => window.isMinimized()))
  await expect.poll(minimised).toEqual([true])
  const second = spawn(host.executable, [join(outOf('hooks'), 'main/index.js'), `--user-data-dir=${profileDir}`], { cwd: root, stdio: 'ignore' })
  const [code] = await once(second, 'exit')
  expect(code).toBe(0)
  await expect.poll(minimised).toEqual([false])
  await expect(page.getByRole('heading', { name: 'Connect your exchange' })).toBeVisible()
})

test('while the keychain is locked, the app says so and requests no secret from the service; after unlocking, it continues', async ({ open, practice }) => {
  const keyring = await startKeyring()
  try {
    const desk = await open({ env: keyring.env as Record<string, string> })
    const page = desk.main
    const phone = await pair(desk)
    await signIn(page, phone)
    await keyring.lock()
    await prepareKeyRefused(page, 'The system keychain is locked', 'Unlock the keychain and try again.')
    expect((await practice.calls()).filter(({ method, route }) => method === 'POST' && route.includes('/developer/keys'))).toEqual([])
    await keyring.unlock()
    await makeKey(page, phone, 'after')
    expect((await practice.effects()).keys).toEqual([expect.objectContaining({ status: 'active' })])
  } finally {
    await keyring.stop()
  }
})

test('if the app starts while the keychain is locked, unlocking it restores the wallet connection without a new pairing', async ({ open, practice }) => {
  const keyring = await startKeyring()
  try {
    const env = keyring.env as Record<string, string>
    const first = await open({ env })
    await pair(first)
    await first.close()
    await keyring.lock()
    const { main: page } = await open({ env })
    await expect(page.getByRole('banner').getByRole('button', { name: 'Connect wallet' })).toBeVisible()
    await keyring.unlock()
    // The app retries a locked keychain only every 30 seconds, because each try may open a password prompt.
    await expect(walletChip(page)).toBeVisible({ timeout: 45_000 })
    expect((await practice.phone()).sessions).toHaveLength(1)
  } finally {
    await keyring.stop()
  }
})

async function prepareKeyRefused(page: Page, what: string, todo: string): Promise<void> {
  await askForGrant(page, 'refused')
  const note = page.getByRole('main').getByRole('alert')
  await expect(note).toContainText(what)
  await expect(note).toContainText(todo)
  await expect(signGrant(page)).toBeHidden()
}

test('without a keychain, the user cannot sign in, because the app could not store the session; the app names the software to install', async ({
  open,
  practice,
}) => {
  const desk = await open({ env: { DBUS_SESSION_BUS_ADDRESS: 'unix:path=/nonexistent/bus' } })
  const page = desk.main
  await pair(desk)
  await expect(page.getByRole('region', { name: 'Needs you' })).toContainText('The keychain does not answer')
  await openSignIn(page)
  const said = signInSheet(page).getByRole('alert')
  await expect(said).toContainText('There is no system keychain')
  await expect(said).toContainText('install and start gnome-keyring or KWallet')
  expect((await practice.phone()).requests).toEqual([])
  expect((await practice.calls()).filter(({ route }) => /developer\/(session|keys)/.test(route))).toEqual([])
})
