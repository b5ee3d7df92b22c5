import { expect, test } from 'vitest'
import { initialTicket } from '../../shared/ticket/form/ticket-state.ts'
import { createToasts } from '../kit/overlay/toast.tsx'
import { createBatchDraft, createTicketDrafts } from '../parts/drafts/ticket-drafts.tsx'
import { createBelongings } from './app.tsx'
import { createShell } from './shell-store.ts'

function openPage(address: string) {
  const location = { pathname: '/index.html', search: '', hash: address }
  const history = {
    replaceState: (_data: unknown, _unused: string, url: string) => {
      location.hash = url.includes('#') ? url.slice(url.indexOf('#')) : ''
    },
  }
  // The cast is needed: the test provides only those parts of a window that the code uses.
  const page = { location, history, addEventListener: () => undefined } as unknown as Window
  const parts = { page, shell: createShell(page), toasts: createToasts(), tickets: createTicketDrafts(), batch: createBatchDraft() }
  return { ...parts, location, belongings: createBelongings(parts) }
}

test('after an unlock, the window restores the page, the typed text and the notices from before the lock', () => {
  const before = openPage('#/trade/1')
  before.tickets.getState().change(1, () => ({ ...initialTicket, orderValue: '1234.5' }))
  before.tickets.getState().write(2, '{"pair_id":2}')
  before.batch.getState().add('0xA', { action: 'cancel', order: { orderId: 'o1', pairId: 1, symbol: null, side: 'long' } } as never)
  before.belongings.notify({ severity: 'danger', title: 'Refused', text: 'Long 310.00 USDC', to: 'activity' })
  before.belongings.hide()
  const left = before.belongings.leaves()
  expect(before.location.hash).toBe('')
  expect(before.toasts.getState().shown).toEqual([])

  const after = openPage('')
  after.belongings.putBack({ ...left, calls: [] })
  expect(after.location.hash).toBe('#/trade/1')
  expect(after.shell.getState().place).toEqual(before.shell.getState().place)
  expect(after.tickets.getState()).toMatchObject({ byMarket: { 1: { orderValue: '1234.5' } }, payloads: { 2: '{"pair_id":2}' } })
  expect(after.batch.getState().byWallet['0xA']).toEqual(before.batch.getState().byWallet['0xA'])
  expect(after.toasts.getState().shown).toMatchObject([{ tone: 'danger', title: 'Refused', to: 'activity', action: { label: 'Open' } }])
})

test('if the page stays open when the app locks, the window restores the page address and the notices', () => {
  const page = openPage('#/keys/k1')
  page.belongings.notify({ severity: 'ok', title: 'Done', text: 'It is final.', to: null })
  const bringBack = page.belongings.hide()
  page.belongings.leaves()
  page.belongings.stays()
  bringBack()
  expect(page.location.hash).toBe('#/keys/k1')
  expect(page.toasts.getState().shown).toMatchObject([{ title: 'Done', action: null }])
})

test('when the app locks, the window drops drafts that exceed the size limit', () => {
  const page = openPage('#/trade')
  page.tickets.getState().write(1, 'x'.repeat(300_000))
  expect(page.belongings.leaves().drafts).toBeNull()
})

test('a window that opens at a sheet’s page address, such as #/notices, shows the sheet over Overview', () => {
  expect(openPage('#/notices').shell.getState()).toMatchObject({ overlay: 'notices', place: { name: 'overview' } })
  expect(openPage('#/keys').shell.getState()).toMatchObject({ overlay: null, place: { name: 'keys' } })
})
