import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createBundleResponder } from './bundle-file.ts'
import { contentSecurityPolicy } from './page-gates.ts'

let folder: string
let respond: (request: Request) => Promise<Response>

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-bundle-'))
  const root = join(folder, 'renderer')
  mkdirSync(join(root, 'assets'), { recursive: true })
  writeFileSync(join(root, 'index.html'), '<!doctype html>')
  writeFileSync(join(root, 'assets/main-1.js'), 'export {}')
  writeFileSync(join(root, 'assets/notes.txt'), 'not for pages')
  writeFileSync(join(folder, 'journal.json'), '"private"')
  mkdirSync(join(folder, 'renderer-other'))
  writeFileSync(join(folder, 'renderer-other/x.js'), 'private')
  respond = createBundleResponder({ root, policy: () => contentSecurityPolicy(null) })
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sets the URL after creating the `Request`, because `Request` would normalise the path that Chromium sends. */
const get = (url: string, method = 'GET') => respond(Object.defineProperty(new Request('https://x.test/', { method }), 'url', { value: url }))

test('the app serves its page with the content security policy and the right content type', async () => {
  for (const url of ['app://bundle/', 'app://bundle/index.html', 'app://bundle/index.html?x=1#/trade']) {
    const answer = await get(url)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('content-security-policy')).toBe(contentSecurityPolicy(null))
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect(await answer.text()).toBe('<!doctype html>')
  }
  expect((await get('app://bundle/assets/main-1.js')).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})

test.each([
  'app://bundle/../journal.json',
  'app://bundle/%2e%2e/journal.json',
  'app://bundle/..%2fjournal.json',
  'app://bundle/%2e%2e%2fjournal.json',
  'app://bundle/assets/..%2f..%2fjournal.json',
  'app://bundle/..\\journal.json',
  'app://bundle/..%5cjournal.json',
  'app://bundle/../renderer-other/x.js',
  'app://bundle//etc/passwd',
  'app://bundle/index.html%00.js',
  'app://bundle/%E0%A4%A',
  'app://bundle/assets',
  'app://bundle/assets/notes.txt',
  'app://bundle/missing.js',
  'app://other/index.html',
  'https://bundle/index.html',
])('the URL scheme of the app’s own pages serves no file for %s', async (url) => {
  const answer = await get(url)
  expect(answer.status).toBe(404)
  expect(await answer.text()).toBe('')
})

test('the app refuses a POST request to the URL scheme of its own pages', async () => {
  expect((await get('app://bundle/index.html', 'POST')).status).toBe(405)
})
