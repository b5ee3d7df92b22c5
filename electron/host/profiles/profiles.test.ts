import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Agent } from 'undici'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createMemorySecretStore } from '../../../e2e/support/main/memory-secret-store.ts'
import type { Failure, PracticeUnavailable } from '../../../shared/ipc/failure.ts'
import type { PracticeDescriptor } from '../../../shared/practice.ts'
import { fail, ok, type Result } from '../../../shared/result.ts'
import { systemClock } from '../../../shared/time.ts'
import { openJournal, type SqliteJournal } from '../../store/journal/tables/sqlite-journal.ts'
import { createProfileStore } from '../../store/records/profile-store.ts'
import { raw } from '../../store/records/raw.ts'
import { openVault } from '../../store/secrets/vault.ts'
import type { ActiveProfile } from '../../workspace/workspace-switch.ts'
import { createHostProbe, createRpcAddresses } from './exchange-hosts.ts'
import type { PracticeProcess, PracticeState } from './practice-process.ts'
import { createProfiles } from './profiles.ts'

let folder: string
let journal: SqliteJournal
const servers: Server[] = []

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-desk-profiles-'))
  journal = openJournal({ file: join(folder, 'desk.db'), clock: systemClock })
})
afterEach(async () => {
  journal.close()
  rmSync(folder, { recursive: true, force: true })
  for (const server of servers.splice(0)) await new Promise((resolve) => server.close(resolve))
})

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener)
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const router = `0x${'ab'.repeat(20)}`
const theService: RequestListener = (request, response) => {
  if (request.url === '/api/dex/config') {
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ chain_id: 8453, contracts: { router } }))
    return
  }
  response.writeHead(401, { 'content-type': 'application/json', 'x-svc-api-version': 'v1', 'x-svc-api-schema': 'svc-dex-api-v1.1' })
  response.end(JSON.stringify({ success: false, error: { code: 'API_KEY_REQUIRED', message: 'key' } }))
}

const probe = createHostProbe({ clock: systemClock, version: '1.2.3', dispatcherFor: async () => new Agent() })

const descriptor: PracticeDescriptor = {
  hostUrl: 'http://127.0.0.1:1001',
  secondHostUrl: 'http://127.0.0.1:1002',
  rpcUrl: 'http://127.0.0.1:1003',
  relayUrl: 'ws://127.0.0.1:1004',
  phoneUrl: 'http://127.0.0.1:1005',
  token: 't',
  walletAddress: '0xaa',
  router,
  usdc: '0xbb',
  svc: '0xdd',
  hooksUrl: null,
}

function setUp({ practiceFails = false, secondHostUrl = descriptor.secondHostUrl, unavailable = null as PracticeUnavailable | null } = {}) {
  const events: string[] = []
  let state: PracticeState = { state: 'off' }
  const practice: PracticeProcess = {
    state: () => state,
    unavailable: () => unavailable,
    start: async () => {
      if (practiceFails) {
        state = { state: 'failed', part: 'chain', detail: 'anvil is missing' }
        return fail({ kind: 'practice_failed', part: 'chain', detail: 'anvil is missing' })
      }
      const running = { ...descriptor, secondHostUrl }
      state = { state: 'running', descriptor: running }
      return ok(running)
    },
    stop: async () => {
      events.push('practice stopped')
      state = { state: 'off' }
    },
  }
  const workspace = {
    open: async (profile: ActiveProfile): Promise<Result<void, Failure>> => {
      events.push(`open ${profile.kind} ${profile.kind === 'live' ? profile.hostUrl : profile.descriptor.hostUrl}`)
      return ok(undefined)
    },
    close: async () => void events.push('close'),
  }
  const secrets = createMemorySecretStore()
  const store = createProfileStore(journal.records)
  const rpcAddresses = createRpcAddresses(openVault({ journal, secrets, account: 'vault/desk' }).records)
  const profiles = createProfiles({
    store,
    rpcAddresses,
    practice,
    workspace,
    probe,
    clock: systemClock,
    pinnedRouter: () => null,
    secondHostChanged: (id, hostUrl) => events.push(`second ${id} ${hostUrl}`),
    eraseData: async (id) => {
      events.push(`erase ${id}`)
      return ok(undefined)
    },
    reload: () => events.push('reload'),
    showPhone: () => events.push('phone shown'),
    closePhone: () => events.push('phone closed'),
    pair: async (uri) => {
      events.push(`pair ${uri}`)
      return ok({})
    },
  })
  return { ...profiles, rpcUrl: rpcAddresses.of, store, events, secrets }
}

test('the app accepts an exchange’s address if its host refuses requests without a key as documented [GEN-01] [AUTH-02]', async () => {
  const asked: (string | undefined)[][] = []
  const hostUrl = await serve((request, response) => {
    asked.push([request.url, request.headers['x-svc-api-key'] as string | undefined, request.headers.authorization])
    theService(request, response)
  })
  expect(await probe(` ${hostUrl.toUpperCase()}/ `)).toEqual({
    ok: true,
    value: { hostUrl, apiVersion: 'v1', schema: 'svc-dex-api-v1.1', router, latencyMs: expect.any(Number) },
  })
  expect(asked).toEqual([
    ['/api/dex/v1/meta', undefined, undefined],
    ['/api/dex/config', undefined, undefined],
  ])
})

test.each([
  { type: 'https://docs.example.test/errors/api-key-required', title: 'Unauthorized', status: 401, detail: 'Send a key.' },
  { type: 'urn:problem:API_KEY_REQUIRED', title: 'Unauthorized', status: 401 },
  { type: 'about:blank', title: 'API key required', status: 401 },
  { errors: [{ id: 'auth.ApiKeyRequired' }] },
])('the app accepts an exchange that sends its errors in another form [GEN-01, ERR-01]: %j', async (problem) => {
  const hostUrl = await serve((_request, response) => void response.writeHead(401, { 'content-type': 'application/problem+json' }).end(JSON.stringify(problem)))
  expect(await probe(hostUrl)).toMatchObject({ ok: true, value: { hostUrl } })
})

test.each<[string, string, RequestListener]>([
  ['answers_html', 'a web page', (_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')],
  ['redirects', 'a redirect', (_request, response) => void response.writeHead(301, { location: 'https://elsewhere.test/' }).end()],
  ['not_the_service', 'another API', (_request, response) => void response.writeHead(200, { 'content-type': 'application/json' }).end('{}')],
  ['not_the_service', 'another 401', (_request, response) => void response.writeHead(401, { 'content-type': 'application/json' }).end('{"error":"LOGIN"}')],
  ['unreachable', 'a gateway without the service behind it', (_request, response) => void response.writeHead(502).end('Bad Gateway')],
])('the app refuses a host as an exchange with the reason %s: %s', async (issue, _what, listener) => {
  expect(await probe(await serve(listener))).toMatchObject({ ok: false, failure: { kind: 'host_refused', issue } })
})

test('the app refuses an invalid exchange address, and a host that does not respond [GEN-01]', async () => {
  const issueOf = async (written: string) => {
    const result = await probe(written)
    return result.ok ? 'taken' : result.failure.issue
  }
  expect(await issueOf('http://dex.example.test')).toBe('needs_https')
  expect(await issueOf('https://user:pass@dex.example.test')).toBe('has_credentials')
  expect(await issueOf('https://dex.example.test/api/dex/v1')).toBe('has_path')
  expect(await issueOf('not a url')).toBe('not_a_url')
  expect(await issueOf('http://127.0.0.1:1')).toBe('unreachable')
})

test('the user can add a live profile and open it, which closes practice mode [AUTH-03]', async () => {
  const hostUrl = await serve(theService)
  const { handlers, events, store } = setUp()
  await handlers['practice.start']({})
  const made = await handlers['profiles.create']({ name: ' Main ', hostUrl })
  if (!made.ok) throw new Error('not created')
  expect(made.value).toMatchObject({ name: 'Main', kind: 'live', hostUrl, rpcHost: null })
  expect(await handlers['profiles.create']({ name: 'Again', hostUrl })).toMatchObject({
    ok: false,
    failure: { kind: 'host_refused', issue: 'duplicate', detail: 'Main' },
  })

  events.length = 0
  expect(await handlers['profiles.select']({ id: made.value.id })).toMatchObject({ ok: true })
  expect(events).toEqual(['phone closed', `open live ${hostUrl}`, 'practice stopped', 'reload'])
  expect(store.activeId()).toBe(made.value.id)
  expect(await handlers['profiles.list']({})).toMatchObject({
    value: { activeId: made.value.id, profiles: [{ id: 'practice', hostUrl: null }, { id: made.value.id }] },
  })
})

test('the app restarts practice mode after an unexpected exit, but only a limited number of times', async () => {
  const { handlers, events, recoverPractice } = setUp()
  await handlers['practice.start']({})
  events.length = 0
  await recoverPractice()
  expect(events).toEqual(['close', `open practice ${descriptor.hostUrl}`, 'reload'])
  for (let count = 0; count < 5; count += 1) await recoverPractice()
  expect(events.filter((event) => event.startsWith('open'))).toHaveLength(3)
  expect(events.slice(-2)).toEqual(['close', 'reload'])
})

test('the app starts practice mode in one step; if practice mode does not start, the app reports the reason', async () => {
  const works = setUp()
  expect(await works.handlers['practice.start']({})).toEqual({
    ok: true,
    value: { state: 'running', hostUrl: descriptor.hostUrl, rpcUrl: descriptor.rpcUrl, walletAddress: '0xaa', detail: null, unavailable: null },
  })
  expect(works.events).toEqual([`open practice ${descriptor.hostUrl}`, 'reload'])
  expect(works.store.activeId()).toBe('practice')
  await works.handlers['practice.pair']({ uri: 'wc:1' })
  await works.handlers['practice.showPhone']({})
  await works.handlers['practice.leave']({})
  expect(works.events.slice(2)).toEqual(['pair wc:1', 'phone shown', 'phone closed', 'close', 'practice stopped', 'reload'])
  expect(works.store.activeId()).toBe(null)
  expect(await works.handlers['practice.pair']({ uri: 'wc:1' })).toMatchObject({ ok: false, failure: { kind: 'practice_failed' } })

  const fails = setUp({ practiceFails: true })
  expect(await fails.handlers['practice.start']({})).toEqual({ ok: false, failure: { kind: 'practice_failed', part: 'chain', detail: 'anvil is missing' } })
  expect(await fails.handlers['practice.status']({})).toMatchObject({ value: { state: 'failed', detail: 'chain: anvil is missing' } })
  expect(fails.store.activeId()).toBe(null)
  const unavailable = { kind: 'practice_unavailable', why: 'no_glibc', system: 'linux-x64', npmPackage: null } as const
  expect(await setUp({ unavailable }).handlers['practice.status']({})).toMatchObject({ value: { state: 'off', unavailable } })
  expect(await works.handlers['practice.status']({})).toMatchObject({ value: { unavailable: null } })
})

test('the app reopens the last used profile when it starts again', async () => {
  const hostUrl = await serve(theService)
  const first = setUp()
  const made = await first.handlers['profiles.create']({ name: 'Main', hostUrl })
  if (!made.ok) throw new Error('not created')
  await first.handlers['profiles.select']({ id: made.value.id })

  const second = setUp()
  expect(await second.resume()).toEqual({ ok: true, value: undefined })
  expect(second.events).toContain(`open live ${hostUrl}`)
  expect(second.events).not.toContain('reload')
})

test('the app removes a live profile and its data only after the user typed the profile’s name, and never removes practice mode', async () => {
  const hostUrl = await serve(theService)
  const { handlers, events, store } = setUp()
  const made = await handlers['profiles.create']({ name: 'Main', hostUrl })
  if (!made.ok) throw new Error('not created')
  const { id } = made.value
  await handlers['profiles.select']({ id })
  expect(await handlers['profiles.remove']({ id, confirmName: 'main' })).toMatchObject({ ok: false, failure: { kind: 'bad_input', field: 'confirmName' } })
  expect(await handlers['profiles.remove']({ id: 'practice', confirmName: 'Practice' })).toMatchObject({ ok: false, failure: { kind: 'not_found' } })
  expect(store.get(id)?.name).toBe('Main')
  events.length = 0
  expect(await handlers['profiles.remove']({ id, confirmName: 'Main' })).toEqual({ ok: true, value: {} })
  expect(events).toEqual(['close', `erase ${id}`, 'reload'])
  expect(store.list()).toEqual([])
  expect(store.activeId()).toBe(null)
})

test('the app stores the address of a Base RPC node encrypted, and its windows get only the address’s host [AUTH-09]', async () => {
  const hostUrl = await serve(theService)
  const { handlers, rpcUrl } = setUp()
  const made = await handlers['profiles.create']({ name: 'Main', hostUrl })
  if (!made.ok) throw new Error('not created')
  const { id } = made.value
  const set = await handlers['profiles.setRpc']({ id, rpcUrl: 'https://base.rpc.test/v2/canary-key' })
  expect(set).toMatchObject({ ok: true, value: { rpcHost: 'base.rpc.test' } })
  expect(JSON.stringify([set, await handlers['profiles.list']({}), journal[raw].values.withPrefix('')])).not.toContain('canary')
  expect(await rpcUrl(id)).toBe('https://base.rpc.test/v2/canary-key')
  for (const bad of ['http://base.rpc.test', 'javascript:1', 'nothing'])
    expect(await handlers['profiles.setRpc']({ id, rpcUrl: bad })).toMatchObject({ ok: false, failure: { kind: 'bad_input', field: 'rpcUrl' } })
  expect(await handlers['profiles.setRpc']({ id, rpcUrl: null })).toMatchObject({ ok: true, value: { rpcHost: null } })
  expect(await rpcUrl(id)).toBe(null)
})

test('the app reads from a second host of the exchange only once the user confirmed it and it responded like the service [GEN-02]', async () => {
  const hostUrl = await serve(theService)
  const secondUrl = await serve(theService)
  const { handlers, events, store } = setUp()
  const made = await handlers['profiles.create']({ name: 'Main', hostUrl })
  if (!made.ok) throw new Error('not created')
  const { id } = made.value
  expect(made.value.secondHostUrl).toBe(null)
  const { host } = new URL(secondUrl)
  const name = (url: string | null, confirmHost: string | null) => handlers['profiles.setSecondHost']({ id, hostUrl: url, confirmHost })

  for (const confirmHost of [null, 'dex.example', secondUrl, host.slice(0, -1)])
    expect(await name(secondUrl, confirmHost)).toMatchObject({ ok: false, failure: { kind: 'bad_input', field: 'confirmHost' } })
  expect(await name(hostUrl, new URL(hostUrl).host)).toMatchObject({ ok: false, failure: { kind: 'host_refused', issue: 'duplicate' } })
  expect(await name('http://dex2.example.test', 'dex2.example.test')).toMatchObject({ ok: false, failure: { kind: 'host_refused', issue: 'needs_https' } })
  const page = await serve((_request, response) => void response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>'))
  expect(await name(page, new URL(page).host)).toMatchObject({ ok: false, failure: { kind: 'host_refused', issue: 'answers_html' } })
  expect([store.get(id)?.secondHostUrl, events]).toEqual([null, []])

  expect(await name(`${secondUrl}/`, host)).toMatchObject({ ok: true, value: { secondHostUrl: secondUrl } })
  expect(events).toEqual([`second ${id} ${secondUrl}`])
  expect(store.get(id)?.secondHostUrl).toBe(secondUrl)
  expect(await name(null, null)).toMatchObject({ ok: true, value: { secondHostUrl: null } })
  expect(events.at(-1)).toBe(`second ${id} null`)
})

test('in practice mode, the app accepts only the second host that practice mode offers, and the user can remove it again [GEN-02]', async () => {
  const secondHostUrl = await serve(theService)
  const { handlers, events } = setUp({ secondHostUrl })
  const name = (hostUrl: string | null) =>
    handlers['profiles.setSecondHost']({ id: 'practice', hostUrl, confirmHost: hostUrl === null ? null : new URL(hostUrl).host })
  expect(await name(secondHostUrl)).toMatchObject({ ok: false })
  await handlers['practice.start']({})
  expect(await name(await serve(theService))).toMatchObject({ ok: false, failure: { kind: 'bad_input', field: 'hostUrl' } })
  expect(await name(secondHostUrl)).toMatchObject({ ok: true, value: { secondHostUrl, secondHostOffered: secondHostUrl } })
  expect(events.at(-1)).toBe(`second practice ${secondHostUrl}`)
  expect(await name(null)).toMatchObject({ ok: true, value: { secondHostUrl: null } })
})
