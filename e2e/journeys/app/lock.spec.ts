import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import type { Page } from '@playwright/test'
import { contract } from '../../../shared/ipc/contract.ts'
import { askedWhileLocked } from '../../../shared/ipc/host/carried-over.ts'
import { bulkActionPanel, bulkActionStep, confirmBulkAction, openKillSwitch } from '../../pages/bulk-action.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf, keyRow } from '../../pages/keys.ts'
import { givePassphrase, lockForm, lockSettings, setPassphrase, unlock } from '../../pages/lock.ts'
import { join, openPhone, openSignedIn, signedIn } from '../../pages/ready.ts'
import { openPositionAndOrder } from '../../pages/rows.ts'
import { expectPlaced, sendToWallet, signingSheet } from '../../pages/signing.ts'
import { chooseOrderType, reviewOrder, ticket, ticketField } from '../../pages/ticket.ts'
import { appValue } from '../../support/bridge.ts'
import { type Desk, isReveal } from '../../support/desk.ts'
import { expect, firstKey, testWithKey as test, test as testNew } from '../../support/fixtures.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { keptSecrets, readKeyring } from '../../support/keyring.ts'
import { outOf } from '../../support/project.ts'
import { ask } from '../../support/search/page-attempts.ts'
import { heapOf } from '../../support/search/page-memory.ts'
import { openSealed } from '../../support/search/sealed.ts'
import { createSearch } from '../../support/search/secret-search.ts'

const passphrase = 'four plain words here'
const minuteMs = 60_000

/** The document’s HTML, including invisible elements. */
const documentOf = (page: Page): Promise<string> => page.evaluate(() => document.documentElement.outerHTML)

const isLocked = (page: Page) => expect(lockForm(page)).toBeVisible()

/** Marks the page. The returned function reports whether the page is still the same one, without a reload since. */
async function markPage(page: Page): Promise<() => Promise<boolean | 'it is being loaded'>> {
  await page.evaluate(() => Object.assign(window, { samePage: true }))
  return () => page.evaluate(() => 'samePage' in window).catch(() => 'it is being loaded')
}

const besides = (desk: Desk): number => desk.app.windows().filter((page) => page !== desk.main && !page.isClosed()).length

/** Moves the computer’s clock forward. */
const pass = (desk: Desk, ms: number) =>
  desk.app.evaluate((_, by) => {
    const real = Date.now
    Date.now = () => real() + by
  }, ms)

test('a locked window shows no account data and gets none from the main process; after the passphrase, the user sees the same page again', async ({ open }) => {
  let desk = await open()
  let page = desk.main
  await signedIn(desk)
  await openPhone(desk)
  const keyId = await keyIdOf(page, firstKey)
  await setPassphrase(page, passphrase)
  await goTo(page, 'Trade')
  await ticket(page).getByRole('textbox', { name: 'Order value' }).fill('1234.5')
  await appValue(page, 'secrets.reveal', { keyId })
  await expect.poll(() => desk.app.windows().some((one) => isReveal(one) && !one.isClosed())).toBe(true)
  await page.keyboard.press('Shift')
  await appValue(page, 'keys.copySecret', { keyId })
  expect(await desk.app.evaluate(({ clipboard }) => clipboard.readText())).toMatch(/^SVC/)
  const wallet =
    (
      await page
        .getByRole('banner')
        .getByRole('button', { name: /^Wallet 0x/ })
        .innerText()
    ).split(/\s/)[0] ?? 'none'
  expect(await documentOf(page)).toContain(wallet)

  await test.step('the keyboard shortcut locks the app, even while the user types', async () => {
    await ticket(page).getByRole('textbox', { name: 'Order value' }).focus()
    await page.keyboard.press('Control+Shift+L')
    await isLocked(page)
    await expect(page.getByRole('region', { name: 'Practice' })).toContainText('with no real money.')
    await expect(lockForm(page).getByLabel('Passphrase', { exact: true })).toBeFocused()
  })
  await test.step('a locked app shows no account data in any window and leaves none on the clipboard', async () => {
    await expect.poll(() => besides(desk)).toBe(0)
    const shown = await documentOf(page)
    for (const word of [firstKey, keyId, wallet, wallet.slice(0, 6), '1234.5', '1,234.5', 'USDC', 'BTC-PERP']) expect(shown).not.toContain(word)
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.locator('[data-part=toast]')).toHaveCount(0)
    expect(await desk.app.evaluate(({ clipboard }) => clipboard.readText())).toBe('')
    expect(await desk.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('lock')?.enabled)).toBe(false)
  })
  await test.step('in a locked app, calls by a script in the page are refused', async () => {
    for (const name of Object.keys(contract)) if (!askedWhileLocked.has(name)) expect(await ask(page, name, { keyId }), name).toBe('locked')
    for (const name of ['toString', '__proto__', 'lock.state ', 7, null]) expect(await ask(page, name)).toBe('locked')
    await page.keyboard.press('Control+k')
    await page.keyboard.press('g')
    await page.keyboard.press('k')
    await page.evaluate(() => location.assign('#/keys'))
    await isLocked(page)
    expect(await documentOf(page)).not.toContain(firstKey)
    await page.evaluate(() => history.back())
  })
  await test.step('a wrong passphrase does not unlock the app, and repeated wrong ones cause a delay', async () => {
    for (let time = 0; time < 4; time += 1) {
      await givePassphrase(page, 'four plain words')
      await expect(lockForm(page).getByRole('alert')).toHaveText('That is not the passphrase.')
      await expect(lockForm(page).getByLabel('Passphrase', { exact: true })).toHaveValue('')
    }
    await expect(lockForm(page).getByRole('button', { name: /^Unlock in \d s$/ })).toBeDisabled()
    expect(await ask(page, 'keys.list')).toBe('locked')
    await expect(lockForm(page).getByRole('button', { name: 'Unlock', exact: true })).toBeVisible({ timeout: 10_000 })
  })
  await test.step('the right passphrase returns the user to the same place, with the order draft unchanged', async () => {
    await unlock(page, passphrase)
    await expect(ticket(page).getByRole('textbox', { name: 'Order value' })).toHaveValue('1234.5')
    await expect(page.getByRole('banner')).toContainText(wallet)
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('4 wrong attempts in a row')
    await goTo(page, 'Keys')
    await expect(keyRow(page, firstKey)).toBeVisible()
  })

  await desk.close()
  desk = await open()
  page = desk.main
  await test.step('with a passphrase set, the app starts locked', async () => {
    await isLocked(page)
    await expect(page.getByRole('region', { name: 'Practice' })).toBeVisible()
    expect(await ask(page, 'profiles.list')).toBe('locked')
    expect(await documentOf(page)).not.toContain(firstKey)
    await unlock(page, passphrase)
    await expect(page.getByRole('banner')).toContainText(wallet)
  })
  await test.step('if no passphrase is set, the app starts unlocked', async () => {
    await goTo(page, 'Settings')
    await lockSettings(page).getByRole('button', { name: 'Turn off' }).click()
    const sheet = page.getByRole('dialog', { name: 'Turn off lock' })
    await sheet.getByLabel('Current passphrase', { exact: true }).fill('four plain words')
    await sheet.getByRole('button', { name: 'Turn off lock' }).click()
    await expect(sheet.getByRole('alert')).toHaveText('That is not the passphrase.')
    await sheet.getByLabel('Current passphrase', { exact: true }).fill(passphrase)
    await sheet.getByRole('button', { name: 'Turn off lock' }).click()
    await expect(lockSettings(page).getByRole('button', { name: 'Set passphrase' })).toBeVisible()
    await desk.close()
    desk = await open()
    await expect(desk.main.getByRole('navigation', { name: 'Main' })).toBeVisible()
  })
})

/** The reasons of the Touch ID prompts so far. `answer`: answers the last one. */
const touchIdPrompts = (desk: Desk, answer: boolean | null = null): Promise<readonly string[]> =>
  desk.app.evaluate((electron, isUser) => {
    const { requests } = (electron as unknown as { standIn: { requests: { kind: string; reason?: string; answer?: (isUser: boolean) => void }[] } }).standIn
    const shown = requests.filter(({ kind }) => kind === 'touch-id')
    if (isUser !== null) shown.at(-1)?.answer?.(isUser)
    return shown.map(({ reason }) => reason ?? '')
  }, answer)

test('on a Mac with Touch ID, the user can turn it on, and a recognised finger unlocks the app; the passphrase always unlocks it, too', async ({ open }) => {
  const { desk, page } = await openSignedIn(() => open({ env: { STAND_IN_TOUCH_ID: 'ready' } }))
  await setPassphrase(page, passphrase)
  const finger = lockForm(page).getByRole('button', { name: 'Use Touch ID' })
  const lockNow = async () => {
    await lockSettings(page).getByRole('button', { name: 'Lock now' }).click()
    await isLocked(page)
  }
  await lockNow()
  await expect(finger).toHaveCount(0)
  await unlock(page, passphrase)
  await lockSettings(page).getByText('Unlock with Touch ID').click()
  await expect(lockSettings(page).getByRole('switch', { name: 'Unlock with Touch ID' })).toBeChecked()
  expect(await touchIdPrompts(desk)).toEqual([])

  await test.step('a finger that the Mac does not recognise leaves the app locked', async () => {
    await lockNow()
    await finger.click()
    await expect.poll(() => touchIdPrompts(desk)).toEqual(['unlock Svc Desk'])
    await touchIdPrompts(desk, false)
    await expect(lockForm(page).getByRole('alert')).toContainText('Touch ID did not unlock Svc Desk.')
    expect(await ask(page, 'keys.list')).toBe('locked')
    expect(await ask(page, 'lock.unlockWithTouchId'), 'a script in the page cannot show the prompt').toBe('gesture_required')
  })
  await test.step('a recognised finger unlocks the app at the same place', async () => {
    await finger.click()
    await expect.poll(() => touchIdPrompts(desk)).toHaveLength(2)
    await touchIdPrompts(desk, true)
    await expect(lockForm(page)).toBeHidden()
    await expect(lockSettings(page)).toBeVisible()
  })
  await test.step('while the prompt is open, and with the lid closed, the passphrase unlocks the app', async () => {
    await lockNow()
    await finger.click()
    await expect.poll(() => touchIdPrompts(desk)).toHaveLength(3)
    await unlock(page, passphrase)
    await desk.app.evaluate((electron) => {
      ;(electron as unknown as { standIn: { hasTouchId: boolean } }).standIn.hasTouchId = false
    })
    await lockNow()
    await touchIdPrompts(desk, true)
    await expect(finger).toHaveCount(0)
    await isLocked(page)
    await unlock(page, passphrase)
  })
})

test('on a computer without Touch ID, Settings does not mention it', async ({ open }) => {
  const desk = await open()
  await signedIn(desk)
  await openPhone(desk)
  await setPassphrase(desk.main, passphrase)
  await expect(lockSettings(desk.main).getByRole('button', { name: 'Lock now' })).toBeVisible()
  await expect(lockSettings(desk.main)).not.toContainText('Touch ID')
  expect((await appValue(desk.main, 'app.info', {})).hasTouchId).toBe(false)
})

test('the app locks automatically when idle or when the screen locks, while running requests continue [FLOW-06]', async ({ open, practice, profileDir }) => {
  const { desk, page, phone } = await openSignedIn(open)
  await setPassphrase(page, passphrase)
  const settings = lockSettings(page)
  await settings.getByRole('radio', { name: '1 min' }).click()

  await test.step('the app locks after a minute without input', async () => {
    await expect.poll(async () => (await appValue(page, 'lock.choice', {}))?.afterMinutes).toBe(1)
    await pass(desk, minuteMs)
    await isLocked(page)
    await unlock(page, passphrase)
    await expect(settings).toBeVisible()
  })
  await test.step('the app locks when the screen locks or the computer sleeps', async () => {
    for (const event of ['lock-screen', 'suspend'] as const) {
      await desk.app.evaluate(({ powerMonitor }, name) => void powerMonitor.emit(name), event)
      await isLocked(page)
      await unlock(page, passphrase)
    }
    await settings.getByText('Lock with the computer').click()
    await expect.poll(async () => (await appValue(page, 'lock.choice', {}))?.withScreen).toBe(false)
    await desk.app.evaluate(({ powerMonitor }) => void powerMonitor.emit('lock-screen'))
    await expect(settings).toBeVisible()
    expect((await appValue(page, 'lock.state', {})).state).toBe('open')
    await settings.getByRole('radio', { name: 'Never' }).click()
  })

  const terminal = (...words: string[]) => {
    const child = spawn(process.execPath, [joinPath(outOf('hooks'), 'main/terminal.js'), ...words.slice(0, 1), '--data', profileDir, ...words.slice(1)], {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    })
    let said = ''
    child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()))
    return once(child, 'close').then(([code]) => ({ code, said }))
  }
  const run = () => terminal('run', '--key', firstKey, '--', '/bin/sh', '-c', 'exit 3')

  await test.step('while the app is locked, a command in a terminal fails with a message that says so', async () => {
    await desk.app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.getMenuItemById('lock')?.click())
    await isLocked(page)
    expect(await run()).toMatchObject({ code: 75, said: expect.stringContaining('Svc Desk is locked') })
    await unlock(page, passphrase)
  })
  await test.step('a locked app follows an open order to its end, and shows the notice about that order after unlocking', async () => {
    await practice.wallet({ autoApprove: true })
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '310' })
    await sendToWallet(page)
    await expect.poll(async () => (await practice.effects()).relayed.length).toBe(1)
    await page.keyboard.press('Control+Shift+L')
    await isLocked(page)
    await practice.chain({ mine: 8 })
    await expect(lockForm(page).getByRole('status')).toHaveText('1 notice waits for you.')
    expect(await documentOf(page)).not.toContain('310')
    await unlock(page, passphrase)
    await expect(page.getByRole('region', { name: 'Notifications' })).toContainText('310.00 USDC')
  })
  await test.step('an order that the phone signs while the app is locked is sent once, after unlocking', async () => {
    await practice.wallet({ autoApprove: true, hold: true })
    await reviewOrder(page, { value: '320' })
    await sendToWallet(page)
    await expect.poll(async () => (await practice.phone()).requests.length).toBe(1)
    // The user does not touch the window. The pending request on the phone alone counts as activity, so the app does not lock automatically.
    const traffic = await recordIpc(desk.app)
    await expect.poll(traffic, { timeout: 30_000 }).toContain('lock.touch')
    const stays = await markPage(page)
    await page.keyboard.press('Control+Shift+L')
    await isLocked(page)
    await practice.wallet({ hold: false })
    await expect.poll(async () => (await practice.phone()).requests.length).toBe(0)
    // Locking removes the page that requested the signature. The app must keep the signature and relay it after unlocking.
    await expect.poll(stays).toBe(false)
    expect((await practice.effects()).relayed).toHaveLength(1)
    await unlock(page, passphrase)
    await expect.poll(async () => (await practice.effects()).relayed.length).toBe(2)
    await practice.wallet({ autoApprove: false })
    expect(phone.page.isClosed()).toBe(true)
  })
  await desk.close()
  expect(await run()).toMatchObject({ code: 75, said: expect.stringContaining('no terminal to ask for the passphrase') })
})

testNew('a heap dump of a locked app contains no key, signing secret, vault key, session or passphrase [AUTH-09]', async ({ open, profileDir }) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'dumped')
  const keyId = await keyIdOf(page, 'dumped')
  const { id: webhookId } = await appValue(page, 'webhooks.create', { url: 'http://127.0.0.1:9/in', events: ['order.filled'] })
  await setPassphrase(page, passphrase)
  /** Presses a key first, because the app copies a secret only after a user action. */
  const copy = async () => {
    await page.keyboard.press('Shift')
    await appValue(page, 'keys.copySecret', { keyId })
    await page.keyboard.press('Shift')
    await appValue(page, 'webhooks.copySecret', { webhookId })
  }
  await copy()
  const folder = mkdtempSync(joinPath(tmpdir(), 'svc-desk-dump-'))
  try {
    const dump = async () => {
      const file = joinPath(folder, 'main.heapsnapshot')
      await desk.app.evaluate((_electron, to) => void process.getBuiltinModule('node:v8').writeHeapSnapshot(to), file)
      return readFileSync(file)
    }
    cpSync(joinPath(profileDir, 'profiles/practice'), folder, { recursive: true })
    const vaultKey = readKeyring('Svc Desk Practice', 'vault/practice') ?? ''
    const sealed = openSealed(joinPath(folder, 'journal.db'), vaultKey)
    const bearer = [...sealed].find(([name]) => name.startsWith('session/'))?.[1].match(/svcds1\.[^"]+/)?.[0] ?? ''
    const [apiKey = ''] = keptSecrets(keyId)
    const [signing = ''] = keptSecrets(webhookId)
    const search = createSearch([
      { name: 'API key', value: apiKey },
      { name: 'signing secret', value: signing },
      { name: 'key of the vault', value: vaultKey },
      { name: 'sign-in', value: bearer },
      { name: 'passphrase', value: passphrase },
    ])
    const found = async () => [...new Set(search.inBytes('heap', await dump()).map(({ secret }) => secret))].sort()
    // The heap of the unlocked app must contain the secrets, to prove that the search works. The heap of the locked app must contain none of them.
    expect(await found()).toEqual(expect.arrayContaining(['API key', 'signing secret']))

    await page.keyboard.press('Control+Shift+L')
    await isLocked(page)
    await expect.poll(found, { timeout: 30_000 }).toEqual([])
    await unlock(page, passphrase)
    await goTo(page, 'Keys')
    await expect(keyRow(page, 'dumped')).toBeVisible()
    await copy()
    expect(await found()).toContain('API key')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

testNew('locking the app replaces its page by an empty one without account data; typed text returns after unlocking [AUTH-09]', async ({ open, practice }) => {
  const desk = await open()
  const page = desk.main
  const label = 'kept-from-the-heap'
  await join(desk, label)
  const keyId = await keyIdOf(page, label)
  await setPassphrase(page, passphrase)
  await practice.wallet({ autoApprove: true })
  await goTo(page, 'Trade')
  await chooseOrderType(page, 'Limit')
  await ticketField(page, 'Limit price').fill('90000')
  await reviewOrder(page, { value: '310' })
  await sendToWallet(page)
  await practice.chain({ mine: 8 })
  await expectPlaced(page)
  await signingSheet(page).getByRole('button', { name: 'Done' }).click()
  const draft = '731946.85'
  await ticket(page).getByRole('textbox', { name: 'Order value' }).fill(draft)
  const [order] = (await appValue(page, 'account.orders', { watch: null })).orders
  const stored = new Map(await appValue(page, 'wallet.storage', {}))
  const named = (end: RegExp) => [...stored].find(([name]) => end.test(name))?.[1] ?? '[]'
  const [session] = JSON.parse(named(/\/\/session$/)) as { readonly topic: string }[]
  const keychain = JSON.parse(named(/\/\/keychain$/)) as Record<string, string>
  const sought = {
    wallet: (await appValue(page, 'wallet.shown', {})).address ?? '',
    'label of the key': label,
    'id of the key': keyId,
    'client id of the order': order?.clientOrderId ?? '',
    draft,
    'topic of the session': session?.topic ?? '',
    'symmetric key of the session': keychain[session?.topic ?? ''] ?? '',
  }
  for (const [name, value] of Object.entries(sought)) expect(value.length, name).toBeGreaterThan(8)
  const found = async () => {
    const heap = (await heapOf(page)).toLowerCase()
    return Object.entries(sought).flatMap(([name, value]) => (heap.includes(value.toLowerCase()) ? [name] : []))
  }
  // The heap of the unlocked app must contain the secrets, to prove that the search works. The heap of the locked app must contain none of them.
  expect(await found()).toEqual(Object.keys(sought))

  await page.keyboard.press('Control+Shift+L')
  await isLocked(page)
  // One look at the heap can take several seconds.
  await expect.poll(found, { timeout: 30_000 }).toEqual([])
  // Records only from now on, because responses to earlier calls may arrive after the lock.
  const traffic = await recordIpc(desk.app)
  await page.reload()
  await isLocked(page)
  const asked = (await traffic()).split('\n').flatMap((line) => (JSON.parse(line) as { readonly asked?: readonly string[] }).asked?.[0] ?? [])
  expect([...new Set(asked)]).toEqual(['lock.state'])
  await unlock(page, passphrase)
  await expect(ticket(page).getByRole('textbox', { name: 'Order value' })).toHaveValue(draft)
  await expect.poll(found, { timeout: 30_000 }).toEqual(expect.arrayContaining(['wallet', 'draft', 'symmetric key of the session']))
})

test('if the app locks while a request waits on the phone, its page stays until the response, so the kill switch neither skips nor repeats a step [FLOW-06]', async ({
  open,
  practice,
}) => {
  const { page, phone } = await openSignedIn(open)
  await openPositionAndOrder(page, phone, practice)
  await setPassphrase(page, passphrase)
  await openKillSwitch(page)
  await confirmBulkAction(page, 'Stop everything')
  await practice.wallet({ autoApprove: true, hold: true })
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await sendToWallet(page)
  await expect.poll(async () => (await practice.phone()).requests.length).toBe(1)
  const stays = await markPage(page)
  await page.keyboard.press('Control+Shift+L')
  await isLocked(page)
  await expect.poll(() => ask(page, 'bulkActions.state')).toBe('locked')
  expect(await stays()).toBe(true)
  await practice.wallet({ hold: false })
  await expect.poll(stays).toBe(false)
  await isLocked(page)

  await unlock(page, passphrase)
  await expect(bulkActionStep(page, /^Cancel/)).toContainText('Sent')
  await page.getByRole('button', { name: 'Sign first step' }).click()
  await expect(signingSheet(page)).toHaveAccessibleName(/^Close the /)
  await sendToWallet(page)
  await expect(signingSheet(page)).toBeHidden()
  await expect.poll(async () => (await practice.effects()).positions).toEqual([])
  await practice.chain({ mine: 8 })
  await expect(bulkActionPanel(page).getByRole('status').filter({ hasText: 'Kill switch: done' })).toBeVisible({ timeout: 30_000 })
  expect((await practice.effects()).keys.map(({ status }) => status)).toEqual(['revoked'])
  const { intents } = await appValue(page, 'intents.list', { beforeMs: null, limit: 200 })
  expect(intents.filter(({ action }) => /cancel|close/.test(action)).map(({ state }) => state)).toEqual(['FINAL', 'FINAL'])
})
