import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest'
import { call, keyCredential, open, read, testClient } from '../../../e2e/support/api/client.ts'
import { json, startService, type TestService } from '../../../e2e/support/api/service.ts'
import { systemClock } from '../../../shared/time.ts'
import { forBots } from '../transport/api-client.ts'
import { createDispatchers } from '../transport/dispatcher.ts'

let service: TestService
/** The responses that the service holds back. */
let held: ServerResponse[]

beforeEach(async () => {
  service = await startService()
  held = []
})
afterEach(() => service.close())

function startClient() {
  const { dispatcher, botDispatcher } = createDispatchers(new URL(service.hostUrl), { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined })
  const { api } = testClient(service.hostUrl, dispatcher, systemClock, () => undefined, botDispatcher)
  onTestFinished(() => api.close())
  const ofBot = (mayGo = () => true) => ({
    ...{ endpoint: read, target: '/api/dex/v1/markets', credential: keyCredential, requestId: null, deadlineMs: 10_000, mayGo },
  })
  return { api, ofBot }
}

test('bots with open streams and calls without an answer delay no call of the app [LIM-01]', async () => {
  const { api, ofBot } = startClient()
  service.answer = ({ path, headers }, response) => {
    if (path === '/api/dex/config') return json(response, 200, { success: true })
    if (headers.accept === 'text/event-stream') return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': open\n\n')
    held.push(response)
  }
  const listener = { onChunk: () => undefined, onEnd: () => undefined }
  const streams = await Promise.all(Array.from({ length: 4 }, () => api.forwardStream(ofBot(), listener)))
  expect(streams.map(({ kind }) => kind)).toEqual(Array(4).fill('open'))
  const calls = Array.from({ length: 9 }, () => api.forward({ ...ofBot(), body: null }))
  await expect.poll(() => held.length).toBe(4)
  expect(await call(api, open, { deadlineMs: 2_000 })).toMatchObject({ ok: true })
  service.answer = (_request, response) => json(response, 200, { success: true })
  for (const response of held) json(response, 200, { success: true })
  expect((await Promise.all(calls)).map(({ kind }) => kind)).toEqual(Array(9).fill('answer'))
})

test('a bot’s call that still waits for others is not sent once the bot may not act', async () => {
  const { api, ofBot } = startClient()
  service.answer = (_request, response) => void held.push(response)
  let isPaused = false
  const calls = Array.from({ length: 6 }, () => api.forward({ ...ofBot(() => !isPaused), body: null }))
  await expect.poll(() => held.length).toBe(4)
  isPaused = true
  for (const response of held.splice(0)) json(response, 200, { success: true })
  const answers = await Promise.all(calls)
  expect(answers.filter(({ kind }) => kind === 'answer')).toHaveLength(4)
  expect(answers.filter((answer) => answer.kind === 'unsent' && answer.why === 'stopped')).toHaveLength(2)
  expect(service.received).toHaveLength(4)
})

test('a bot’s call is not sent if the bot is paused while the call waits for its connection', async () => {
  const { api, ofBot } = startClient()
  // The bot is paused after the last question before the call gets a connection: it is asked as it is admitted, and as its turn comes.
  let asked = 0
  const mayGo = () => {
    asked += 1
    return asked <= 2
  }
  expect(await api.forward({ ...ofBot(mayGo), body: null })).toEqual({ kind: 'unsent', why: 'stopped' })
  expect(service.received).toEqual([])
})

test('a bot’s 429 holds back no call of the app, neither from a passed-on call nor from a read for its limits [LIM-02]', async () => {
  const { api, ofBot } = startClient()
  let isLimited = true
  service.answer = (_request, response) => {
    if (!isLimited) return json(response, 200, { success: true, markets: [] })
    response.setHeader('retry-after', '30')
    json(response, 429, { success: false, error: { code: 'RATE_LIMITED' } })
  }
  expect(await api.forward({ ...ofBot(), body: null })).toMatchObject({ kind: 'answer', status: 429 })
  expect(await call(forBots(api), read, { deadlineMs: 500 })).toMatchObject({ ok: false, failure: { failure: { kind: 'rate_limited' } } })
  isLimited = false
  const started = performance.now()
  expect(await call(api, read, { deadlineMs: 2_000 })).toMatchObject({ ok: true })
  expect(performance.now() - started).toBeLessThan(2_000)
})

test('no part of a key reaches a bot over a stream, however the key is cut into chunks [AUTH-09]', async () => {
  const { api, ofBot } = startClient()
  const key = keyCredential.apiKey.reveal()
  for (let cut = 1; cut < key.length; cut += 1) {
    const { promise: ended, resolve: end } = Promise.withResolvers<void>()
    const parts: string[] = []
    service.answer = (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(`data: before ${key.slice(0, cut)}`)
      setTimeout(() => response.write(`${key.slice(cut)}\n\ndata: after\n\n`), 2)
    }
    const stream = await api.forwardStream(ofBot(), { onChunk: (part) => void parts.push(part.toString()), onEnd: end })
    expect(stream.kind).toBe('open')
    await ended
    expect(parts.join('')).toBe('data: before ')
  }
}, 30_000)

test('the end of a stream that only looks like the beginning of a key reaches the bot', async () => {
  const { api, ofBot } = startClient()
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  const parts: string[] = []
  service.answer = (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.end(`data: ${keyCredential.apiKey.reveal().slice(0, 3)}`)
  }
  await api.forwardStream(ofBot(), { onChunk: (part) => void parts.push(part.toString()), onEnd: end })
  await ended
  expect(parts.join('')).toBe(`data: ${keyCredential.apiKey.reveal().slice(0, 3)}`)
})

test('a bot’s close or cancel does not wait for a pause that the service asked of all; its other calls do [LIM-02]', async () => {
  const { api, ofBot } = startClient()
  service.answer = (_request, response) => {
    response.setHeader('retry-after', '30')
    json(response, 429, { success: false, error: { code: 'RATE_LIMITED' } })
  }
  expect(await call(api, read, { deadlineMs: 500 })).toMatchObject({ ok: false, failure: { failure: { kind: 'rate_limited' } } })
  service.answer = (_request, response) => json(response, 200, { success: true, markets: [] })
  expect(await api.forward({ ...ofBot(), deadlineMs: 500, body: null })).toMatchObject({ kind: 'unsent', why: 'waiting' })
  expect(await api.forward({ ...ofBot(), deadlineMs: 500, isExit: true, body: null })).toMatchObject({ kind: 'answer', status: 200 })
})
