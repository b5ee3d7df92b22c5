import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type Authority, createAuthority } from '../../../e2e/support/api/authority.ts'
import { call, keyCredential, read, testClient } from '../../../e2e/support/api/client.ts'
import { startProxy, startSocksProxy, type TestProxy } from '../../../e2e/support/api/proxy.ts'
import { startService, type TestService } from '../../../e2e/support/api/service.ts'
import { createPostJson } from '../../wallet/chain/rpc.ts'
import { createDispatcher, createOpenDispatcher } from './dispatcher.ts'

const script = join(import.meta.dirname, '../../../e2e/support/api/call-as-the-app.ts')
const hidden = 'exchange.test'

let authority: Authority
let service: TestService
let proxy: TestProxy

beforeAll(() => {
  authority = createAuthority()
})
afterAll(() => authority.remove())
beforeEach(async () => {
  service = await startService(authority.issue('localhost', hidden))
  proxy = await startProxy(portOfService)
})
afterEach(async () => {
  await proxy.close()
  await service.close()
})

const portOfService = () => Number(new URL(service.hostUrl).port)
/** Runs a test case in its own process with only these environment variables, because Node reads certificate authorities only at its start. */
async function asTheApp(hostUrl: string, env: Record<string, string>, deadlineMs = 1_500): Promise<unknown> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', script, hostUrl, String(deadlineMs)], {
    env: { PATH: process.env.PATH, ...env },
  })
  return JSON.parse(stdout)
}
const trusted = () => ({ SSL_CERT_FILE: authority.file })
const throughProxy = (name = 'HTTPS_PROXY', user = '') => ({ ...trusted(), [name]: `http://${user}127.0.0.1:${proxy.port}` })
const asked = () => service.received.map(({ method, path }) => `${method} ${path}`)
const all = ['GET /api/dex/v1/markets', 'POST /api/dex/v1/orders/prepare', 'POST /rpc']
const unreachable = (reason: string) => ({ failure: { kind: 'unreachable', reason }, sent: 'no' })

test.each(['NODE_EXTRA_CA_CERTS', 'SSL_CERT_FILE'])(
  'the app trusts a server’s certificate if Node or the system knows its certificate authority (%s)',
  async (name) => {
    expect(await asTheApp(service.hostUrl, { [name]: authority.file })).toEqual([200, 200, 200])
    expect(asked()).toEqual(all)
  },
)

test('the app sends nothing to a server with a certificate of an unknown authority or for another host', async () => {
  const refused = [unreachable('tls'), unreachable('tls'), 'lost']
  expect(await asTheApp(service.hostUrl, {})).toMatchObject(refused)
  await service.close()
  service = await startService(authority.issue('another.test'))
  expect(await asTheApp(service.hostUrl, trusted())).toMatchObject(refused)
  expect(asked()).toEqual([])
})

test.each(['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY', 'HTTP_PROXY'])(
  'the app uses the proxy from %s, and reveals only the service’s host to the proxy',
  async (name) => {
    expect(await asTheApp(`https://${hidden}`, throughProxy(name))).toEqual([200, 200, 200])
    expect(asked()).toEqual(all)
    expect(new Set(proxy.tunnels.map(({ target }) => target))).toEqual(new Set([`${hidden}:443`]))
    expect(service.received[0]?.headers['x-svc-api-key']).toBe(keyCredential.apiKey.reveal())
    const passed = proxy.passed().toString('latin1')
    expect(passed).toContain(hidden)
    expect(passed).not.toContain(keyCredential.apiKey.reveal())
    expect(passed).not.toContain('/markets')
  },
)

test('the app sends the proxy’s user name and password to the proxy only, never to the service', async () => {
  expect(await asTheApp(`https://${hidden}`, throughProxy('HTTPS_PROXY', 'ann:p%40ss@'))).toEqual([200, 200, 200])
  expect(proxy.tunnels[0]?.authorization).toBe(`Basic ${Buffer.from('ann:p@ss').toString('base64')}`)
  for (const { headers } of service.received) expect(headers).not.toHaveProperty('proxy-authorization')
})

test('the app checks a proxy reached over TLS against the same certificate authorities as the service', async () => {
  const secure = await startProxy(portOfService, authority.issue('localhost'))
  const strange = await startProxy(portOfService, authority.issue('another.test'))
  try {
    expect(await asTheApp(`https://${hidden}`, { ...trusted(), HTTPS_PROXY: `https://localhost:${secure.port}` })).toEqual([200, 200, 200])
    expect(secure.tunnels[0]?.target).toBe(`${hidden}:443`)
    expect(await asTheApp(`https://${hidden}`, { ...trusted(), HTTPS_PROXY: `https://localhost:${strange.port}` })).toMatchObject([
      { sent: 'no' },
      { sent: 'no' },
      'lost',
    ])
    expect(strange.tunnels).toEqual([])
  } finally {
    await secure.close()
    await strange.close()
  }
})

test('the app lets a SOCKS5 proxy resolve the host name', async () => {
  const socks = await startSocksProxy(portOfService)
  try {
    expect(await asTheApp(`https://${hidden}`, { ...trusted(), ALL_PROXY: `socks5://127.0.0.1:${socks.port}` })).toEqual([200, 200, 200])
    expect(new Set(socks.asked)).toEqual(new Set([`${hidden}:443`]))
  } finally {
    await socks.close()
  }
})

test.each([407, 502, 'silent'] as const)(
  'the app reports a change to the service as not sent if the proxy opens no connection to the service (%s)',
  async (refuse) => {
    proxy.refuse = refuse
    const reason = refuse === 'silent' ? 'timeout' : 'connect'
    expect(await asTheApp(`https://${hidden}`, throughProxy())).toMatchObject([unreachable(reason), unreachable(reason), 'lost'])
    expect(asked()).toEqual([])
  },
)

test('once a silent proxy answers again, the app’s calls through the proxy succeed without further delay', async () => {
  proxy.refuse = 'silent'
  const outcome = asTheApp(`https://${hidden}`, throughProxy(), 9_000)
  await expect.poll(() => proxy.tunnels.length, { timeout: 15_000 }).toBe(1)
  proxy.refuse = null
  expect(await outcome).toEqual([200, 200, 200])
  expect(asked()).toEqual(all)
})

test('the app uses no proxy for loopback or for hosts in NO_PROXY', async () => {
  const excepted = { ...throughProxy(), NO_PROXY: `other.test, .${hidden}` }
  expect(await asTheApp(`https://${hidden}`, excepted)).toMatchObject([unreachable('connect'), unreachable('connect'), 'lost'])
  expect(await asTheApp(service.hostUrl, throughProxy())).toEqual([200, 200, 200])
  expect(proxy.tunnels).toEqual([])
})

test('the app’s connection to the exchange’s host refuses requests to any other host', async () => {
  const [mine, other] = [await startService(), await startService()]
  const none = { httpProxy: undefined, httpsProxy: undefined, noProxy: undefined }
  const dispatcher = createDispatcher(new URL(mine.hostUrl), none)
  const open = createOpenDispatcher(none)
  const limits = { maxBytes: 4_096, deadlineMs: 1_500 }
  try {
    await expect(createPostJson(dispatcher)(`${other.hostUrl}/v2/key-of-the-user`, '{}', limits)).rejects.toThrow(`Not a request for ${mine.hostUrl}`)
    expect((await createPostJson(open)(`${other.hostUrl}/v2/key-of-the-user`, '{}', limits)).status).toBe(200)
    expect(await call(testClient(mine.hostUrl, dispatcher).api, read)).toMatchObject({ ok: true })
    expect([mine.received.map(({ path }) => path), other.received.map(({ path }) => path)]).toEqual([['/api/dex/v1/markets'], ['/v2/key-of-the-user']])
  } finally {
    await dispatcher.destroy()
    await open.destroy()
    await mine.close()
    await other.close()
  }
})
