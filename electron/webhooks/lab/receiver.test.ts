import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { networkInterfaces } from 'node:os'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../shared/time.ts'
import { signedHeaders } from '../verifier/delivery.ts'
import { verifyDelivery } from '../verifier/verify.ts'
import { openReceiver, type Received, type ReceiverAnswer, type ReceiverDeps, type ReceiverLimits } from './receiver.ts'

const secret = 'svc_whsec_0f1e2d3c4b5a69788796a5b4c3d2e1f0'
const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function open(limits: Partial<ReceiverLimits> = {}, more: Pick<ReceiverDeps, 'hosts' | 'astray'> = {}) {
  const received: Received[] = []
  const answer = { status: 200, delayMs: 0 }
  const opened = await openReceiver({
    port: 0,
    path: '/in',
    limits,
    answer: (): ReceiverAnswer => answer,
    received: (one) => received.push(one),
    clock: systemClock,
    ...more,
  })
  if (!opened.ok) throw new Error(opened.failure)
  ends.push(opened.value.close)
  return { ...opened.value, received, answer }
}

async function dial(port: number, host = '127.0.0.1') {
  const socket = connect({ port, host, allowHalfOpen: true })
  let said = ''
  socket.on('data', (chunk) => {
    said += chunk.toString('latin1')
  })
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve())
    socket.once('end', () => resolve())
  })
  ends.push(() => void socket.destroy())
  await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject))
  socket.on('error', () => undefined)
  return { socket, said: () => said, ended }
}
const statusOf = (said: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(said)?.[1] ?? 0)
async function raw(port: number, text: string | Uint8Array): Promise<number> {
  const { socket, said, ended } = await dial(port)
  socket.write(text)
  await Promise.race([ended, once(socket, 'data')])
  socket.destroy()
  return statusOf(said())
}

const event = Buffer.from('{ "id" : "evt_1","type":"order.filled","created_at":1800000000, "data":{"note":"größe ✓"}}\n')
const headersOf = (body: Uint8Array) => signedHeaders({ id: 'evt_1', type: 'order.filled', body, secret, timestampS: 1_800_000_002 })
const deliver = async (url: string, body: Uint8Array = event) =>
  (await fetch(url, { method: 'POST', headers: headersOf(body), body: Buffer.from(body) })).status

const patient = { timeout: 10_000 }

test('the receiver lab keeps a delivery’s bytes and five webhook headers exactly, verifies the delivery, and ignores a repeated header [HOOK-05] [HOOK-06]', async () => {
  const { url, port, received } = await open()
  expect(url).toBe(`http://127.0.0.1:${port}/in`)
  expect(await deliver(url)).toBe(200)
  const [one] = received
  expect(Buffer.from(one?.delivery.body ?? []).equals(event)).toBe(true)
  expect(Object.keys(one?.delivery.headers ?? {}).sort()).toEqual([
    'content-type',
    'user-agent',
    'x-svc-event',
    'x-svc-event-id',
    'x-svc-signature',
    'x-svc-timestamp',
  ])
  const delivery = one?.delivery ?? { headers: {}, body: event }
  expect(verifyDelivery(delivery, { secret, nowMs: 1_800_000_002_000 })).toMatchObject({ valid: true })
  expect(await one?.answered).toEqual({ status: 200, delayMs: 0, ms: expect.any(Number), sent: true })

  const chunks = [...event].map((byte) => Buffer.concat([Buffer.from('1\r\n'), Buffer.of(byte), Buffer.from('\r\n')]))
  const head = (extra: string) =>
    `POST /in?from=tunnel HTTP/1.1\r\nHost: x\r\n${Object.entries(headersOf(event))
      .map(([name, value]) => `${name}: ${value}\r\n`)
      .join('')}${extra}`
  expect(await raw(port, Buffer.concat([Buffer.from(head('Transfer-Encoding: chunked\r\n\r\n')), ...chunks, Buffer.from('0\r\n\r\n')]))).toBe(200)
  expect(Buffer.from(received[1]?.delivery.body ?? []).equals(event)).toBe(true)
  expect(await raw(port, Buffer.concat([Buffer.from(head(`X-Svc-Signature: v1=00\r\nContent-Length: ${event.length}\r\n\r\n`)), event]))).toBe(200)
  const doubled = received[2]?.delivery ?? delivery
  expect(verifyDelivery(doubled, { secret, nowMs: 1_800_000_002_000 })).toMatchObject({ valid: false, step: 'headers' })
})

test('the receiver lab answers with the status and delay that the user chose, and reports if the sender did not wait [HOOK-08]', async () => {
  const { url, port, received, answer } = await open()
  expect(await raw(port, 'GET /in HTTP/1.1\r\nHost: x\r\n\r\n')).toBe(405)
  expect(await raw(port, 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n')).toBe(404)
  expect(received).toEqual([])
  answer.status = 503
  expect(await deliver(url)).toBe(503)
  Object.assign(answer, { status: 202, delayMs: 300 })
  const from = performance.now()
  expect(await deliver(url)).toBe(202)
  expect(performance.now() - from).toBeGreaterThanOrEqual(295)
  answer.delayMs = 60_000
  const { socket } = await dial(port)
  socket.write(`POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}`)
  await expect.poll(() => received.length, patient).toBe(3)
  socket.destroy()
  expect(await received[2]?.answered).toEqual({ status: 202, delayMs: 60_000, ms: expect.any(Number), sent: false })
})

test('the receiver lab accepts a body of 1 MiB and answers 413 for one byte more, with or without a Content-Length', async () => {
  const { url, port, received } = await open()
  const mebibyte = 1_048_576
  expect(await deliver(url, Buffer.alloc(mebibyte, 0x20))).toBe(200)
  expect(await deliver(url, Buffer.alloc(mebibyte + 1, 0x20))).toBe(413)
  const chunked = Buffer.concat([
    Buffer.from(`POST /in HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${(mebibyte + 1).toString(16)}\r\n`),
    Buffer.alloc(mebibyte + 1, 0x20),
    Buffer.from('\r\n0\r\n\r\n'),
  ])
  expect(await raw(port, chunked)).toBe(413)
  // The request's headers announce a large body, but the test never sends the body.
  expect(await raw(port, 'POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999999\r\n\r\n')).toBe(413)
  expect(received.map(({ delivery }) => delivery.body.length)).toEqual([mebibyte])
})

async function trickle(port: number, head: string): Promise<string> {
  const { socket, said, ended } = await dial(port)
  socket.write(head)
  const timer = setInterval(() => socket.write('a'), 20)
  await ended
  clearInterval(timer)
  return said()
}

test('the receiver lab answers 408 to a sender that is slow with headers or body, and serves other senders in the meantime', async () => {
  const { url, port, received } = await open({ headersMs: 400, requestMs: 800 })
  const slow = [trickle(port, 'POST /in HTTP/1.1\r\nHost: x\r\nX-Slow: '), trickle(port, 'POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n')]
  expect(await deliver(url)).toBe(200)
  expect((await Promise.all(slow)).map(statusOf)).toEqual([408, 408])
  expect(received).toHaveLength(1)
  const silent = await dial(port)
  await silent.ended
  expect(await deliver(url)).toBe(200)
})

test('the receiver lab serves 1,000 connections at once; if more arrive, it closes those that have waited longest to complete a request [V15]', async () => {
  const { url, port, received } = await open({ headersMs: 60_000, requestMs: 60_000 })
  const connections: Awaited<ReturnType<typeof dial>>[] = []
  while (connections.length < 1_000) connections.push(...(await Promise.all(Array.from({ length: 100 }, () => dial(port)))))
  // Each connection sends only its request headers, so no request is complete.
  for (const { socket } of connections) socket.write(`POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: ${event.length}\r\n\r\n`)
  const whole = Buffer.concat([Buffer.from(`POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: ${event.length}\r\n\r\n`), event])
  const late = await Promise.all(Array.from({ length: 50 }, () => raw(port, whole)))
  expect(late).toEqual(Array.from({ length: 50 }, () => 200))
  expect(received).toHaveLength(50)
  await Promise.all(connections.slice(0, 1).map(({ ended }) => ended))
  const left = connections.slice(50)
  const answers = left.map(({ socket }: { readonly socket: Socket }) => once(socket, 'data'))
  for (const { socket } of left) socket.write(event)
  await Promise.all(answers)
  expect(left.filter(({ said }) => statusOf(said()) === 200)).toHaveLength(950)
  expect(received).toHaveLength(1_000)
  for (const { socket } of connections) socket.destroy()
  await expect.poll(() => deliver(url).catch(() => 0), patient).toBe(200)
})

test('the receiver lab refuses requests from web pages and stores nothing from them, regardless of their Host header [V15]', async () => {
  const astray: string[] = []
  const { port, received } = await open({}, { astray: (path) => astray.push(path) })
  const send = (headers: string, path = '/in') => raw(port, `POST ${path} HTTP/1.1\r\n${headers}Content-Length: 2\r\n\r\n{}`)
  expect(await send('Host: x\r\nOrigin: https://evil.example\r\n')).toBe(403)
  expect(await send('Host: x\r\nOrigin: null\r\n')).toBe(403)
  expect(await send(`Host: 127.0.0.1:${port}\r\nSec-Fetch-Site: cross-site\r\n`, '/elsewhere')).toBe(403)
  expect(received).toEqual([])
  expect(astray).toEqual([])
})

test('once the tunnel’s host is known, the receiver lab accepts only deliveries addressed to this computer or to the tunnel [V15]', async () => {
  const astray: string[] = []
  const { port, received } = await open({}, { hosts: ['bots.example'], astray: (path) => astray.push(path) })
  const send = (host: string) => raw(port, `POST /in HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 2\r\n\r\n{}`)
  for (const host of ['bots.example', 'bots.example:443', 'BOTS.example', `127.0.0.1:${port}`, 'localhost', '[::1]:80'])
    expect(await send(host), host).toBe(200)
  expect(received).toHaveLength(6)
  for (const host of ['evil.example', 'bots.example.evil.example', 'evil.example:80', '10.0.0.1', 'a b']) expect([400, 421], host).toContain(await send(host))
  expect(received).toHaveLength(6)
  expect(astray).toContain('//evil.example/in')
})

function held(): number {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  return (heapUsed + arrayBuffers) / 2 ** 20
}

test('the receiver lab limits the total size of the bodies that it is reading, answers 503 beyond the limit, and does not buffer the excess', async () => {
  const { url, port, received } = await open({ bodies: 8 * 2 ** 20, requestMs: 60_000 })
  const part = Buffer.alloc(1_000_000, 0x20)
  const before = held()
  const connections: Awaited<ReturnType<typeof dial>>[] = []
  for (let n = 0; n < 400; n += 1) {
    const connection = await dial(port)
    connection.socket.write(`POST /in HTTP/1.1\r\nHost: x\r\nContent-Length: ${part.length + 1}\r\n\r\n`)
    await new Promise((resolve) => connection.socket.write(part, resolve))
    connections.push(connection)
  }
  await expect.poll(() => connections.filter(({ said }) => statusOf(said()) === 503).length, patient).toBeGreaterThanOrEqual(392)
  // The test sent 400 MB. The garbage collector may free the buffers a little later than their requests.
  await expect.poll(() => held() - before, patient).toBeLessThan(32)
  expect(received).toHaveLength(0)
  for (const { socket } of connections) socket.destroy()
  await expect.poll(() => deliver(url, part), patient).toBe(200)
})

const post = 'POST /in HTTP/1.1\r\nHost: x\r\n'
test.each([
  [400, 'no HTTP at all\r\n\r\n'],
  [400, Buffer.from('160301020001000001fc0303', 'hex')],
  [400, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  [400, 'POST /in HTTP/9.9\r\nHost: x\r\n\r\n'],
  [400, 'POST /in HTTP/1.1\r\n\r\n'],
  [400, `${post}Content-Length: -1\r\n\r\n`],
  [400, `${post}Content-Length: 1\r\nContent-Length: 2\r\n\r\n{}`],
  [400, `${post}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`],
  [400, `${post}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
  [400, `${post}X-Nul: a\0b\r\n\r\n`],
  [400, `${post}No colon\r\n\r\n`],
  [431, `${post}X-Long: ${'a'.repeat(20_000)}\r\n\r\n`],
  [413, `${post}Transfer-Encoding: chunked\r\n\r\n2;${'a'.repeat(20_000)}\r\n{}\r\n`],
  [404, 'POST http://elsewhere.example/in/../other HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n'],
  [0, 'CONNECT elsewhere.example:443 HTTP/1.1\r\nHost: x\r\n\r\n'],
  [405, 'GET /in HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
] as const)('the receiver lab answers a malformed request with %i and keeps receiving deliveries (%#)', async (status, request) => {
  const { url, port, received } = await open()
  expect(await raw(port, request)).toBe(status)
  expect(await deliver(url)).toBe(200)
  expect(received).toHaveLength(1)
})

test('the receiver lab discards the partial request of a sender that disconnects, and reports a port in use', async () => {
  const { url, port, received } = await open({ bodies: 8_192 })
  for (let n = 0; n < 20; n += 1) {
    const { socket } = await dial(port)
    await new Promise((resolve) => socket.write(`${post}Content-Length: 4000\r\n\r\nhalf`, resolve))
    socket.resetAndDestroy()
  }
  await expect.poll(() => deliver(url), patient).toBe(200)
  expect(received).toHaveLength(1)
  const second = await openReceiver({ port, path: '/in', answer: () => ({ status: 200, delayMs: 0 }), received: () => undefined, clock: systemClock })
  expect(second).toEqual({ ok: false, failure: 'EADDRINUSE' })
})

test('the receiver lab listens on 127.0.0.1 only', async () => {
  const { port } = await open()
  const others = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ address, family }) => family === 'IPv4' && address !== '127.0.0.1')
    .map(({ address }) => address)
  for (const host of ['127.0.0.2', '::1', ...others]) await expect(dial(port, host), host).rejects.toThrow(/ECONNREFUSED|EADDRNOTAVAIL|ENETUNREACH/)
  expect((await dial(port)).socket.remoteAddress).toBe('127.0.0.1')
})
