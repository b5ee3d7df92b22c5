import { expect, type Page } from '@playwright/test'
import { chooseOrderType, chooseTpSl, fillOrder, keepPreset, openPresets, reviewButton, riskSummary, ticket, ticketField, turnExpert } from '../pages/ticket.ts'
import { figure } from '../pages/trade.ts'
import type { Practice } from '../support/practice.ts'

interface TicketShots {
  readonly page: Page
  readonly practice: Practice
  readonly shoot: (name: string, options?: { narrow?: boolean }) => Promise<void>
}

const told = async (page: Page) => {
  await expect(figure(riskSummary(page), 'Fee')).toHaveText(/\d/)
  await expect(riskSummary(page)).toHaveAttribute('aria-busy', 'false')
}

/** Moves a value of the ticket with 60 key presses of ten ticks each. */
async function move(page: Page, field: string, key: 'ArrowUp' | 'ArrowDown'): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) await ticketField(page, field).press(`Shift+${key}`)
}

/** Takes screenshots of the order ticket. Requires the open Trade page and a key. */
export async function takeTicketShots({ page, practice, shoot }: TicketShots): Promise<void> {
  const form = ticket(page)
  await fillOrder(page, { value: '60000' })
  await told(page)
  await shoot('ticket-market', { narrow: true })

  await chooseOrderType(page, 'Limit')
  await form.getByRole('button', { name: 'Mark' }).click()
  const price = await ticketField(page, 'Limit price').inputValue()
  await move(page, 'Limit price', 'ArrowDown')
  await form.getByRole('checkbox', { name: 'Post only' }).check()
  await chooseTpSl(page, '%')
  await ticketField(page, /^Take profit/).fill('2.5')
  await ticketField(page, /^Stop loss/).fill('1.5')
  await told(page)
  await shoot('ticket-limit', { narrow: true })
  await chooseTpSl(page, 'USDC')
  await told(page)
  await shoot('ticket-limit-profit')
  await chooseTpSl(page, 'Price')
  await told(page)
  await shoot('ticket-limit-price')

  await chooseOrderType(page, 'Stop')
  await form.getByRole('radio', { name: 'Isolated' }).click()
  await ticketField(page, 'Leverage').fill('25')
  await ticketField(page, 'Trigger price').fill(price)
  await move(page, 'Trigger price', 'ArrowUp')
  await form.getByRole('combobox', { name: 'Order value unit' }).selectOption('base')
  await form.getByRole('button', { name: 'More' }).click()
  await told(page)
  await shoot('ticket-stop-isolated', { narrow: true })

  await ticketField(page, 'Trigger price').fill('abc')
  await ticketField(page, 'Leverage').fill('500')
  await ticketField(page, 'Order value').fill('-1')
  await ticketField(page, 'Client order ID').fill('x'.repeat(97))
  await reviewButton(page).click()
  await shoot('ticket-errors', { narrow: true })
  await ticketField(page, 'Client order ID').fill('')
  await form.getByRole('button', { name: 'More' }).click()

  await chooseOrderType(page, 'Market')
  await form.getByRole('combobox', { name: 'Order value unit' }).selectOption('free_margin')
  await ticketField(page, 'Leverage').fill('10')
  await form.getByRole('checkbox', { name: 'TP/SL by' }).uncheck()
  await ticketField(page, 'Order value').fill('95')
  await chooseOrderType(page, 'Limit')
  await ticketField(page, 'Limit price').fill(price)
  await move(page, 'Limit price', 'ArrowUp')
  await told(page)
  await shoot('ticket-remark', { narrow: true })
  await practice.faults({ answer: [{ route: 'POST /api/dex/v1/risk/preview', status: 503, code: 'UPSTREAM_DOWN', times: 60 }] })
  await ticketField(page, 'Order value').fill('30')
  await form.getByRole('button', { name: 'Try again' }).waitFor()
  await shoot('ticket-preview-failed', { narrow: true })
  await practice.clearFaults()
  // The app may repeat the preview itself when a new price arrives. The button then disappears, so a failed press is ignored.
  await form
    .getByRole('button', { name: 'Try again' })
    .click({ timeout: 2_000 })
    .catch(() => undefined)
  await told(page)

  await keepPreset(page, 'Scalp')
  await keepPreset(page, 'Swing, a third of the margin')
  await form.getByRole('button', { name: /^Presets/ }).click()
  await shoot('ticket-presets-menu')
  await page.keyboard.press('Escape')
  await openPresets(page)
  await shoot('ticket-presets', { narrow: true })
  await page.keyboard.press('Escape')

  await turnExpert(page, true)
  await told(page)
  await shoot('ticket-expert', { narrow: true })
  const payload = ticketField(page, 'Payload')
  await payload.fill((await payload.inputValue()).replace('"leverage": 10', '"leverage": "ten",\n  "reduce_only": true'))
  await shoot('ticket-expert-refused', { narrow: true })
  await form.getByRole('button', { name: 'Reset to form values' }).click()
  await turnExpert(page, false)
}
