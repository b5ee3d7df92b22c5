import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join as joinPath } from 'node:path'
import { goTo } from '../../pages/frame.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { signingSheet } from '../../pages/signing.ts'
import { reviewOrder } from '../../pages/ticket.ts'
import { answerDialogs } from '../../support/dialogs.ts'
import { expect, testWithKey as test } from '../../support/fixtures.ts'
import { outOf } from '../../support/project.ts'

const terminals: ChildProcess[] = []
test.afterEach(() => {
  for (const child of terminals.splice(0)) if (child.exitCode === null) child.kill('SIGKILL')
})

/** Runs `svc-desk check` in a terminal. Returns the process and its output. */
function checking(words: readonly string[]) {
  const child = spawn(process.execPath, [joinPath(outOf('hooks'), 'main/terminal.js'), 'check', ...words], { stdio: ['ignore', 'pipe', 'pipe'] })
  terminals.push(child)
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()))
  return { said: () => said, ended: once(child, 'close').then(([code]) => code as number) }
}

test('once the user accepted the signing format in a service check, the first order needs no typed phrase [FLOW-02]', async ({
  open,
  practice,
  profileDir,
}) => {
  const { desk, page } = await openSignedIn(open)
  const before = await practice.effects()

  await test.step('after the first key was created, the app suggests the service check and runs it', async () => {
    await page.getByRole('button', { name: 'Open service check' }).click()
    await page.getByRole('button', { name: 'Check service' }).click()
    await expect(page.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 })
    await expect(page.getByRole('button', { name: 'Open service check' })).toBeHidden()
  })

  const results = page.getByRole('list', { name: 'Service check results' })
  await test.step('the user accepts the signing format of orders with one press', async () => {
    await results.getByRole('button', { name: 'Show Prepare open_position' }).click()
    await expect(results.getByRole('region', { name: 'Signing format' })).toContainText('Message to sign')
    await results.getByRole('button', { name: 'Agree to this signing format' }).click()
    await expect(results).toContainText('You agreed to this signing format.')
    expect((await practice.effects()).relayed).toEqual(before.relayed)
  })

  await test.step('the user saves the report of the service check, which does not contain the wallet address', async () => {
    const file = joinPath(profileDir, 'check.json')
    await answerDialogs(desk.app, { save: file })
    await page.getByRole('button', { name: 'Save report' }).click()
    await expect.poll(() => (existsSync(file) ? readFileSync(file, 'utf8') : '')).toMatch(/\}\s*$/)
    expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ version: 1 })
  })

  await test.step('the first order needs no typed phrase', async () => {
    await goTo(page, 'Trade')
    await reviewOrder(page, { value: '250', leverage: '5' })
    await expect(signingSheet(page)).toBeVisible()
    await expect(signingSheet(page).getByRole('checkbox')).toHaveCount(0)
    await expect(signingSheet(page).getByRole('textbox')).toHaveCount(0)
  })
})

test('in another API dialect, the service check suggests field names; one press or a terminal command accepts them all, and one press undoes that [ORD-05]', async ({
  open,
  practice,
  profileDir,
}) => {
  const { page } = await openSignedIn(open)
  await practice.faults({ dialect: 2 })
  await goTo(page, 'Settings')
  const check = page.getByRole('region', { name: 'Service check' })
  const map = page.getByRole('region', { name: 'Field map' })
  const acceptAll = check.getByRole('button', { name: /^Accept all top candidates \(\d+\)$/ })

  const count = await test.step('the service check lists suggested field names, and one press accepts all of them', async () => {
    await check.getByRole('button', { name: 'Check service' }).click()
    await expect(check.getByRole('button', { name: 'Check again' })).toBeVisible({ timeout: 60_000 })
    await acceptAll.click()
    const list = check.getByRole('region', { name: 'Top candidates' })
    const listed = await list.getByRole('listitem').count()
    expect(listed).toBeGreaterThan(1)
    await expect(map).not.toContainText(/\d+ entries/)
    await list.getByRole('button', { name: `Accept ${listed}` }).click()
    await expect(map).toContainText(`${listed} entries`)
    return listed
  })

  await test.step('the Service section shows the last result of the service check, and the accepted field names can be undone', async () => {
    await expect(page.getByRole('region', { name: 'Service', exact: true })).toContainText(/\d+ read, \d+ partly read, \d+ not read\./)
    await map.getByRole('button', { name: 'Undo last change' }).click()
    await expect(acceptAll).toHaveText(`Accept all top candidates (${count})`)
  })

  await test.step('the terminal command asks before it accepts field names, and prints the results before and after', async () => {
    const terminal = checking(['--accept-top', '--data', profileDir])
    const asked = page.getByRole('alertdialog')
    await expect(asked).toContainText('Check the service from a terminal')
    await expect(asked).toContainText('This changes the field map')
    await asked.getByRole('button', { name: 'Check', exact: true }).click()
    expect([0, 1]).toContain(await terminal.ended)
    expect(terminal.said()).toMatch(/Before: \d+ read, \d+ partly read, \d+ not read\.\n/)
    expect(terminal.said()).toMatch(/After: \d+ read, \d+ partly read, \d+ not read\.\n$/)
    await expect(map).toContainText(/\d+ entries/)
  })
})
