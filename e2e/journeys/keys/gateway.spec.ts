import { addBot, botRow, notices, openGateway } from '../../pages/keys.ts'
import { join as joinExchange } from '../../pages/ready.ts'
import { expect, test } from '../../support/fixtures.ts'
import { freePort } from '../../support/free-port.ts'
import { recordIpc } from '../../support/ipc-traffic.ts'
import { heapOf } from '../../support/search/page-memory.ts'
import { createSearch } from '../../support/search/secret-search.ts'

test('the user adds a bot with limits in the app; the bot reads, is refused beyond a limit and while all bots are paused, and ends with its token', async ({
  open,
}) => {
  const desk = await open()
  const page = desk.main
  const traffic = await recordIpc(desk.app)
  await joinExchange(desk, 'grid-eth')
  await openGateway(page)
  const port = await freePort()
  await page.getByRole('textbox', { name: 'Port' }).fill(String(port))
  await page.getByRole('button', { name: 'Apply' }).click()
  // The page may still show the earlier port here. The switch must keep the port that was just applied.
  await page.getByText('Let bots use the exchange').click()
  const hostUrl = `http://127.0.0.1:${port}`
  await expect(page.getByText(hostUrl, { exact: true })).toBeVisible()

  const token = await addBot(desk, { label: 'grid', mode: 'Live', limits: { 'Max order size': '500', 'Orders a minute': '5' } })
  const row = botRow(page, 'grid')
  await expect(row).toContainText('Running')
  await expect(row).toContainText('Live · 2 limits')

  const call = async (path: string, body?: object) => {
    const answer = await fetch(`${hostUrl}/api/dex/v1${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { 'x-svc-api-key': token, ...(body !== undefined && { 'content-type': 'application/json' }) },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const json = (await answer.json()) as { readonly error?: { readonly code: string; readonly limit?: string } } // safe cast: a wrong shape fails the test
    return [answer.status, json.error?.code ?? null, json.error?.limit ?? null]
  }
  const read = () => call('/account')
  const order = (value: string) =>
    call('/orders/execute', {
      action: 'open_market',
      payload: { pair_id: 1, side: 'long', leverage: 2, order_value_usdc: value, reference_price: '3000', max_slippage_bps: 50 },
    })
  expect(await read()).toEqual([200, null, null])
  expect(await order('900')).toEqual([403, 'GATEWAY_LIMIT', 'order_value'])
  await expect(row).toContainText('over a limit')

  await test.step('a lower limit holds at once; a higher one shows what changes and asks', async () => {
    const openLimits = async () => {
      await row.getByRole('button', { name: 'Actions for grid' }).click()
      await page.getByRole('menuitem', { name: 'Mode and limits' }).click()
      return page.getByRole('dialog', { name: 'Mode and limits of grid' })
    }
    const sheet = await openLimits()
    await sheet.getByRole('textbox', { name: 'Max order size' }).fill('300')
    await sheet.getByRole('button', { name: 'Save' }).click()
    await expect(sheet).toBeHidden()
    expect(await order('400')).toEqual([403, 'GATEWAY_LIMIT', 'order_value'])
    const again = await openLimits()
    await again.getByRole('textbox', { name: 'Max order size' }).fill('')
    await again.getByRole('button', { name: 'Save' }).click()
    const question = page.getByRole('alertdialog', { name: 'Allow grid more?' })
    await expect(question).toContainText(/Max order size\s*300 USDC.*No limit/)
    await question.getByRole('button', { name: 'Keep as it is' }).click()
    await page.keyboard.press('Escape')
    expect(await order('400')).toEqual([403, 'GATEWAY_LIMIT', 'order_value'])
  })

  await page.getByRole('button', { name: 'Pause all bots' }).click()
  await expect(notices(page)).toContainText('1 bot paused')
  expect(await read()).toEqual([403, 'GATEWAY_PAUSED', null])
  await row.getByRole('button', { name: 'Resume grid' }).click()
  await expect(row).toContainText('Running')
  expect(await read()).toEqual([200, null, null])

  await page.keyboard.press('Control+Shift+X')
  await expect(row).toContainText('Paused')
  expect(await read()).toEqual([403, 'GATEWAY_PAUSED', null])

  await row.getByRole('button', { name: 'Actions for grid' }).click()
  await page.getByRole('menuitem', { name: 'Revoke bot' }).click()
  await page.getByRole('alertdialog', { name: 'Revoke grid?' }).getByRole('button', { name: 'Revoke bot' }).click()
  await expect(page.getByText('No bots yet')).toBeVisible()
  expect(await read()).toEqual([401, 'GATEWAY_TOKEN_UNKNOWN', null])

  const search = createSearch([{ name: 'token', value: token }])
  const places = { page: await page.content(), heap: await heapOf(page), IPC: await traffic(), output: desk.output() }
  expect(Object.entries(places).flatMap(([place, text]) => search.inText(place, text))).toEqual([])
})
