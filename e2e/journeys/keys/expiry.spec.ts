import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { goTo } from '../../pages/frame.ts'
import { createCustomKey, keyRow, notices, openKey } from '../../pages/keys.ts'
import { expectKeyStored } from '../../pages/new-key.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { signInButton, signInSheet } from '../../pages/sign-in.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, firstKey, testWithKey as test, testSignedIn } from '../../support/fixtures.ts'
import { recordOf } from '../../support/key-facts.ts'

const stamp = (iso: string): string => new Date(iso).toISOString().replace(/[-:]|\.\d{3}/g, '')

test('the page with expiry dates lists what expires when, on a timeline and in words; its buttons and calendar file work [KEY-08]', async ({
  open,
  practice,
  profileDir,
}) => {
  const { desk, page } = await openSignedIn(open)
  await createCustomKey(page, { label: 'watch', preset: 'Read-only monitor' })
  await expectKeyStored(page, 'watch')
  await goTo(page, 'Overview')
  await page.getByRole('region', { name: 'Key expiry' }).getByRole('link', { name: 'Expiry dates' }).click()
  const expiry = page.getByRole('main')
  await expect(expiry.getByRole('heading', { level: 1, name: 'Expiry dates' })).toBeVisible()
  const rows = expiry.getByRole('table', { name: 'Expiry dates' }).locator('tbody').getByRole('row')
  const marks = expiry.getByRole('toolbar', { name: 'Timeline' }).getByRole('button')
  const keyRowOf = (label: string) => rows.filter({ has: page.getByRole('link', { name: label, exact: true }) })

  await test.step('the expiry list shows session, keys and grants, soonest first, and what each expiry stops', async () => {
    await expect(rows).toHaveCount(4)
    await expect(rows.first()).toContainText(/Your sign-in.*in 3 h.*Exact/)
    // The stored start may be older than two minutes, and then counts 29 whole days.
    await expect(keyRowOf(firstKey)).toContainText(/in (29|30) days.*Exact/)
    await expect(rows.filter({ hasText: 'Agent of first-key' })).toContainText('Exact')
    // Each text about a source or an effect must appear once below the table, not in every row.
    for (const [legend, entries] of [
      ['What stops', ['Managing keys and webhooks.', 'Every call with this key:', 'The agent may no longer trade for you.']],
      ['Source', ['From the service, when you signed in.', 'From the service’s latest list.', 'From the grant that you signed here.']],
    ] as const)
      for (const entry of entries) await expect(expiry.getByRole('region', { name: legend, exact: true }).getByText(entry)).toHaveCount(1)
    await expect(expiry.getByText('Every call with this key')).toHaveCount(1)
    await expect(expiry).toContainText('While it runs, the app notifies you 30, 7 and 1 days before something expires, and when it does.')
    await expect(expiry).toContainText(/Keys read/)
  })
  await test.step('a mark on the timeline shows what expires at that time, and links to its row in the list', async () => {
    await expect(marks).toHaveCount(3)
    await expect(marks.nth(1)).toHaveAccessibleName(/^2 keys: (first-key; watch|watch; first-key)\. First: (first-key|watch) expires in (29|30) days$/)
    await marks.first().focus()
    await expect(expiry.getByRole('figure')).toContainText(/Your sign-in expires in 3 h.*UTC/)
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await expect(marks.nth(2)).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(rows.filter({ hasText: 'Agent of first-key' })).toBeFocused()
  })
  await test.step('the expiry filter limits the list to one kind, such as keys', async () => {
    await expiry.getByRole('radio', { name: /^Grants/ }).click()
    await expect(rows).toHaveCount(1)
    await expect(marks).toHaveCount(1)
    await expiry.getByRole('radio', { name: /^All/ }).click()
    await expect(rows).toHaveCount(4)
  })
  await test.step('the exported calendar file contains every expiry date that is known exactly', async () => {
    const path = join(profileDir, 'ends.ics')
    await answerDialogs(desk.app, { save: path })
    await Promise.all([
      expect(notices(page)).toContainText('3 expiry dates saved for your calendar'),
      expiry.getByRole('button', { name: 'Save calendar file' }).click(),
    ])
    const text = readFileSync(path, 'utf8')
    expect(text.match(/BEGIN:VEVENT/g)).toHaveLength(3)
    for (const label of [firstKey, 'watch']) {
      expect(text).toContain(`SUMMARY:API key ${label} expires`)
      expect(text).toContain(`DTSTART:${stamp((await recordOf(practice, label)).expires_at)}`)
    }
  })
  await test.step('a key’s button in the expiry list opens a sheet, and the list shows the new date afterwards', async () => {
    await keyRowOf('watch').getByRole('button', { name: 'Extend watch' }).click()
    const sheet = page.getByRole('dialog', { name: 'Change expiry of watch' })
    await sheet.getByRole('radio', { name: '360 days' }).click()
    await sheet.getByRole('button', { name: 'Set expiry' }).click()
    await expect(sheet).toBeHidden()
    await expect(keyRowOf('watch')).toContainText('in 360 days')
    await expect(marks).toHaveCount(4)
  })
  await test.step('a scheduled key replacement creates no key before its date', async () => {
    await keyRowOf('watch').getByRole('button', { name: 'Schedule a replacement of watch' }).click()
    const sheet = page.getByRole('dialog', { name: 'Replace watch without downtime' })
    await expect(sheet.getByRole('radio', { name: 'On a date' })).toBeChecked()
    await sheet.getByRole('button', { name: 'Schedule replacement' }).click()
    await expect(sheet.getByRole('button', { name: 'Schedule replacement' })).toBeHidden()
    await page.keyboard.press('Escape')
    await expect(sheet).toBeHidden()
    await expect(keyRowOf('watch').getByRole('link', { name: /^From \d+ \w+/ })).toBeVisible()
    await expect(expiry.getByRole('button', { name: /^Replacement of watch starts on/ })).toBeVisible()
    expect((await practice.effects()).keys).toHaveLength(2)
  })
  await test.step('a “Stale” notice appears when the key list cannot be refreshed', async () => {
    await practice.faults({ answer: [{ route: 'GET /api/dex/developer/keys', status: 403, code: 'NOT_NOW', times: 20 }] })
    await expiry.getByRole('button', { name: 'Refresh keys' }).click()
    await expect(expiry).toContainText('Stale, keys read')
    await expect(rows).toHaveCount(4)
    await practice.clearFaults()
    await expiry.getByRole('button', { name: 'Refresh keys' }).click()
    await expect(expiry).not.toContainText('Stale')
  })
  await test.step('after the sign-in has ended, the expiry page shows the last known key list and offers a new sign-in', async () => {
    await signInButton(page).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
    await expect(rows).toHaveCount(3)
    await expect(keyRowOf(firstKey)).toContainText(/in (29|30) days/)
    await expiry.getByRole('button', { name: 'Sign in to refresh' }).click()
    await expect(signInSheet(page)).toBeVisible()
  })
})

testSignedIn('closing the sheet that rotates a key returns to the page from which the user opened it', async ({ open }) => {
  const { page } = await openSignedIn(open)
  await createCustomKey(page, { label: 'watch', preset: 'Read-only monitor' })
  await expectKeyStored(page, 'watch')
  const sheet = page.getByRole('alertdialog', { name: 'Rotate watch' })

  await goTo(page, 'Keys')
  await keyRow(page, 'watch').getByRole('button', { name: 'Actions for watch' }).click()
  await page.getByRole('menuitem', { name: 'Rotate' }).click()
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Keys' })).toBeVisible()
  await expect(keyRow(page, 'watch')).toBeVisible()

  await openKey(page, 'watch')
  await page.getByRole('main').getByRole('button', { name: 'Rotate' }).click()
  await expect(sheet).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'watch' })).toBeVisible()
})
