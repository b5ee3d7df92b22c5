import { expect, test } from 'vitest'
import { createStarts, linkedPage, plainWords, readStartWords } from './app-start.ts'

test.each([
  ['svcdesk://open/keys', '/keys'],
  ['svcdesk://open/overview/', '/overview'],
  ['svcdesk://open/stop', '/trade/stop'],
])('a link of the app opens a page that links may open: %s', (link, page) => {
  expect(linkedPage(link)).toBe(page)
})

test.each([
  'svcdesk://open/',
  'svcdesk://open/keys/new',
  'svcdesk://open/keys?label=x',
  'svcdesk://open/keys#x',
  'svcdesk://open/toString',
  'svcdesk://open/constructor',
  'svcdesk://open/KEYS',
  'svcdesk://open/../keys',
  'svcdesk://open/keys\n',
  'svcdesk://send/keys',
  'svcdesk://user@open/keys',
  'svcdesk:open/keys',
  ' svcdesk://open/keys',
  'SVCDESK://open/keys',
  'wc:7f6e504bfad60b485450578e05678ed3e8e8c4751d3c6160be17160d63ec90f9@2?relay-protocol=irn',
  'https://open/keys',
  '',
])('the app ignores every link to anything but the listed pages: %j', (link) => {
  expect(linkedPage(link)).toBeNull()
})

test('the app reads the options of its command line, and treats everything after the separator -- as links, never as options', () => {
  expect(readStartWords(['svc-desk-app'])).toEqual({ hidden: false, lock: false, page: null })
  expect(readStartWords(['svc-desk-app', '--hidden'])).toEqual({ hidden: true, lock: false, page: null })
  expect(readStartWords(['svc-desk-app', '--lock-now'])).toMatchObject({ lock: true })
  expect(readStartWords(['svc-desk-app', '--stop-everything']).page).toBe('/trade/stop')
  expect(readStartWords(['svc-desk-app', '--practice']).page).toBe('/connect')
  expect(readStartWords(['svc-desk-app', '--', 'svcdesk://open/keys']).page).toBe('/keys')
  expect(readStartWords(['svc-desk-app', '--', '--lock-now', '--stop-everything', '--hidden'])).toEqual({ hidden: false, lock: false, page: null })
  expect(readStartWords(['svc-desk-app', 'svcdesk://open/nothing']).page).toBeNull()
})

test('when the app restarts, its new command line contains the data folder’s option, but no action from the first command line', () => {
  expect(plainWords(['svc-desk-app', '--user-data-dir=/x', '--hidden', '--lock-now', '--restarted-after=e-00000000', '--', 'svcdesk://open/keys'])).toEqual([
    '--user-data-dir=/x',
  ])
})

test('the app keeps command lines that arrive before it is ready, and handles them once it is ready', () => {
  const starts = createStarts()
  const seen: (readonly string[])[] = []
  starts.give(['a'])
  starts.give(['b'])
  starts.take((argv) => seen.push(argv))
  starts.give(['c'])
  expect(seen).toEqual([['a'], ['b'], ['c']])
})
