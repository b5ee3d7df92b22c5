import { addAction, batchItems, carryOut, chooseSignWith, composer, confirmation, fillExecutor, openComposer } from '../../pages/batch.ts'
import { goTo } from '../../pages/frame.ts'
import { keyIdOf } from '../../pages/keys.ts'
import { openSignedIn } from '../../pages/ready.ts'
import { reviewOrder, ticket } from '../../pages/ticket.ts'
import { blotter, blotterRow } from '../../pages/trade.ts'
import { acts, sees } from '../../support/coverage.ts'
import { expect, firstKey, testWithKey as test } from '../../support/fixtures.ts'

test('a key’s executor carries out single orders and batches that the user puts together in the app [ORD-13, ORD-14]', async ({ open, practice }) => {
  test.slow()
  const { page } = await openSignedIn(open)
  const keyId = await keyIdOf(page, firstKey)
  const execute = 'POST /api/dex/v1/orders/execute'
  await goTo(page, 'Trade')

  await test.step('if the key has no executor, the app says so and offers to bind one', async () => {
    await ticket(page)
      .getByRole('button', { name: /^Sign with:/ })
      .click()
    await expect(page.getByRole('menuitemradio', { name: /^Executor of first-key/ })).toBeDisabled()
    await expect(page.getByRole('menuitemradio', { name: /^Executor of first-key/ })).toContainText('No executor is bound to first-key.')
    await page.keyboard.press('Escape')
    await openComposer(page)
    await addAction(page, { action: 'Limit order', market: 'BTC-PERP', fill: { 'Order value': '200', Price: '50000' } })
    await composer(page).getByRole('button', { name: 'Review and execute' }).click()
    await expect(confirmation(page)).toContainText('ExecutorNone known')
    await confirmation(page).getByRole('button', { name: 'Execute' }).click()
    await expect(confirmation(page).getByRole('alert')).toContainText('first-key has no executor')
    await confirmation(page).getByRole('button', { name: 'Bind executor' }).click()
    await fillExecutor(page, firstKey, 'exec-fra-1')
    expect((await practice.effects()).keys.find(({ key_id }) => key_id === keyId)?.executor).toBe('exec-fra-1')
  })

  await test.step('the executor executes an order from the ticket without the phone', async () => {
    await goTo(page, 'Trade')
    await chooseSignWith(page, 'Executor of first-key')
    const signer = ticket(page).getByRole('button', { name: 'Sign with: Executor of first-key' })
    await expect(signer).toHaveAttribute('title', 'Executor of first-key')
    // A long name must neither wrap nor push the button away.
    const grown = await signer.getByText(firstKey, { exact: true }).evaluate((name) => {
      const row = name.closest('button')?.parentElement
      const heights = [row?.clientHeight]
      name.textContent = 'market-maker-frankfurt-1-eth-perp-and-btc-perp-hedge'
      heights.push(row?.clientHeight)
      name.textContent = 'first-key'
      return heights
    })
    expect(grown[1]).toBe(grown[0])
    await reviewOrder(page, { value: '400' })
    await expect(confirmation(page)).toContainText('exec-fra-1')
    await acts('delegated open_position', async () => {
      const results = await carryOut(page, 1)
      await expect(results).toContainText('Filled', { timeout: 30_000 })
      await expect(results.getByRole('region', { name: 'What you got' })).toContainText(/Fill price[\d,.]+.*Fee[\d.]+ USDC.*Your position now.*Entry price/, {
        timeout: 30_000,
      })
      await expect(results).not.toContainText('keeps tracking the order')
      await sees(practice, 'GET /api/dex/v1/executions/{command_id}', () => expect(results).toContainText('Executed'))
      await results.getByRole('button', { name: 'Done' }).click()
      await expect(blotterRow(page, 'Positions', 'BTC-PERP')).toContainText('Long')
    })
    await sees(practice, execute, () => expect(blotterRow(page, 'Positions', 'BTC-PERP')).toBeVisible())
  })

  await test.step('until the first order is answered, its sheet can be closed and opened again, but sends no second order', async () => {
    const before = (await practice.callsTo(execute)).length
    await practice.faults({ delay: [{ route: execute, ms: null }] })
    await reviewOrder(page, { value: '410' })
    await confirmation(page).getByRole('button', { name: 'Execute' }).dblclick()
    await confirmation(page).getByRole('button', { name: 'Cancel' }).click()
    await reviewOrder(page, { value: '410' })
    await expect(confirmation(page).getByRole('button', { name: 'Execute' })).toHaveAttribute('aria-busy', 'true')
    await confirmation(page).getByRole('button', { name: 'Execute' }).click({ force: true })
    await practice.faults({ delay: [] })
    const results = page.getByRole('dialog')
    await expect(results.getByRole('list', { name: 'Results' }).getByRole('listitem')).toHaveCount(1, { timeout: 30_000 })
    expect(await practice.callsTo(execute)).toHaveLength(before + 1)
    await results.getByRole('button', { name: 'Done' }).click()
  })

  await test.step('a composed batch is saved, reordered, simulated and executed', async () => {
    await openComposer(page)
    await expect(batchItems(page)).toHaveCount(1)
    await addAction(page, { action: 'Stop order', market: 'BTC-PERP', fill: { 'Order value': '200', Price: '160000' } })
    await addAction(page, { action: 'Market order', market: 'ETH-PERP', choose: ['Long', 'Isolated'], fill: { 'Order value': '500', Leverage: '5' } })
    await batchItems(page)
      .nth(2)
      .getByRole('button', { name: /^Move up/ })
      .click()
    await batchItems(page)
      .nth(1)
      .getByRole('button', { name: /^Remove/ })
      .press('Alt+ArrowUp')
    await expect(batchItems(page).nth(0)).toContainText('ETH-PERP')
    // A button that cannot be pressed must not look chosen.
    const first = batchItems(page)
      .nth(0)
      .getByRole('button', { name: /^Move up/ })
    await expect(first).toBeDisabled()
    await expect(first).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
    await composer(page).getByRole('button', { name: 'Dry run' }).click()
    await expect(composer(page)).toContainText('The exchange validated all 3 actions.')
    await expect(batchItems(page).filter({ hasText: 'Valid' })).toHaveCount(3)
    expect((await practice.effects()).positions).toHaveLength(1)
    await composer(page).getByRole('button', { name: 'Review and execute' }).click()
    await acts('batch', async () => {
      const results = await carryOut(page, 3)
      await results.getByRole('button', { name: 'Done' }).click()
      await acts('open_market', () => expect(blotterRow(page, 'Positions', 'ETH-PERP')).toContainText('Long'))
    })
    await blotter(page)
      .getByRole('tab', { name: /Orders/ })
      .click()
    await acts('create_limit', () => expect(blotterRow(page, 'Orders', '50,000')).toContainText('Limit'))
    await acts('create_stop', () => expect(blotterRow(page, 'Orders', '160,000')).toContainText('Stop'))
  })

  const eth = /^ETH-PERP long/
  await test.step('a batch changes a position and an order', async () => {
    const sizeBefore = await positionOf('ETH-PERP')
    await openComposer(page)
    await addAction(page, { action: 'Increase position', position: eth, fill: { 'Order value': '100' } })
    await addAction(page, { action: 'Set take profit', position: eth, fill: { Price: '99999' } })
    await addAction(page, { action: 'Set stop loss', position: eth, fill: { Price: '100' } })
    await addAction(page, { action: 'Add or remove margin', position: eth, choose: ['Add'], fill: { Amount: '20' } })
    await addAction(page, { action: 'Change order', order: /limit 50,000/, fill: { Price: '51000' } })
    await composer(page).getByRole('button', { name: 'Review and execute' }).click()
    const results = await carryOut(page, 5)
    await results.getByRole('button', { name: 'Done' }).click()
    await acts('replace', () => expect(blotterRow(page, 'Orders', '51,000')).toBeVisible())
    const changed = await positionOf('ETH-PERP')
    await acts('increase', async () => expect(Number(changed.size)).toBeGreaterThan(Number(sizeBefore.size)))
    await acts('set_tp', async () => expect(Number(changed.take_profit)).toBe(99_999))
    await acts('set_sl', async () => expect(Number(changed.stop_loss)).toBe(100))
    await acts('isolated_manage', async () => expect(Number(changed.margin_usdc)).toBeGreaterThan(Number(sizeBefore.margin_usdc) + 10))
  })

  await test.step('a batch reduces a position, clears its TP/SL and cancels an order', async () => {
    const before = await positionOf('ETH-PERP')
    await openComposer(page)
    await addAction(page, { action: 'Clear take profit', position: eth })
    await addAction(page, { action: 'Clear stop loss', position: eth })
    await addAction(page, { action: 'Reduce position', position: eth, fill: { Size: '0.01' } })
    await addAction(page, { action: 'Cancel order', order: /limit 51,000/ })
    await composer(page).getByRole('button', { name: 'Review and execute' }).click()
    const results = await carryOut(page, 4)
    await results.getByRole('button', { name: 'Done' }).click()
    const after = await positionOf('ETH-PERP')
    await acts('clear_tp', async () => expect(after.take_profit).toBeNull())
    await acts('clear_sl', async () => expect(after.stop_loss).toBeNull())
    await acts('reduce', async () => expect(Number(before.size) - Number(after.size)).toBeCloseTo(0.01, 4))
    await acts('cancel', () => expect(blotterRow(page, 'Orders', '51,000')).toBeHidden())
    // The form opened from the order’s row uses the same execution method as the ticket.
    await blotter(page)
      .getByRole('tab', { name: /Positions/ })
      .click()
    await blotterRow(page, 'Positions', 'BTC-PERP')
      .getByRole('button', { name: /^Close the long/ })
      .click()
    const form = page.getByRole('dialog', { name: /^Close/ })
    await expect(form.getByRole('button', { name: 'Sign with: Executor of first-key' })).toBeVisible()
    await form.getByRole('button', { name: /^Review/ }).click()
    await acts('close', async () => {
      const closed = await carryOut(page, 1)
      await expect(closed.getByRole('region', { name: 'What you got' })).toContainText(/Fill price[\d,.]+.*Realised/, { timeout: 30_000 })
      await closed.getByRole('button', { name: 'Done' }).click()
      await expect(form).toBeHidden()
      expect((await practice.effects()).positions).toHaveLength(1)
    })

    await openComposer(page)
    await addAction(page, { action: 'Invert position', position: eth })
    await composer(page).getByRole('button', { name: 'Review and execute' }).click()
    await acts('invert', async () => {
      const last = await carryOut(page, 1)
      await last.getByRole('button', { name: 'Open in Activity' }).click()
      expect((await positionOf('ETH-PERP')).side).toBe('short')
    })
    const details = page.getByRole('region', { name: /Invert the long on ETH-PERP/ })
    await expect(details).toContainText('Executor of first-key, without a wallet signature')
    await expect(details.getByRole('list', { name: 'Results' })).toContainText('Done')
    await expect(details).toContainText(/cmd_/)
  })

  async function positionOf(symbol: string) {
    const found = (await practice.effects()).positions.find((position) => position.symbol === symbol)
    if (found === undefined) throw new Error(`No position on ${symbol}`)
    return found
  }
})
