import { expect, test } from 'vitest'
import type { LabState } from '../../../../shared/ipc/webhooks/receiver-lab.ts'
import { firstSetup, readSetup } from './lab-setup-sheet.tsx'
import { goneWords, settingsWords } from './lab-words.ts'

const url = 'http://127.0.0.1:4807/deliveries'
const settings: NonNullable<LabState['settings']> = {
  ...{ webhookId: 'wh_1', webhookUrl: url, signed: true },
  ...{ port: 4_900, path: '/in', forwardTo: 'http://localhost:3000/hook?token=tok_1', answer: { kind: 'fixed', status: 503, delayS: 5 } },
}

test('the receiver lab’s form starts with the last settings; if their webhook is gone, it picks one with the same URL or none', () => {
  const before = firstSetup({ settings }, [{ id: 'wh_1', url }])
  const { signed, webhookUrl, ...request } = settings
  expect(readSetup(before)).toEqual({ issues: {}, request })
  expect(firstSetup({ settings }, [{ id: 'wh_2', url }])).toEqual({ ...before, webhookId: 'wh_2' })
  const without = firstSetup({ settings }, [{ id: 'wh_3', url: `${url}/other` }])
  expect(without).toEqual({ ...before, webhookId: '' })
  expect(readSetup(without)).toEqual({ issues: { webhookId: expect.any(String) }, request: null })
  expect(goneWords({ settings })).toContain(url)
})

test('the receiver lab’s form accepts a forwarding URL that the user types without http://', () => {
  const forwardTo = (typed: string) => readSetup({ ...firstSetup({ settings }, [{ id: 'wh_1', url }]), forwardTo: typed }).request?.forwardTo
  expect(forwardTo(' localhost:3000/hook ')).toBe('http://localhost:3000/hook')
  expect(forwardTo('[::1]:3000')).toBe('http://[::1]:3000')
  expect(forwardTo('HTTPS://localhost/hook')).toBe('HTTPS://localhost/hook')
  expect(forwardTo('  ')).toBeNull()
})

test('the app describes the receiver lab’s stored settings without the parts that may be secret, such as a URL’s query', () => {
  expect(settingsWords(settings)).toBe('forwarded to localhost:3000, answered 503 after 5 s')
  expect(settingsWords({ ...settings, answer: { kind: 'forwarded' } })).toBe('forwarded to localhost:3000, answered as the endpoint answers')
  expect(settingsWords({ ...settings, forwardTo: null, answer: { kind: 'fixed', status: 200, delayS: 0 } })).toBe('not forwarded, answered 200')
})
