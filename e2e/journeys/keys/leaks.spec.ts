import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openKey } from '../../pages/keys.ts'
import { foundPlace, openLeaks, scanFolders } from '../../pages/leaks.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { sees } from '../../support/coverage.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, test } from '../../support/fixtures.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { recordOf } from '../../support/key-facts.ts'
import { createSearch } from '../../support/search/secret-search.ts'

const revokeRoute = 'DELETE /api/dex/developer/keys/{key_id}'

test('a leak scan names the key that it finds in a file, and the user revokes the key; the next scan says that it no longer works [KEY-09, AUTH-09]', async ({
  open,
  practice,
}) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-leaky-'))
  try {
    const desk = await open()
    const page = desk.main
    const traffic = await recordIpc(desk.app)
    await joinExchange(desk, 'grid')
    await answerDialogs(desk.app, { save: join(folder, '.env'), open: folder })
    const detail = await openKey(page, 'grid')
    await detail.getByRole('button', { name: 'Save .env' }).click()
    await expect(detail.getByText(join(folder, '.env'), { exact: true })).toBeVisible()
    writeFileSync(join(folder, '.gitignore'), 'private/\n')
    mkdirSync(join(folder, 'private'))
    copyFileSync(join(folder, '.env'), join(folder, 'private/old.env'))
    writeFileSync(join(folder, 'README'), 'SVC_API_KEY=SVCxxxxxxxxxxxxxxxxxxxxxxxx1\n')
    const written = readFileSync(join(folder, '.env'), 'utf8')

    await openLeaks(page)
    await page.getByRole('button', { name: 'Choose folder' }).click()
    await expect(page.getByRole('list', { name: 'Folders to scan' })).toContainText(folder)
    await scanFolders(page, 'Key found in 1 place')
    const row = foundPlace(page, '.env:1')
    await expect(row).toContainText('grid')
    await expect(row).toContainText('Certain')
    await expect(row).toContainText('Works')
    await expect(page.getByRole('region', { name: 'Result' })).toContainText('Skipped: 1 name that git ignores.')

    await test.step('a leak scan includes git-ignored files only on request', async () => {
      await page.getByRole('checkbox', { name: 'Include files that git ignores' }).check()
      await scanFolders(page, 'Keys found in 2 places')
      await expect(foundPlace(page, 'private/old.env:1')).toContainText('Ignored')
    })

    await row.getByRole('button', { name: 'Revoke' }).click()
    const sheet = page.getByRole('alertdialog', { name: 'Revoke grid' })
    await sheet.getByRole('textbox').fill('grid')
    await sheet.getByRole('button', { name: 'Revoke key' }).click()
    await sees(practice, revokeRoute, async () => {
      await expect(sheet).toBeHidden()
      await expect(row).toContainText('Revoked')
    })
    expect((await recordOf(practice, 'grid')).status).toBe('revoked')
    await scanFolders(page, 'Keys found in 2 places')
    for (const place of ['.env:1', 'private/old.env:1']) {
      await expect(foundPlace(page, place)).toContainText('grid')
      await expect(foundPlace(page, place)).toContainText('Revoked')
      await expect(foundPlace(page, place).getByRole('button', { name: 'Revoke' })).toBeHidden()
    }

    const secret = /SVC_API_KEY="?(SVC[^"\s]+)/.exec(written)?.[1] ?? ''
    const search = createSearch([{ name: 'API key', value: secret }])
    expect([...search.inText('IPC', await traffic()), ...search.inText('page', await page.content())]).toEqual([])
    expect(readFileSync(join(folder, '.env'), 'utf8')).toBe(written)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a leak scan reports no keys in a clean folder; in a folder that the user adds, it finds the file with a key', async ({ open }) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-desk-leaky-'))
  try {
    const desk = await open()
    const page = desk.main
    await joinExchange(desk, 'grid')
    mkdirSync(join(folder, 'empty'))
    writeFileSync(join(folder, 'empty/notes.txt'), 'SVC_API_KEY=your-key-here\n')
    mkdirSync(join(folder, 'logs'))
    writeFileSync(join(folder, 'logs/bot.log'), 'sent\nX-Svc-API-Key: SVC4f9a1c77e0b2d86a53c1908e7fb24d6ca0e95b3817cd42f6\n')
    await openLeaks(page)
    await answerDialogs(desk.app, { open: join(folder, 'empty') })
    await page.getByRole('button', { name: 'Choose folder' }).click()
    await scanFolders(page, 'No keys found')
    await expect(page.getByRole('region', { name: 'Result' })).toContainText(/1 file, 26 bytes read.*Searched for one secret of yours/)

    await answerDialogs(desk.app, { open: join(folder, 'logs') })
    await page.getByRole('button', { name: 'Add folder' }).click()
    await expect(page.getByRole('list', { name: 'Folders to scan' }).getByRole('listitem')).toHaveCount(2)
    await scanFolders(page, 'Key found in 1 place')
    const row = foundPlace(page, 'bot.log:2')
    await expect(row).toContainText('Not stored on this computer')
    await expect(row).toContainText('Likely')

    await desk.app.evaluate(({ shell }) => {
      const shown: string[] = []
      Object.assign(globalThis, { shownItems: shown })
      Object.assign(shell, { showItemInFolder: (path: string) => void shown.push(path) })
    })
    await row.getByRole('button', { name: 'Show file' }).click()
    await expect
      .poll(() => desk.app.evaluate(() => (globalThis as unknown as { shownItems: string[] }).shownItems)) // safe cast: this test set `shownItems` above
      .toEqual([join(folder, 'logs/bot.log')])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
