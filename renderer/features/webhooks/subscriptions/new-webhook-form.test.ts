import { expect, test } from 'vitest'
import { initialNewWebhook, readNewWebhook, toggleEvent } from './new-webhook-sheet.tsx'

const url = 'https://bots.example/in'

test('the form for a new webhook starts with the service’s two default events [HOOK-02]', () => {
  expect(readNewWebhook({ ...initialNewWebhook, url }, false).request).toEqual({ url, events: ['transaction.confirmed', 'transaction.reverted'] })
})

test('the form for a new webhook sends only * while the user chooses all events, and sends the ticked events again afterwards [HOOK-02]', () => {
  const ticked = { url, every: true, events: toggleEvent(initialNewWebhook.events, 'liquidation', true) }
  expect(readNewWebhook(ticked, false).request?.events).toEqual(['*'])
  expect(readNewWebhook({ ...ticked, every: false }, false).request?.events).toEqual(['transaction.confirmed', 'transaction.reverted', 'liquidation'])
})

test('the form for a new webhook sends nothing with a bad URL or without an event, and says why [HOOK-01] [HOOK-02]', () => {
  expect(readNewWebhook({ ...initialNewWebhook, url: 'http://bots.example' }, false)).toMatchObject({ url: ['urlHttps'], request: null })
  expect(readNewWebhook({ url, every: false, events: [] }, false)).toMatchObject({ url: null, events: expect.stringContaining('at least one'), request: null })
  const local = { ...initialNewWebhook, url: 'http://127.0.0.1:4000/hooks' }
  expect([readNewWebhook(local, false).request, readNewWebhook(local, true).loopback]).toEqual([null, true])
})
