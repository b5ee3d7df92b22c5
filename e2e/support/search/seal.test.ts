import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { expect, test } from 'vitest'
import { contentSecurityPolicy } from '../../../electron/host/desktop/page-gates.ts'
import { readSettings } from '../../host/session/settings.ts'
import { listen } from '../listener.ts'
import { root } from '../project.ts'
import { tryEveryExit } from './all-exits.ts'

const textOf = (name: string) => readFileSync(join(root, 'renderer', name), 'utf8')

test.each(['index.html', 'phone.html'])('the page %s loads the script seal.js, which keeps the page from sending data, before any other script', (name) => {
  expect([...textOf(name).matchAll(/<script[^>]*>/g)].map(([tag]) => tag)[0]).toBe('<script src="/seal.js">')
})

test('in a page in plain Chromium, the script seal.js and the content security policy block every way to send data [V7]', async () => {
  const profile = mkdtempSync(join(tmpdir(), 'svc-desk-seal-'))
  // Turns off connections that Chromium opens to hosts named by a page. Electron never opens them.
  mkdirSync(join(profile, 'Default'))
  writeFileSync(join(profile, 'Default/Preferences'), JSON.stringify({ net: { network_prediction_options: 2 } }))
  const web = createServer((request, answer) => {
    const script = request.url === '/seal.js'
    answer.setHeader('content-type', script ? 'text/javascript' : 'text/html').setHeader('content-security-policy', contentSecurityPolicy(null))
    answer.end(script ? textOf('public/seal.js') : '<!doctype html><script src="/seal.js"></script><body>')
  }).listen(0, '127.0.0.1')
  await once(web, 'listening')
  const listener = await listen()
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: readSettings(process.env).chromium,
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await context.newPage()
    await page.goto(`http://127.0.0.1:${(web.address() as AddressInfo).port}/`)
    const left = await page.evaluate(() => {
      const names = Object.getOwnPropertyNames(window).filter((name) => name.includes('RTC') && Reflect.get(window, name) !== undefined)
      const again = Reflect.defineProperty(window, 'RTCPeerConnection', { value: 1 }) || Reflect.deleteProperty(Document.prototype, 'createElement')
      return { names, again }
    })
    expect(left).toEqual({ names: [], again: false })
    // Plain Chromium allows navigation and new windows, which the app’s windows block. So this test ignores data sent in these two ways.
    await tryEveryExit(page, listener.port, 500).catch(() => undefined)
    expect(listener.arrived().filter((way) => !['window', 'location', '/favicon.ico', 'tcp'].includes(way))).toEqual([])
  } finally {
    await context.close()
    await listener.close()
    web.close()
    rmSync(profile, { recursive: true, force: true })
  }
})
