import { expect, test } from 'vitest'
import { gateRequests, mayRequest } from './request-gate.ts'

const practice = 'ws://127.0.0.1:40123'

test.each([
  'app://bundle/index.html',
  'app://bundle/assets/index.js',
  'data:image/gif;base64,R0lGODlhAQABAAAAACw=',
  'wss://relay.walletconnect.org/?auth=x&projectId=y',
  'ws://127.0.0.1:40123/?auth=x',
])('a page may ask for %s', (url) => {
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
])('a page may not ask for %s [V7]', (url) => {
  expect(mayRequest(url, practice, null)).toBe(false)
})

test('the practice relay is open only while practice is', () => {
  expect(mayRequest(`${practice}/`, null, null)).toBe(false)
})

test('in development the dev server and its tools may be asked, and no other server', () => {
  const dev = 'http://localhost:5173'
  for (const url of [`${dev}/main.tsx`, 'ws://localhost:5173/?token=x', 'devtools://devtools/bundled/inspector.html'])
    expect(mayRequest(url, null, dev)).toBe(true)
  for (const url of ['http://localhost:5174/', 'https://localhost:5173/']) expect(mayRequest(url, null, dev)).toBe(false)
})

test('the session asks for every request, and reads the relay of the moment [V7]', () => {
  let relay: string | null = null
  const asked: unknown[] = []
  let listener: ((details: { url: string }, decide: (answer: unknown) => void) => void) | null = null
  const session = {
    webRequest: {
      onBeforeRequest: (...given: unknown[]) => {
        // One parameter: no filter that would let an address pass unasked.
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
