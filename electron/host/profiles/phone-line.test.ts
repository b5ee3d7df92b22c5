import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { PhoneState } from '../../../shared/ipc/host/wallet.ts'
import { sleep } from '../../kernel/deadline.ts'
import { createPhoneLine, type PhoneLine } from '../desktop/phone-switch.ts'

const state: PhoneState = { nowMs: 1, address: '0xaa', chainId: 8453, usdc: '1000', sessions: [], requests: [], recent: [], relay: 'up' }

let server: Server
let line: PhoneLine
let revision: number
let changes: number
let waiting: ServerResponse[]
let asked: { method: string | undefined; url: string | undefined; authorization: string | undefined; body: string }[]

beforeEach(async () => {
  revision = 1
  changes = 0
  waiting = []
  asked = []
  server = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => {
      body += chunk.toString()
    })
    request.on('end', () => {
      asked.push({ method: request.method, url: request.url, authorization: request.headers.authorization, body })
      response.setHeader('content-type', 'application/json')
      if (request.url === `/state?since=${revision}`) waiting.push(response)
      else if (request.url?.startsWith('/state')) response.end(JSON.stringify({ revision, state }))
      else if (request.url === '/requests/gone/approve') response.writeHead(404).end('{}')
      else response.end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const phoneUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  line = createPhoneLine({
    descriptor: { phoneUrl, token: 'tok' },
    dispatcher: async () => new Agent(),
    sleep,
    onChange: () => {
      changes += 1
    },
  })
})
afterEach(async () => {
  line.hangUp()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
})

test('the main process reports each change of the practice phone’s state, and then waits for the next change', async () => {
  await expect.poll(() => waiting.length).toBe(1)
  expect(changes).toBe(1)
  revision = 2
  waiting.pop()?.end(JSON.stringify({ revision, state }))
  await expect.poll(() => waiting.length).toBe(1)
  expect(changes).toBe(2)
  expect(asked.every(({ authorization }) => authorization === 'Bearer tok')).toBe(true)
})

test('the main process reconnects to the practice phone after their connection was cut', async () => {
  await expect.poll(() => waiting.length).toBe(1)
  waiting.pop()?.destroy()
  await expect.poll(() => waiting.length, { timeout: 5_000 }).toBe(1)
})

test('the main process reads the practice phone’s state, approves and rejects requests on it, and pairs it with the app', async () => {
  expect(await line.state()).toEqual({ ok: true, value: state })
  expect(await line.approve('r/1')).toEqual({ ok: true, value: {} })
  expect(await line.reject('r2')).toEqual({ ok: true, value: {} })
  expect(await line.pair('wc:abc@2')).toEqual({ ok: true, value: {} })
  expect(await line.approve('gone')).toEqual({ ok: false, failure: { kind: 'not_found', what: 'request' } })
  expect(asked.filter(({ method }) => method === 'POST').map(({ url, body }) => [url, body])).toEqual([
    ['/requests/r%2F1/approve', '{}'],
    ['/requests/r2/reject', '{}'],
    ['/pair', '{"uri":"wc:abc@2"}'],
    ['/requests/gone/approve', '{}'],
  ])
})

test('if the practice phone no longer responds, the main process reports that practice mode failed', async () => {
  line.hangUp()
  expect(await line.state()).toMatchObject({ ok: false, failure: { kind: 'practice_failed', part: 'wallet' } })
  expect(await line.pair('wc:abc@2')).toMatchObject({ ok: false, failure: { kind: 'practice_failed', part: 'wallet' } })
})
