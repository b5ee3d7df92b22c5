import { expect, test } from 'vitest'
import { gateRequests, mayRequest } from './page-gates.ts'

const practice = 'ws://127.0.0.1:40123'

test.each([
  'app://bundle/index.html',
  'app://bundle/assets/index.js',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'wss://relay.walletconnect.org/?auth=x&projectId=y',
  'ws://127.0.0.1:40123/?auth=x',
])('the app lets its pages request %s', (url) => {
  expect(mayRequest(url, practice, null)).toBe(true)
})

test.each([
  'https://relay.walletconnect.org/',
  'ws://relay.walletconnect.org/',
  'wss://relay.walletconnect.org:444/',
  'wss://relay.walletconnect.org.evil.test/',
  'wss://data@relay.walletconnect.org/',
  'ws://127.0.0.1:40124/',
  'http://127.0.0.1:40123/',
  'https://example.org/',
  'file:///etc/hostname',
  'blob:app://bundle/1',
  'devtools://devtools/bundled/inspector.html',
  'chrome://version/',
  'http://localhost:5173/',
  '',
])('the app does not let its pages request %s [V7]', (url) => {
  expect(mayRequest(url, practice, null)).toBe(false)
})

test('while practice mode is closed, a page of the app may not connect to the wallet relay of practice mode', () => {
  expect(mayRequest(`${practice}/`, null, null)).toBe(false)
})

test('in development, the app’s pages may request the dev server and the developer tools, and no other server', () => {
  const dev = 'http://localhost:5173'
  for (const url of [`${dev}/main.tsx`, 'ws://localhost:5173/?token=x', 'devtools://devtools/bundled/inspector.html'])
    expect(mayRequest(url, null, dev)).toBe(true)
  for (const url of ['http://localhost:5174/', 'https://localhost:5173/']) expect(mayRequest(url, null, dev)).toBe(false)
})

test('the app checks every request of a page, and compares it with the practice relay’s current address [V7]', () => {
  let relay: string | null = null
  const asked: unknown[] = []
  let listener: ((details: { url: string }, decide: (answer: unknown) => void) => void) | null = null
  const session = {
    webRequest: {
      onBeforeRequest: (...given: unknown[]) => {
        // The app must register its check without a URL filter, so that the check covers every address.
        expect(given).toHaveLength(1)
        listener = given[0] as typeof listener
      },
    },
  }
  gateRequests(session as never, { practiceRelay: () => relay, devServer: null })
  const ask = (url: string) => listener?.({ url }, (answer) => asked.push(answer))
  ask(`${practice}/`)
  relay = practice
  ask(`${practice}/`)
  expect(asked).toEqual([{ cancel: true }, { cancel: false }])
})
