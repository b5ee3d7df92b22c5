import type { ElectronApplication, Page } from '@playwright/test'
import { goTo, type View } from '../../pages/frame.ts'
import { join } from '../../pages/ready.ts'
import { ticketField } from '../../pages/ticket.ts'
import { expect, test } from '../../support/fixtures.ts'

const focusIsOnPage = (page: Page): Promise<boolean> => page.evaluate(() => document.querySelector('main')?.contains(document.activeElement) === true)

test('opening a page gives the window the page’s name as title and focuses the page; the first Tab offers to skip the navigation', async ({ open }) => {
  const desk = await open()
  const page = desk.main
  await join(desk, 'typist')
  for (const view of ['Overview', 'Keys', 'Webhooks', 'Account', 'Trade', 'Markets', 'Activity', 'Settings'] satisfies View[])
    await test.step(view, async () => {
      await goTo(page, view)
      await expect(page).toHaveTitle(`${view} · Svc Desk`)
      await expect.poll(() => focusIsOnPage(page)).toBe(true)
    })

  await test.step('from the start of the Trade page, six keys or fewer reach the order value', async () => {
    await page.keyboard.press('g')
    await page.keyboard.press('t')
    await expect(page).toHaveTitle('Trade · Svc Desk')
    await expect.poll(() => focusIsOnPage(page)).toBe(true)
    const skip = page.getByRole('button', { name: 'Skip to order value' })
    await expect(skip).toBeAttached()
    for (let tabs = 0; tabs < 5 && !(await skip.evaluate((button) => button === document.activeElement)); tabs += 1) await page.keyboard.press('Tab')
    await expect(skip).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(ticketField(page, 'Order value')).toBeFocused()
  })

  await test.step('after a start, the first Tab reaches the button that skips the navigation', async () => {
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur())
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeAttached()
    await page.keyboard.press('Tab')
    const skip = page.getByRole('button', { name: 'Skip to content' })
    await expect(skip).toBeFocused()
    await page.keyboard.press('Enter')
    expect(await focusIsOnPage(page)).toBe(true)
  })
})

/** Makes the app record its context menus instead of opening them. Each menu is recorded as the roles of its items. */
const recordMenus = (app: ElectronApplication): Promise<void> =>
  app.evaluate(({ Menu }) => {
    const opened: string[][] = []
    const build = Menu.buildFromTemplate.bind(Menu)
    Object.assign(globalThis, { opened })
    Menu.buildFromTemplate = (template) => Object.assign(build(template), { popup: () => void opened.push(template.flatMap(({ role }) => role ?? [])) })
  })

/** Simulates a right click in each window as Electron reports it. Returns the menus that the app opens. */
const rightClick = (app: ElectronApplication, isEditable: boolean, selectionText: string): Promise<string[][]> =>
  app.evaluate(
    ({ BrowserWindow }, clicked) => {
      for (const { webContents } of BrowserWindow.getAllWindows()) webContents.emit('context-menu', {}, clicked)
      return (globalThis as unknown as { opened: string[][] }).opened.splice(0) // safe cast: `recordMenus` set `opened`
    },
    { isEditable, selectionText, editFlags: { canUndo: true, canRedo: true, canCut: true, canCopy: true, canPaste: true, canSelectAll: true } },
  )

test('in each window, a right click in a text field offers to paste, and a right click on selected text offers to copy', async ({ open }) => {
  const desk = await open()
  await join(desk, 'clicker')
  await recordMenus(desk.app)
  const edit = ['undo', 'redo', 'cut', 'copy', 'paste', 'selectAll']
  // Expects one menu in the main window and one in the practice phone’s window.
  expect(await rightClick(desk.app, true, '')).toEqual([edit, edit])
  expect(await rightClick(desk.app, false, 'selected')).toEqual([['copy'], ['copy']])
  expect(await rightClick(desk.app, false, '')).toEqual([])
})
